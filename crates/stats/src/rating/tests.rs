//! Ratings against an independent fit, against simulated truth, and in cases that break other methods.

mod ladders;
mod rounds;

use super::fit::ELO;
use super::*;
use crate::interval::{Cluster, quantile, score_interval};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use statrs::distribution::{ContinuousCDF, Normal};

const TABLE: &str = include_str!("../../tests/data/ratings.csv");

fn stored_pairs() -> Vec<[u8; 4]> {
    let rows = TABLE.lines().skip(1);
    rows.map(|row| {
        let cells: Vec<u8> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        cells.try_into().unwrap()
    })
    .collect()
}

fn results(pairs: &[[u8; 4]]) -> Results {
    let mut results = Results::default();
    for &[first, second, one, two] in pairs {
        let result = PairResult::from_half_points([one, two]);
        results.add(first.into(), second.into(), result);
    }
    results
}

fn anchored(bot: usize, rating: f64) -> Option<Anchor> {
    Some(Anchor { bot, rating })
}

fn wins(count: u64) -> Results {
    let mut results = Results::default();
    for _ in 0..count {
        results.add(0, 1, PairResult::from_half_points([2, 2]));
    }
    results
}

/// At the maximum, the points that no rating explains are the prior's share. The full steps of Newton's method leap to and
/// fro here for ever.
#[test]
fn a_chain_of_lopsided_results_is_fitted() {
    let wins_of = [
        (2, 1, 99, 1),
        (3, 0, 999, 1),
        (1, 3, 999, 1),
        (4, 0, 9, 1),
        (2, 4, 100, 0),
    ];
    let mut results = Results::default();
    for (first, second, won, lost) in wins_of {
        for pair in 0..(won + lost) / 2 {
            let halves = if pair < lost { [2, 0] } else { [2, 2] };
            results.add(first, second, PairResult::from_half_points(halves));
        }
    }
    let ratings = fit(5, &results, &Prior::WEAK, None).ratings;
    let mut surprise = [0.0; 5];
    for (first, second, won, lost) in wins_of {
        let expected = 1.0 / (1.0 + 10f64.powf((ratings[second] - ratings[first]) / 400.0));
        let points = f64::from(won) - f64::from(won + lost) * expected;
        surprise[first] += points;
        surprise[second] -= points;
    }
    let precision = (ELO / Prior::WEAK.deviation).powi(2);
    for (surprise, rating) in surprise.into_iter().zip(&ratings) {
        let by_prior = precision * rating / ELO;
        assert!((surprise - by_prior).abs() < 1e-6, "{surprise} {by_prior}");
    }
}

/// The figures are those that `tests/data/ratings.py` prints (statsmodels 0.15.0).
#[test]
fn ratings_and_deviations_are_those_of_an_independent_fit() {
    let ratings = fit(5, &results(&stored_pairs()), &Prior::NONE, anchored(0, 0.0));
    let expected = [18.517645, 84.647116, 173.007825, 267.651585];
    let deviations = [25.814958, 26.06011, 26.476894, 25.880363];
    for (bot, (rating, deviation)) in (1..).zip(expected.into_iter().zip(deviations)) {
        assert!((ratings.ratings[bot] - rating).abs() < 1e-4, "{ratings:?}");
        let quantile = quantile(results(&stored_pairs()).rounds_of(bot));
        assert!(
            (ratings.margins[bot] - quantile * deviation).abs() < 1e-3,
            "{ratings:?}"
        );
        assert!((ratings.deviation(0, bot) - deviation).abs() < 1e-4);
    }
    assert!((ratings.deviation(3, 4) - 22.608152).abs() < 1e-4);
}

#[test]
fn the_weak_prior_hardly_moves_what_a_hundred_games_say() {
    let results = results(&stored_pairs());
    let bare = fit(5, &results, &Prior::NONE, anchored(0, 0.0));
    let weak = fit(5, &results, &Prior::WEAK, anchored(0, 0.0));
    for bot in 1..5 {
        assert!((weak.ratings[bot] - bare.ratings[bot]).abs() < 1.0);
        assert!((weak.margins[bot] / bare.margins[bot] - 1.0).abs() < 0.03);
    }
}

#[test]
fn without_an_anchor_the_mean_is_zero_and_with_one_only_the_level_changes() {
    let results = results(&stored_pairs());
    let free = fit(5, &results, &Prior::WEAK, None);
    assert!(free.ratings.iter().sum::<f64>().abs() < 1e-9);
    let held = fit(5, &results, &Prior::WEAK, anchored(2, 1500.0));
    assert_eq!((held.ratings[2], held.margins[2]), (1500.0, 0.0));
    for (a, b) in [(0, 4), (1, 3)] {
        let difference = |ratings: &Ratings| ratings.ratings[a] - ratings.ratings[b];
        assert!((difference(&free) - difference(&held)).abs() < 1e-9);
        let stronger = |ratings: &Ratings| ratings.superiority(&results, (a, b));
        assert!((stronger(&free) - stronger(&held)).abs() < 1e-12);
    }
}

