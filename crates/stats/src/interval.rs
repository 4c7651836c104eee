//! A score with its interval, and both as a difference in Elo.
//!
//! Games of a pair share their opening and are not independent, so the pair is the unit (*cluster*). With more than two
//! players, the round is. The interval is Wilson's (1927, "Probable inference, the law of succession, and statistical
//! inference"), which stays honest at scores of 0 and 1. It uses the observed variance between clusters: a point
//! estimate `s` over clusters of `n_c` games leads to the set of all `p` with `(s - p)² <= z² k p (1 - p) / n`, where
//! `n = (Σ n_c)² / Σ n_c²` is the effective number of clusters, and `k <= 1` is the observed variance relative to the
//! largest possible one, in which each cluster is won or lost whole. The variance is estimated, so `z` is Student's
//! quantile: a handful of pairs says less than their spread suggests.

use crate::sprt::ELO_OF_DEVIATION;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The points scored in games that belong together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cluster {
    /// Points: 1 for a win, half for a draw. With more than two players: the share of the opponents that were beaten.
    pub points: f64,
    /// Games: 2 for a whole pair.
    pub games: f64,
}

/// A score between 0 and 1 with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// Points per game.
    pub score: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A difference in strength with its 95 % interval, as the first bot sees it. Infinite if every game was won or lost;
/// JSON then has `null`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The difference that corresponds to the score.
    pub difference: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The difference on the familiar curve, where a score is `1 / (1 + 10^(-elo / 400))`.
    pub fn elo(&self) -> Elo {
        self.through(|score| 400.0 * (score / (1.0 - score)).log10())
    }

    fn through(&self, elo: impl Fn(f64) -> f64) -> Elo {
        Elo {
            difference: elo(self.score),
            low: elo(self.low),
            high: elo(self.high),
        }
    }
}

/// The difference in normalised Elo: the score above one half in standard deviations of a game's score, as in
/// [`Scale::Normalised`](super::sprt::Scale). `None` if the scores have no spread.
pub fn normalised_elo(clusters: &[Cluster]) -> Option<Elo> {
    let interval = score_interval(clusters)?;
    let games: f64 = clusters.iter().map(|cluster| cluster.games).sum();
    let deviation = (spread(clusters, interval.score) / games).sqrt();
    let elo = |score: f64| (score - 0.5) / deviation * ELO_OF_DEVIATION;
    (deviation > 0.0).then(|| interval.through(elo))
}

/// The squared deviations of the clusters' points from what `score` expects.
fn spread(clusters: &[Cluster], score: f64) -> f64 {
    let deviation = |cluster: &Cluster| (cluster.points - score * cluster.games).powi(2);
    clusters.iter().map(deviation).sum()
}

/// Student's quantile of a two-sided 95 % interval. The number of clusters is its degrees of freedom. Without clusters
/// it is the normal quantile. So it is for very many, where the two differ by at most 2 in 100,000 and statrs finds
/// none.
pub(crate) fn quantile(clusters: u64) -> f64 {
    let upper = 0.975;
    match StudentsT::new(0.0, 1.0, clusters as f64) {
        Ok(student) if clusters < 100_000 => student.inverse_cdf(upper),
        _ => Normal::standard().inverse_cdf(upper),
    }
}

/// The distribution function of Student's t at `at`, with this many degrees of freedom.
pub(crate) fn student(degrees: u64, at: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees as f64).map_or(f64::NAN, |student| student.cdf(at))
}

