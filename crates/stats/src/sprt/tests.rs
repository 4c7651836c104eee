//! The sequential test on simulated bots of known strength, and on tables that have broken other tests.

use super::likelihood::moments;
use super::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A test that a few hundred pairs decide, so that thousands of runs are quick.
const QUICK: Sprt = Sprt {
    scale: Scale::Normalised,
    elo0: 0.0,
    elo1: 60.0,
    alpha: 0.05,
    beta: 0.05,
    min_pairs: 16,
};

/// Five chances of mean one half, from draws to sharp openings.
const EVEN: [&[f64]; 3] = [
    &[0.05, 0.2, 0.5, 0.2, 0.05],
    &[0.2, 0.1, 0.4, 0.1, 0.2],
    &[0.01, 0.04, 0.9, 0.04, 0.01],
];

/// Seven chances of mean one half, for rounds of three players: two bots tie rarely or often, or a seed favours one.
const EVEN_OF_THREE: [&[f64]; 3] = [
    &[0.12, 0.03, 0.34, 0.02, 0.34, 0.03, 0.12],
    &[0.03, 0.1, 0.22, 0.3, 0.22, 0.1, 0.03],
    &[0.35, 0.02, 0.1, 0.06, 0.1, 0.02, 0.35],
];

/// These chances with weight moved up until the bot is `elo` better on the normalised scale.
fn better_by(elo: f64, even: &[f64]) -> Vec<f64> {
    let games = (even.len() - 1) / 2;
    let wanted = elo / ELO_OF_DEVIATION * (games as f64).sqrt();
    let moved = |by: f64| {
        let mut chances = even.to_vec();
        for low in 0..games {
            chances[low] -= by * even[low];
            chances[2 * games - low] += by * even[low];
        }
        chances
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let (mean, deviation) = moments(&moved(middle));
        if mean - 0.5 < wanted * deviation {
            low = middle;
        } else {
            high = middle;
        }
    }
    moved(low)
}

/// A pair without faults.
fn pair(half_points: usize) -> SprtPair {
    SprtPair {
        half_points,
        by_fault: false,
    }
}

/// Counts of pairs, by half points.
fn counts(by_half_points: [u64; 5]) -> PairCounts {
    PairCounts(by_half_points.into())
}

fn draw_pair(chances: &[f64], rng: &mut impl Rng) -> usize {
    let mut luck: f64 = rng.random();
    for (result, p) in chances.iter().enumerate() {
        luck -= p;
        if luck < 0.0 {
            return result;
        }
    }
    chances.len() - 1
}

/// The share of `runs` tests that end with each verdict.
fn verdicts(test: Sprt, chances: &[f64], runs: u32, rng: &mut impl Rng) -> [f64; 3] {
    let mut ended = [0_u32; 3];
    for _ in 0..runs {
        let mut run = OrderedSprt::new(test, (chances.len() - 1) / 2);
        let verdict = (1..=20_000)
            .map(|number| run.add(number, pair(draw_pair(chances, rng))))
            .find(|&verdict| verdict != SprtVerdict::Undecided);
        ended[verdict.unwrap_or(SprtVerdict::Undecided) as usize] += 1;
    }
    ended.map(|count| f64::from(count) / f64::from(runs))
}

#[test]
fn equal_bots_are_accepted_about_alpha_of_the_time_at_most() {
    let mut rng = Pcg64::seed_from_u64(1);
    for even in EVEN.into_iter().chain(EVEN_OF_THREE) {
        let [better, _, undecided] = verdicts(QUICK, even, 2000, &mut rng);
        // Three standard errors of the simulation above alpha.
        assert!(better < 0.05 + 0.015, "{even:?}: {better}");
        assert_eq!(undecided, 0.0);
    }
}

#[test]
fn truly_better_bots_are_accepted_1_minus_beta_of_the_time_at_least() {
    let mut rng = Pcg64::seed_from_u64(2);
    for even in EVEN.into_iter().chain(EVEN_OF_THREE) {
        let chances = better_by(60.0, even);
        let [better, ..] = verdicts(QUICK, &chances, 2000, &mut rng);
        assert!(better > 0.95 - 0.015, "{even:?}: {better}");
    }
}