#[test]
fn winning_everything_gives_a_finite_rating_with_a_wide_interval_that_more_games_raise() {
    let mut last = 0.0;
    for pairs in [1, 10, 1000, 1_000_000] {
        let ratings = fit(2, &wins(pairs), &Prior::WEAK, anchored(1, 0.0));
        let (rating, margin) = (ratings.ratings[0], ratings.margins[0]);
        assert!(rating.is_finite() && rating > last, "{pairs}: {ratings:?}");
        assert!(
            margin.is_finite() && margin > 0.3 * rating,
            "{pairs}: {ratings:?}"
        );
        last = rating;
    }
    // None of 2000 games was lost: with 95 % confidence the bot wins 998.5 of 1000, which is 1130 Elo.
    let ratings = fit(2, &wins(1000), &Prior::WEAK, anchored(1, 0.0));
    assert!(
        ratings.ratings[0] - ratings.margins[0] < 1130.0,
        "{ratings:?}"
    );
}

#[test]
fn a_bot_that_has_won_everything_is_stronger_beyond_doubt() {
    for (pairs, at_least) in [(10, 0.999), (100, 0.999_999)] {
        let results = wins(pairs);
        let ratings = fit(2, &results, &Prior::WEAK, None);
        let stronger = ratings.superiority(&results, (0, 1));
        assert!(stronger > at_least, "{pairs}: {stronger}");
    }
    let one = wins(1);
    let ratings = fit(2, &one, &Prior::WEAK, None);
    let stronger = ratings.superiority(&one, (0, 1));
    assert!((0.8..0.97).contains(&stronger), "{stronger}");
}

#[test]
fn nothing_but_draws_and_bots_that_never_met_have_finite_ratings() {
    let mut results = Results::default();
    for _ in 0..100 {
        results.add(0, 1, PairResult::from_half_points([1, 1]));
    }
    let ratings = fit(4, &results, &Prior::WEAK, None);
    assert!(
        ratings.ratings.iter().all(|rating| rating.abs() < 1e-6),
        "{ratings:?}"
    );
    assert!(ratings.margins.iter().all(|margin| margin.is_finite()));
    assert!(
        ratings.margins[3] > 1000.0,
        "nothing is known of bot 3: {ratings:?}"
    );
    assert!(ratings.margins[0] < ratings.margins[3]);
    assert!(
        fit(0, &Results::default(), &Prior::WEAK, None)
            .ratings
            .is_empty()
    );
}

#[test]
fn pairs_that_always_split_are_known_better_than_pairs_won_or_lost_whole() {
    let (mut split, mut whole) = (Results::default(), Results::default());
    for number in 0..100 {
        split.add(0, 1, PairResult::from_half_points([2, 0]));
        whole.add(0, 1, PairResult::from_half_points([2 * (number % 2); 2]));
    }
    let margin = |results| fit(2, results, &Prior::WEAK, anchored(1, 0.0)).margins[0];
    assert!(margin(&split) < 0.3 * margin(&whole));
}

/// The pairs of a match with these games: a win is paired with a win as far as possible.
fn of_tally(wins: u64, draws: u64, losses: u64) -> (Results, Vec<Cluster>) {
    let games = [(2, wins), (1, draws), (0, losses)];
    let mut games: Vec<u8> = games
        .into_iter()
        .flat_map(|(half_points, count)| std::iter::repeat_n(half_points, count as usize))
        .collect();
    games.shuffle(&mut Pcg64::seed_from_u64(1978));
    let (mut results, mut clusters) = (Results::default(), Vec::new());
    for pair in games.chunks(2) {
        results.add(0, 1, PairResult::from_half_points(pair.iter().copied()));
        clusters.push(Cluster {
            points: pair.iter().map(|&half| f64::from(half) / 2.0).sum(),
            games: pair.len() as f64,
        });
    }
    (results, clusters)
}

#[test]
fn a_rating_against_one_opponent_is_the_difference_that_a_match_tells() {
    for (wins, draws, losses) in [(60, 900, 40), (10, 1670, 0), (0, 400, 0), (70, 20, 30)] {
        let (results, clusters) = of_tally(wins, draws, losses);
        let ratings = fit(2, &results, &Prior::WEAK, anchored(1, 0.0));
        let (rating, margin) = (ratings.ratings[0], ratings.margins[0]);
        let elo = score_interval(&clusters).unwrap().elo();
        let half = (elo.high - elo.low) / 2.0;
        let tally = format!("+{wins} ={draws} -{losses}: {rating} {margin}, {elo:?}");
        assert!((rating - elo.difference).abs() < 0.5, "{tally}");
        assert!((margin / half - 1.0).abs() < 0.1, "{tally}");
    }
}