/// The score over these clusters with its 95 % interval; `None` when there are no games.
pub fn score_interval(clusters: &[Cluster]) -> Option<Interval> {
    let games: f64 = clusters.iter().map(|cluster| cluster.games).sum();
    if games == 0.0 {
        return None;
    }
    let score = clusters.iter().map(|cluster| cluster.points).sum::<f64>() / games;
    let squares: f64 = clusters.iter().map(|cluster| cluster.games.powi(2)).sum();
    let spread = spread(clusters, score);
    // One extra cluster of the largest variance keeps a handful of equal results from suggesting certainty.
    let prior = 0.25 * squares / clusters.len() as f64;
    let k = ((spread + prior) / (score * (1.0 - score) * squares + prior)).min(1.0);

    let n = games.powi(2) / squares / k;
    let z2 = quantile(clusters.len() as u64).powi(2) / n;
    let centre = (score + z2 / 2.0) / (1.0 + z2);
    let half = (z2 * (score * (1.0 - score) + z2 / 4.0)).sqrt() / (1.0 + z2);
    // If every game was won or lost, use the exact bound of Clopper and Pearson (1934), which is narrower.
    let exact = 0.025_f64.powf(squares / games.powi(2));
    let low = if score >= 1.0 { exact } else { centre - half };
    let high = if score <= 0.0 {
        1.0 - exact
    } else {
        centre + half
    };
    Some(Interval {
        score,
        low: low.max(0.0),
        high: high.min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    fn pair(points: f64) -> Cluster {
        Cluster { points, games: 2.0 }
    }

    #[test]
    fn games_that_stand_alone_get_wilsons_interval() {
        // 8000 of 10000: 0.79205 to 0.80773 (Wilson without continuity correction).
        let games = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0].repeat(1000);
        let clusters: Vec<Cluster> = games
            .iter()
            .map(|&points| Cluster { points, games: 1.0 })
            .collect();
        let interval = score_interval(&clusters).unwrap();
        assert!((interval.score - 0.8).abs() < 1e-12);
        assert!((interval.low - 0.792_05).abs() < 1e-5, "{interval:?}");
        assert!((interval.high - 0.807_73).abs() < 1e-5, "{interval:?}");
    }

    #[test]
    fn the_quantile_is_students() {
        // Abramowitz and Stegun, table 26.10.
        for (clusters, expected) in [
            (1, 12.706),
            (3, 3.182),
            (30, 2.042),
            (0, 1.960),
            (1 << 40, 1.960),
        ] {
            assert!((quantile(clusters) - expected).abs() < 5e-4, "{clusters}");
        }
    }

    #[test]
    fn a_score_stands_for_a_difference_in_elo() {
        let interval =
            score_interval(&[pair(1.5), pair(1.5), pair(2.0), pair(1.0)].repeat(25)).unwrap();
        let elo = interval.elo();
        // A score of 0.75 is 190.8 Elo.
        assert!((elo.difference - 190.85).abs() < 0.01, "{elo:?}");
        assert!(elo.low < elo.difference && elo.difference < elo.high);
        let all = score_interval(&[pair(2.0)]).unwrap().elo();
        assert_eq!((all.difference, all.high), (f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn normalised_elo_counts_deviations_of_a_games_score() {
        // A pair's points have a deviation of ¼, a game's of ¼ / √2.
        let clusters = [pair(1.25), pair(1.75)].repeat(50);
        let elo = normalised_elo(&clusters).unwrap();
        let deviation = (0.25_f64.powi(2) / 2.0).sqrt();
        assert!(
            (elo.difference - 0.25 / deviation * ELO_OF_DEVIATION).abs() < 1e-9,
            "{elo:?}"
        );
        assert_eq!(normalised_elo(&[pair(2.0); 9]), None);
        assert_eq!(normalised_elo(&[]), None);
    }

    #[test]
    fn winning_everything_is_not_certainty() {
        let interval = score_interval(&[pair(2.0); 5]).unwrap();
        assert_eq!(interval.score, 1.0);
        assert!((interval.high - 1.0).abs() < 1e-12);
        // Five even pairs end like this in 1 of 32 cases.
        assert!((interval.low - 0.478).abs() < 1e-3, "{interval:?}");
        let more = score_interval(&[pair(2.0); 50]).unwrap();
        assert!(more.low > interval.low);
    }

    #[test]
    fn losing_everything_is_not_certainty_either() {
        // Two clusters that weigh unequally count as 36 / 20 games alone: 0.025 to the power of 20 / 36.
        let lost = [(0.0, 2.0), (0.0, 4.0)].map(|(points, games)| Cluster { points, games });
        let interval = score_interval(&lost).unwrap();
        assert_eq!((interval.score, interval.low), (0.0, 0.0));
        assert!((interval.high - 0.871_185).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn a_few_unequal_clusters_get_the_interval_worked_out_by_hand() {
        let clusters = [(1.5, 2.0), (1.0, 2.0), (0.5, 2.0), (3.0, 4.0)];
        let interval = score_interval(&clusters.map(|(points, games)| Cluster { points, games }));
        let interval = interval.unwrap();
        assert!((interval.score - 0.6).abs() < 1e-12);
        assert!((interval.low - 0.242_512).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 0.875_435).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn pairs_that_always_split_narrow_the_interval() {
        let split = score_interval(&[pair(1.0); 50]).unwrap();
        let mut whole = [pair(0.0); 50];
        whole[..25].fill(pair(2.0));
        let swinging = score_interval(&whole).unwrap();
        assert!(split.high - split.low < 0.5 * (swinging.high - swinging.low));
    }

    #[test]
    fn no_games_have_no_score() {
        assert_eq!(score_interval(&[]), None);
    }

    /// Pairs in which both games depend on a shared opening.
    fn random_pair(rng: &mut impl Rng, win: f64, draw: f64) -> Cluster {
        let bias = if rng.random_bool(0.5) { 0.15 } else { -0.15 };
        let mut points = 0.0;
        for advantage in [bias, -bias] {
            let luck: f64 = rng.random();
            points += if luck < win + advantage {
                1.0
            } else if luck < win + advantage + draw {
                0.5
            } else {
                0.0
            };
        }
        pair(points)
    }

    #[test]
    fn the_interval_holds_the_truth_about_95_times_in_100() {
        let mut rng = Pcg64::seed_from_u64(1927);
        for (pairs, win, draw) in [(20, 0.3, 0.4), (100, 0.45, 0.2), (50, 0.7, 0.1)] {
            let truth = win + draw / 2.0;
            let runs = 2000;
            let held = (0..runs)
                .filter(|_| {
                    let clusters: Vec<Cluster> = (0..pairs)
                        .map(|_| random_pair(&mut rng, win, draw))
                        .collect();
                    let interval = score_interval(&clusters).unwrap();
                    interval.low <= truth && truth <= interval.high
                })
                .count();
            let share = held as f64 / f64::from(runs);
            assert!((0.935..0.985).contains(&share), "{pairs} pairs: {share}");
        }
    }

    #[test]
    fn a_handful_of_pairs_that_are_won_or_lost_whole_hold_the_truth_too() {
        let mut rng = Pcg64::seed_from_u64(1908);
        for pairs in 2..=5 {
            for win in [0.5, 0.7, 0.8, 0.95] {
                let held = (0..2000).filter(|_| {
                    let clusters: Vec<Cluster> = (0..pairs)
                        .map(|_| pair(2.0 * f64::from(u8::from(rng.random_bool(win)))))
                        .collect();
                    let interval = score_interval(&clusters).unwrap();
                    interval.low <= win && win <= interval.high
                });
                let share = held.count() as f64 / 2000.0;
                assert!(share > 0.94, "{pairs} pairs of {win}: {share}");
            }
        }
    }
}