#[test]
fn the_errors_stay_within_what_was_asked_on_the_logistic_scale_and_for_unequal_errors() {
    let test = Sprt {
        scale: Scale::Logistic,
        elo0: -20.0,
        elo1: 20.0,
        alpha: 0.02,
        beta: 0.1,
        ..QUICK
    };
    let mut rng = Pcg64::seed_from_u64(3);
    let of_mean =
        |elo: f64| likelihood::with_mean(EVEN[1], 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
    let [better, ..] = verdicts(test, &of_mean(-20.0), 2000, &mut rng);
    assert!(better < 0.02 + 0.01, "{better}");
    let [better, ..] = verdicts(test, &of_mean(20.0), 2000, &mut rng);
    assert!(better > 0.9 - 0.02, "{better}");
}

#[test]
fn a_bot_that_wins_everything_is_accepted_after_74_pairs_at_the_defaults() {
    let test = Sprt::default();
    let wins = |pairs| counts([0, 0, 0, 0, pairs]);
    assert_eq!(test.verdict(&wins(73)), SprtVerdict::Undecided);
    assert_eq!(test.verdict(&wins(74)), SprtVerdict::Better);
}

#[test]
fn a_bot_that_loses_everything_is_refused_as_soon() {
    let losses = |pairs| counts([pairs, 0, 0, 0, 0]);
    let needed =
        (1..200).find(|&pairs| Sprt::default().verdict(&losses(pairs)) == SprtVerdict::NotBetter);
    assert!((60..=80).contains(&needed.unwrap()), "{needed:?}");
}

#[test]
fn every_degenerate_table_has_a_finite_ratio_on_both_scales() {
    for scale in [Scale::Normalised, Scale::Logistic] {
        let test = Sprt {
            scale,
            ..Sprt::default()
        };
        for players in 2..=8 {
            for only in 0..=2 * players {
                for pairs in [1, 2, 100, 1_000_000] {
                    let mut counts = PairCounts::new(players);
                    counts.0[only] = pairs;
                    let ratio = test.log_likelihood_ratio(&counts);
                    assert!(ratio.is_finite(), "{scale:?} {counts:?}: {ratio}");
                    // Results at one end support the hypothesis at that end.
                    assert!(
                        only <= players || ratio > 0.0,
                        "{scale:?} {counts:?}: {ratio}"
                    );
                    assert!(
                        only >= players || ratio < 0.0,
                        "{scale:?} {counts:?}: {ratio}"
                    );
                }
            }
            assert_eq!(test.log_likelihood_ratio(&PairCounts::new(players)), 0.0);
        }
    }
}

#[test]
fn pairs_that_always_split_show_that_neither_is_better() {
    let split = counts([0, 0, 5000, 0, 0]);
    let test = Sprt {
        scale: Scale::Logistic,
        ..Sprt::default()
    };
    assert_eq!(test.verdict(&split), SprtVerdict::NotBetter);
}

#[test]
fn there_is_no_verdict_before_the_smallest_number_of_pairs() {
    let test = Sprt {
        elo1: 400.0,
        min_pairs: 20,
        ..Sprt::default()
    };
    let wins = |pairs| counts([0, 0, 0, 0, pairs]);
    assert!(test.log_likelihood_ratio(&wins(19)) > test.bounds().1);
    assert_eq!(test.verdict(&wins(19)), SprtVerdict::Undecided);
    assert_eq!(test.verdict(&wins(20)), SprtVerdict::Better);
}

#[test]
fn the_bounds_are_walds() {
    let (lower, upper) = Sprt::default().bounds();
    assert!((upper - 19_f64.ln()).abs() < 1e-12);
    assert!((lower + 19_f64.ln()).abs() < 1e-12);
}

#[test]
fn the_verdict_does_not_depend_on_who_finished_first() {
    let mut rng = Pcg64::seed_from_u64(4);
    for _ in 0..50 {
        let chances = better_by(30.0, EVEN[1]);
        let results: Vec<usize> = (0..3000).map(|_| draw_pair(&chances, &mut rng)).collect();
        let mut ordered = OrderedSprt::new(QUICK, 2);
        let mut shuffled = OrderedSprt::new(QUICK, 2);
        for (number, &result) in (1..).zip(&results) {
            ordered.add(number, pair(result));
        }
        // Sixteen at once, finishing in any order.
        let mut under_way: Vec<(u64, usize)> = Vec::new();
        for (number, &result) in (1..).zip(&results) {
            under_way.push((number, result));
            if under_way.len() == 16 {
                let (number, result) = under_way.swap_remove(rng.random_range(0..16));
                shuffled.add(number, pair(result));
            }
        }
        for (number, result) in under_way {
            shuffled.add(number, pair(result));
        }
        assert_eq!(ordered.verdict(), shuffled.verdict());
        assert_eq!(ordered.counts(), shuffled.counts());
    }
}

#[test]
fn a_missing_pair_holds_the_count() {
    let mut run = OrderedSprt::new(Sprt::default(), 2);
    for number in 2..=200 {
        assert_eq!(run.add(number, pair(4)), SprtVerdict::Undecided);
    }
    assert_eq!((run.counts().pairs(), run.uncounted()), (0, 199));
    assert_eq!(run.add(1, pair(4)), SprtVerdict::Better);
    assert_eq!((run.counts().pairs(), run.uncounted()), (74, 126));
}

#[test]
fn a_test_that_faults_decide_is_about_faults() {
    let mut run = OrderedSprt::new(QUICK, 2);
    let by_fault = |half_points, by_fault| SprtPair {
        half_points,
        by_fault,
    };
    for (number, one) in (1..).zip([by_fault(4, true), by_fault(3, false), by_fault(2, false)]) {
        run.add(number, one);
    }
    assert_eq!((run.decided(), run.is_about_faults()), ((2, 1), false));
    // Not its turn, so it is not counted.
    run.add(5, by_fault(0, true));
    assert_eq!(run.decided(), (2, 1));
    run.add(4, by_fault(0, true));
    assert_eq!((run.decided(), run.is_about_faults()), ((4, 3), true));
}

#[test]
fn a_pair_that_is_passed_over_holds_nothing_up_and_counts_for_nothing() {
    let mut run = OrderedSprt::new(Sprt::default(), 2);
    run.add(3, pair(2));
    run.pass_over(1);
    assert_eq!(
        (run.counts().pairs(), run.known, run.uncounted()),
        (0, 1, 1)
    );
    run.add(2, pair(4));
    assert_eq!(
        (run.counts().pairs(), run.known, run.uncounted()),
        (2, 3, 0)
    );
}

#[test]
fn an_error_rate_is_a_share_of_less_than_a_half() {
    assert_eq!(parse_error_rate("0.05"), Ok(0.05));
    for text in ["0", "0.5", "-0.1", "5", "NaN", "five"] {
        assert!(parse_error_rate(text).is_err(), "{text}");
    }
}

#[test]
fn the_score_of_counted_pairs_is_the_share_of_their_points() {
    let mut counts = PairCounts::new(2);
    assert_eq!((counts.pairs(), counts.score()), (0, None));
    for half_points in [0, 1, 3, 4, 4] {
        counts.add(half_points);
    }
    assert_eq!(counts.by_half_points(), [1, 1, 0, 1, 2]);
    // Twelve half points of twenty.
    assert_eq!((counts.pairs(), counts.score()), (5, Some(0.6)));
    let mut counts = PairCounts::new(3);
    counts.add(3);
    counts.add(6);
    assert_eq!((counts.players(), counts.by_half_points().len()), (3, 7));
    assert_eq!((counts.decided(), counts.score()), (1, Some(0.75)));
}