/// The chances of a win, a draw and a loss by Davidson's model, if the first is this much stronger, with this
/// inclination to draw.
fn davidson(difference: f64, inclination: f64) -> [f64; 3] {
    let half = difference / 2.0;
    let worth = [half.exp(), inclination, (-half).exp()];
    let sum: f64 = worth.iter().sum();
    worth.map(|worth| worth / sum)
}

#[test]
fn the_intervals_hold_the_truth_of_another_model_at_every_rate_of_draws() {
    let mut rng = Pcg64::seed_from_u64(1970);
    for draws in [0.0, 0.6, 0.9, 0.97] {
        let inclination = 2.0 * draws / (1.0 - draws);
        for difference in [0.0, 1.0] {
            // An opening favours one side, in both games of a pair.
            let games =
                |sign: f64| [0.5, -0.5].map(|bias| davidson(difference + sign * bias, inclination));
            let points = games(1.0)
                .iter()
                .map(|[win, draw, _]| win + draw / 2.0)
                .sum::<f64>()
                / 2.0;
            let truth = ELO * (points / (1.0 - points)).ln();
            let (runs, pairs) = (800, 400);
            let held = (0..runs).filter(|_| {
                let mut results = Results::default();
                for _ in 0..pairs {
                    let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
                    let half_points = games(sign).map(|[win, draw, _]| {
                        let luck = rng.random::<f64>();
                        u8::from(luck < win) + u8::from(luck < win + draw)
                    });
                    results.add(0, 1, PairResult::from_half_points(half_points));
                }
                let ratings = fit(2, &results, &Prior::WEAK, anchored(1, 0.0));
                (ratings.ratings[0] - truth).abs() <= ratings.margins[0]
            });
            let share = held.count() as f64 / f64::from(runs);
            assert!(
                (0.93..=0.97).contains(&share),
                "draws {draws}, {difference}: {share}"
            );
        }
    }
}

#[test]
fn the_likelihood_of_superiority_is_the_normal_one() {
    let results = results(&stored_pairs());
    let ratings = fit(5, &results, &Prior::WEAK, None);
    assert_eq!(ratings.ranking(), [4, 3, 2, 1, 0]);
    let stronger = |pairing| ratings.superiority(&results, pairing);
    assert!(stronger((4, 3)) > 0.99);
    assert!((stronger((4, 3)) + stronger((3, 4)) - 1.0).abs() < 1e-9);
    // With many games, it agrees with the curvature.
    let difference = ratings.ratings[4] - ratings.ratings[3];
    let normal = Normal::standard().cdf(difference / ratings.deviation(4, 3));
    assert!((stronger((4, 3)) - normal).abs() < 1e-3);
}

/// How many ways there are to choose.
fn choose(from: u64, count: u64) -> f64 {
    (0..count).fold(1.0, |ways, one| {
        ways * (from - one) as f64 / (one + 1) as f64
    })
}

/// How often one of two equal bots is called stronger with more than 95 % after this many pairs: for games won by
/// chance, and for pairs whose two games end alike. Sums over every result with its probability.
fn called(pairs: u64) -> [f64; 2] {
    let mut called = [0.0; 2];
    for split in 0..=pairs {
        for won in 0..=pairs - split {
            let lost = pairs - split - won;
            let mut results = Results::default();
            for (count, pair) in [(lost, [0, 0]), (split, [2, 0]), (won, [2, 2])] {
                for _ in 0..count {
                    results.add(0, 1, PairResult::from_half_points(pair));
                }
            }
            let ratings = fit(2, &results, &Prior::WEAK, None);
            let stronger = ratings.superiority(&results, (0, 1));
            if !(0.05..=0.95).contains(&stronger) {
                let whole = 0.25_f64.powi((lost + won) as i32) * 0.5_f64.powi(split as i32);
                called[0] += choose(pairs, split) * choose(pairs - split, won) * whole;
                if split == 0 {
                    called[1] += choose(pairs, won) * 0.5_f64.powi(pairs as i32);
                }
            }
        }
    }
    called
}

