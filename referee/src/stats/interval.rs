//! A score and how far it can be trusted.
//!
//! Games of a pair share their opening and are not independent, so the pair is the unit (*cluster*). The interval is Wilson's (1927, "Probable inference, the law of succession, and statistical
//! inference"), which stays honest at scores of 0 and 1, with the variance between clusters that was seen:
//! a point estimate `s` over clusters of `n_c` games leads to the set of all `p` with
//! `(s - p)² <= z² k p (1 - p) / n`, where `n = (Σ n_c)² / Σ n_c²` is the number of clusters as if all were
//! alike, and `k <= 1` is the observed variance relative to the largest possible, that of clusters which are
//! won or lost whole.

use serde::Serialize;

/// The points scored in games that belong together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cluster {
    /// Points: 1 for a win, half for a draw.
    pub points: f64,
    /// Games: 2 for a whole pair.
    pub games: f64,
}

/// A score between 0 and 1 with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// Points a game.
    pub score: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The normal quantile of a two-sided 95 % interval.
const Z: f64 = 1.959_963_985;

/// The score over these clusters with its 95 % interval; `None` when there are no games.
pub fn score_interval(clusters: &[Cluster]) -> Option<Interval> {
    let games: f64 = clusters.iter().map(|cluster| cluster.games).sum();
    if games == 0.0 {
        return None;
    }
    let score = clusters.iter().map(|cluster| cluster.points).sum::<f64>() / games;
    let squares: f64 = clusters.iter().map(|cluster| cluster.games.powi(2)).sum();
    let spread: f64 = clusters
        .iter()
        .map(|cluster| (cluster.points - score * cluster.games).powi(2))
        .sum();
    // One more cluster with the largest variance there is keeps a handful of equal results from
    // pretending to certainty.
    let prior = 0.25 * squares / clusters.len() as f64;
    let k = ((spread + prior) / (score * (1.0 - score) * squares + prior)).min(1.0);

    let n = games.powi(2) / squares / k;
    let z2 = Z * Z / n;
    let centre = (score + z2 / 2.0) / (1.0 + z2);
    let half = (z2 * (score * (1.0 - score) + z2 / 4.0)).sqrt() / (1.0 + z2);
    Some(Interval {
        score,
        low: (centre - half).max(0.0),
        high: (centre + half).min(1.0),
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
        // 8 of 10: 0.4902 to 0.9433 (Wilson without continuity correction).
        let games = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0];
        let clusters = games.map(|points| Cluster { points, games: 1.0 });
        let interval = score_interval(&clusters).unwrap();
        assert!((interval.score - 0.8).abs() < 1e-12);
        assert!((interval.low - 0.4902).abs() < 1e-3, "{interval:?}");
        assert!((interval.high - 0.9433).abs() < 1e-3, "{interval:?}");
    }

    #[test]
    fn winning_everything_is_not_certainty() {
        let interval = score_interval(&[pair(2.0); 5]).unwrap();
        assert_eq!(interval.score, 1.0);
        assert!((interval.high - 1.0).abs() < 1e-12);
        assert!(interval.low < 0.8, "{interval:?}");
        let more = score_interval(&[pair(2.0); 50]).unwrap();
        assert!(more.low > interval.low);
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
}
