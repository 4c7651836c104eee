//! Ratings from all games at once, with honest intervals.
//!
//! The model is that of R. A. Bradley and M. E. Terry (1952, "Rank analysis of incomplete block designs",
//! Biometrika 39) with draws as R. R. Davidson (1970, "On extending the Bradley-Terry model to accommodate ties
//! in paired comparison experiments", Journal of the American Statistical Association 65) has them: bots of
//! strengths `π` win, draw and lose against each other in the ratio
//!
//! ```text
//! πᵢ  :  ν √(πᵢ πⱼ)  :  πⱼ
//! ```
//!
//! All strengths and the one inclination to draw `ν` are fitted together, by maximum likelihood with a weak
//! prior; the order of the games cannot matter. The prior is normal, so wide that a few dozen games drown it,
//! and keeps everything finite when a bot has won or lost everything, or has not played.
//!
//! Two games of a pair share their opening and are not independent. The covariance is therefore
//! the *sandwich* `A⁻¹ B A⁻¹` (P. J. Huber 1967, "The behavior of maximum likelihood estimates under
//! nonstandard conditions"; H. White 1982, "Maximum likelihood estimation of misspecified models",
//! Econometrica 50), with `B` summed over pairs as clusters (K.-Y. Liang and S. L. Zeger 1986, "Longitudinal
//! data analysis using generalized linear models", Biometrika 73): it holds whatever the games of a pair do
//! to each other.
//!
//! Leaves out time: a bot is one bot, and a new version is a new name.

mod design;
mod fit;
mod matrix;

use serde::Serialize;
use std::collections::BTreeMap;

pub use design::Design;
pub use fit::{Prior, fit, superiority};

/// What came out of one pair of games between two bots, as the first of them saw it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub struct PairResult {
    pub wins: u8,
    pub draws: u8,
    pub losses: u8,
}

impl PairResult {
    /// A pair from the first bot's points in each of its games, in half points.
    pub fn from_half_points(games: impl IntoIterator<Item = u8>) -> PairResult {
        let mut result = PairResult {
            wins: 0,
            draws: 0,
            losses: 0,
        };
        for half_points in games {
            match half_points {
                0 => result.losses += 1,
                1 => result.draws += 1,
                _ => result.wins += 1,
            }
        }
        result
    }

    /// The first bot's points, in half points.
    pub fn half_points(self) -> u8 {
        2 * self.wins + self.draws
    }

    fn games(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) + f64::from(self.losses)
    }

    /// The same pair as the second bot saw it.
    fn turned(self) -> PairResult {
        PairResult {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }
}

/// How often two bots' pairs came out in which way: all that ratings need to know of the games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Results {
    /// By the two bots' numbers, the lower first, and the result as that one saw it.
    counts: BTreeMap<(usize, usize), BTreeMap<PairResult, u64>>,
}

impl Results {
    /// Counts one pair between the bots of these numbers.
    pub fn add(&mut self, first: usize, second: usize, result: PairResult) {
        let (key, result) = if first <= second {
            ((first, second), result)
        } else {
            ((second, first), result.turned())
        };
        *self
            .counts
            .entry(key)
            .or_default()
            .entry(result)
            .or_default() += 1;
    }

    /// How many pairs this bot has played.
    pub fn pairs_of(&self, bot: usize) -> u64 {
        let own = self
            .counts
            .iter()
            .filter(|((one, other), _)| *one == bot || *other == bot);
        own.flat_map(|(_, results)| results.values()).sum()
    }

    /// The points of the first of these two bots against the second, and the games they played.
    pub fn points_between(&self, first: usize, second: usize) -> (f64, f64) {
        let results = self.counts.get(&(first.min(second), first.max(second)));
        let (mut points, mut games) = (0.0, 0.0);
        for (result, &count) in results.into_iter().flatten() {
            let seen = if first < second {
                *result
            } else {
                result.turned()
            };
            points += f64::from(seen.half_points()) / 2.0 * count as f64;
            games += seen.games() * count as f64;
        }
        (points, games)
    }
}

/// The rating that one bot is held at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// The bot's number.
    pub bot: usize,
    /// Its rating.
    pub rating: f64,
}

/// Ratings of all bots on the familiar scale: 400 more is ten to one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// By the bots' numbers. Without an anchor their mean is 0.
    pub ratings: Vec<f64>,
    /// How far each may be off with 95 % confidence, by the bots' numbers, against the anchor or the mean.
    pub margins: Vec<f64>,
    /// The chance that a game between equals is drawn.
    pub draws_between_equals: f64,
    /// The logarithms of the strengths, then that of the inclination to draw: where the fit ended.
    #[serde(skip)]
    strengths: Vec<f64>,
    /// The standard deviation of the difference between two bots' ratings, row by row.
    #[serde(skip)]
    deviations: Vec<f64>,
}

impl Ratings {
    /// The standard deviation of the difference between two bots' ratings.
    pub fn deviation(&self, first: usize, second: usize) -> f64 {
        self.deviations[first * self.ratings.len() + second]
    }

    /// The bots' numbers, the strongest first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut bots: Vec<usize> = (0..self.ratings.len()).collect();
        bots.sort_by(|&a, &b| self.ratings[b].total_cmp(&self.ratings[a]).then(a.cmp(&b)));
        bots
    }
}

#[cfg(test)]
mod tests;