/// Both tails together have a nominal chance of 0.1. `called` adds up the chances of all results, so these rates are
/// exact. Of games won by chance, the rate never exceeds 0.1, comes close to it from twenty pairs on, and is far below it
/// only where few results are possible. An earlier formula, the root of the likelihood ratio, had a higher mean (0.078,
/// not 0.066) because it exceeded the nominal chance: up to 0.114 after 5 and 6 pairs and 0.108 after 16 to 20.
#[test]
fn calls_of_superiority_among_equals_are_as_frequent_as_stated() {
    let shares: Vec<[f64; 2]> = (1..=30).map(called).collect();
    let of = |kind: usize| shares.iter().map(move |share| share[kind]);
    let most = |kind| of(kind).fold(0.0, f64::max);
    let mean = |kind| of(kind).sum::<f64>() / 30.0;
    assert!(most(0) <= 0.1 && mean(0) >= 0.065, "{shares:?}");
    assert!(of(0).skip(19).all(|share| share >= 0.084), "{shares:?}");
    // If both games of a pair end alike, few results have a chance of just 0.1.
    assert!(
        most(1) < 0.15 && (0.07..=0.11).contains(&mean(1)),
        "{shares:?}"
    );
}

#[test]
fn a_margin_of_few_rounds_is_no_wider_than_before_the_first_game() {
    // One game, won: the least possible information.
    let mut one_round = Results::default();
    one_round.add_round(&[0, 1], [&[1.0, 0.0][..]]);
    // The deviation of a bot from its reference, if all have the deviation of the prior.
    let before = |share: f64| quantile(0) * Prior::WEAK.deviation * share.sqrt();
    let near = |margin: f64, expected: f64| (margin - expected).abs() < 1e-6 * (1.0 + expected);
    let free = fit(2, &one_round, &Prior::WEAK, None);
    // Relative to the mean of two, which the bot is a part of.
    for margin in &free.margins {
        assert!(near(*margin, before(1.0 / 2.0)), "{:?}", free.margins);
    }
    let held = fit(2, &one_round, &Prior::WEAK, anchored(1, 0.0));
    let expected = [before(2.0), 0.0];
    assert!(
        held.margins
            .iter()
            .zip(expected)
            .all(|(&margin, expected)| near(margin, expected)),
        "{:?}, expected {expected:?}",
        held.margins
    );
}

#[test]
fn a_bot_that_has_not_played_changes_no_rating() {
    let mut drawn = Results::default();
    (0..4).for_each(|_| drawn.add(0, 1, PairResult::from_half_points([1, 1])));
    let alone = fit(2, &drawn, &Prior::WEAK, None);
    let beside = fit(4, &drawn, &Prior::WEAK, None);
    assert_eq!(beside.ratings[..2], alone.ratings);
    assert_eq!(beside.margins[..2], alone.margins);
    assert!(alone.margins[0] < 200.0, "{:?}", alone.margins);
    assert_eq!(beside.groups, [Some(0), Some(0), None, None]);
    assert_eq!(beside.ranking(), [0, 1, 2, 3]);
    // Nor does an anchor that has not played.
    let anchored = fit(3, &drawn, &Prior::WEAK, anchored(2, 1500.0));
    assert_eq!(anchored.ratings, [1500.0; 3]);
    assert_eq!(anchored.margins[..2], alone.margins);
}

#[test]
fn bots_that_no_games_connect_are_rated_about_means_of_their_own() {
    let result = PairResult::from_half_points([2, 1]);
    let mut both = Results::default();
    // 3 beats 0, and 1 beats 4, who beats 2.
    for (first, second) in [(3, 0), (1, 4), (4, 2)] {
        (0..5).for_each(|_| both.add(first, second, result));
    }
    let free = fit(5, &both, &Prior::WEAK, None);
    assert_eq!(free.groups, [1, 0, 0, 1, 0].map(Some));
    assert_eq!(free.ranking(), [1, 4, 2, 3, 0]);
    let sums = [
        free.ratings[1] + free.ratings[2] + free.ratings[4],
        free.ratings[0] + free.ratings[3],
    ];
    assert!(sums.iter().all(|sum| sum.abs() < 1e-9), "{sums:?}");
    let mut pair = Results::default();
    (0..5).for_each(|_| pair.add(1, 0, result));
    let alone = fit(2, &pair, &Prior::WEAK, None);
    for (bot, same) in [(0, 0), (3, 1)] {
        assert!((free.ratings[bot] - alone.ratings[same]).abs() < 1e-9);
        assert!((free.margins[bot] - alone.margins[same]).abs() < 1e-9);
    }
    assert!(free.are_connected(1, 2) && !free.are_connected(1, 3));
    // The anchor's group comes first, and only its ratings are relative to the anchor.
    let held = fit(5, &both, &Prior::WEAK, anchored(0, 1500.0));
    assert_eq!(held.groups, [0, 1, 1, 0, 1].map(Some));
    assert_eq!((held.ratings[0], held.margins[0]), (1500.0, 0.0));
    assert!((held.ratings[1] - 1500.0 - free.ratings[1]).abs() < 1e-9);
    assert_eq!(held.margins[1], free.margins[1]);
}
