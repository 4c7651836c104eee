//! Whole ladders of bots whose strengths are known, in games of two players and more.

use super::super::*;
use super::rounds::{noise, points};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

const BOTS: usize = 8;

/// The bots of a round, and the points of each in its games, in the order of the bots.
type Round = (Vec<usize>, Vec<Vec<f64>>);

/// The performances of a round's games.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Games {
    /// Games are independent, and their orders those of Plackett and Luce's model. The expected points of two bots are
    /// those of ratings.
    Orders,
    /// A seed favours bots in all its games, and performances are whole numbers, so that there are ties.
    TiesAndSeeds,
}

/// How many ladders to play. `.ci/long` plays more.
fn ladders(usual: usize) -> usize {
    let wanted = std::env::var("CROWNHEAD_LADDERS");
    wanted.map_or(usual, |wanted| wanted.parse().unwrap())
}

/// The logarithms of the strengths of bots, all of them within `range`.
fn strengths(range: f64, rng: &mut impl Rng) -> Vec<f64> {
    (0..BOTS).map(|_| range * rng.random::<f64>()).collect()
}

/// Rounds of `players` bots each, drawn at random.
fn play(
    strengths: &[f64],
    players: usize,
    games: Games,
    rounds: usize,
    rng: &mut impl Rng,
) -> Vec<Round> {
    let round = |_| {
        let mut bots: Vec<usize> = (0..strengths.len()).collect();
        bots.shuffle(rng);
        bots.truncate(players);
        let favours: Vec<f64> = match games {
            Games::Orders => vec![0.0; players],
            Games::TiesAndSeeds => bots
                .iter()
                .map(|_| 4.0 * (rng.random::<f64>() - 0.5))
                .collect(),
        };
        let mut game = |_| {
            let performances = bots.iter().zip(&favours).map(|(&bot, favour)| {
                let performance = strengths[bot] + favour + noise(rng);
                match games {
                    Games::Orders => performance,
                    Games::TiesAndSeeds => performance.round(),
                }
            });
            points(&performances.collect::<Vec<_>>())
        };
        let games = (0..players).map(&mut game).collect();
        (bots, games)
    };
    (0..rounds).map(round).collect()
}

fn results(rounds: &[Round]) -> Results {
    let mut results = Results::default();
    for (bots, games) in rounds {
        results.add_round(bots, games.iter().map(Vec::as_slice));
    }
    results
}

fn rate(rounds: &[Round]) -> (Ratings, Results) {
    let results = results(rounds);
    (fit(BOTS, &results, &Prior::WEAK, None), results)
}

#[test]
fn the_margins_of_a_ladder_hold_the_strengths_about_95_times_in_100() {
    let ladders = ladders(300);
    for players in [2, 3, 4] {
        let mut rng = Pcg64::seed_from_u64(1959);
        let held = (0..ladders).map(|_| {
            let strengths = strengths(3.0, &mut rng);
            let mean = strengths.iter().sum::<f64>() / BOTS as f64;
            let rounds = play(&strengths, players, Games::Orders, 100, &mut rng);
            let (seen, _) = rate(&rounds);
            let off = |bot: usize| (seen.ratings[bot] - ELO * (strengths[bot] - mean)).abs();
            (0..BOTS)
                .filter(|&bot| off(bot) <= seen.margins[bot])
                .count()
        });
        let share = held.sum::<usize>() as f64 / (ladders * BOTS) as f64;
        assert!((0.93..=0.97).contains(&share), "{players} players: {share}");
    }
}

/// Strengths are spread far, so that of two close bots either is the stronger one equally often.
#[test]
fn a_bot_is_stronger_as_often_as_its_superiority_says() {
    let ladders = ladders(800);
    // A bucket is from one of these to the next.
    const BOUNDS: [f64; 7] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.98, 1.0];
    for players in [2, 3, 4] {
        let mut rng = Pcg64::seed_from_u64(1975);
        // Of each bucket: the pairs of bots, the sum of their superiorities, and the pairs whose first bot is stronger.
        let mut buckets = [(0.0, 0.0, 0.0); BOUNDS.len() - 1];
        for _ in 0..ladders {
            let strengths = strengths(6.0, &mut rng);
            let rounds = play(&strengths, players, Games::TiesAndSeeds, 100, &mut rng);
            let (ratings, results) = rate(&rounds);
            for (one, other) in (0..BOTS * BOTS).map(|pair| (pair / BOTS, pair % BOTS)) {
                let said = ratings.superiority(&results, (one, other));
                let bucket = BOUNDS
                    .windows(2)
                    .position(|ends| ends[0] < said && said <= ends[1]);
                if let Some(bucket) = bucket {
                    let (pairs, sum, stronger) = &mut buckets[bucket];
                    *pairs += 1.0;
                    *sum += said;
                    *stronger += f64::from(u8::from(strengths[one] > strengths[other]));
                }
            }
        }
        for (bound, (pairs, sum, stronger)) in BOUNDS.iter().zip(buckets) {
            let (said, seen) = (sum / pairs, stronger / pairs);
            let luck = (said * (1.0 - said) / pairs).sqrt();
            let told = format!("{players} players, from {bound}, {pairs} pairs: {said} {seen}");
            assert!((said - seen).abs() < 0.02 + 2.0 * luck, "{told}");
        }
    }
}

/// Kendall's rank correlation of these ratings with the strengths.
fn correlation(ratings: &[f64], strengths: &[f64]) -> f64 {
    let (mut sum, mut pairs) = (0.0, 0.0);
    for one in 0..BOTS {
        for other in 0..one {
            let same = (ratings[one] - ratings[other]) * (strengths[one] - strengths[other]);
            sum += same.signum();
            pairs += 1.0;
        }
    }
    sum / pairs
}

/// The ratings of OpenSkill (R. C. Weng and C.-J. Lin 2011, "A Bayesian approximation method for online ranking",
/// Journal of Machine Learning Research 12), game by game.
fn openskill(rounds: &[Round]) -> Vec<f64> {
    let mut ratings = [WengLinRating::new(); BOTS];
    for (bots, games) in rounds {
        for points in games {
            let teams = bots.iter().map(|&bot| [ratings[bot]]).collect::<Vec<_>>();
            let rank = |own: &f64| points.iter().filter(|other| *other > own).count();
            let outcomes = points.iter().map(|own| MultiTeamOutcome::new(rank(own)));
            let teams = teams.iter().map(<[_; 1]>::as_slice).zip(outcomes);
            let teams: Vec<_> = teams.collect();
            let rated = weng_lin_multi_team(&teams, &WengLinConfig::new());
            for (&bot, team) in bots.iter().zip(rated) {
                ratings[bot] = team[0];
            }
        }
    }
    ratings.map(|rating| rating.rating).to_vec()
}

/// With two players and fewer than about seven rounds of each bot, OpenSkill is better (Kendall's correlation 0.47 and
/// 0.44 after 10 rounds of 8 bots, 0.57 and 0.55 after 20): the bots are hardly connected, and its prior is narrow.
#[test]
fn ratings_order_the_bots_at_least_as_well_as_openskill() {
    let ladders = ladders(200);
    for (players, numbers) in [
        (2, &[30, 100][..]),
        (3, &[10, 30, 100]),
        (4, &[10, 30, 100]),
    ] {
        for games in [Games::Orders, Games::TiesAndSeeds] {
            for &rounds in numbers {
                let mut rng = Pcg64::seed_from_u64(2011);
                let (mut ours, mut theirs) = (0.0, 0.0);
                for _ in 0..ladders {
                    let strengths = strengths(3.0, &mut rng);
                    let rounds = play(&strengths, players, games, rounds, &mut rng);
                    ours += correlation(&rate(&rounds).0.ratings, &strengths);
                    theirs += correlation(&openskill(&rounds), &strengths);
                }
                let [ours, theirs] = [ours, theirs].map(|sum| sum / ladders as f64);
                let told = format!("{players} players, {games:?}, {rounds} rounds");
                assert!(ours >= theirs, "{told}: {ours} {theirs}");
            }
        }
    }
}
