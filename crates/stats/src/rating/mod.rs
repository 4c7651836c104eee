//! Ratings from all games at once, with honest intervals.
//!
//! The model is that of R. A. Bradley and M. E. Terry (1952, "Rank analysis of incomplete block designs",
//! Biometrika 39) for points, of which a draw is half: a bot that is ahead by `d` is expected to score
//!
//! ```text
//! 1 / (1 + 10^(-d / 400))
//! ```
//!
//! which is what `match` and `sprt` mean by Elo. Draws are part of the score and say nothing else: all strengths are fitted
//! together as successes in halves (L. E. Papke and J. M. Wooldridge 1996, "Econometric methods for fractional response
//! variables", Journal of Applied Econometrics 11), by maximum likelihood with a weak prior; the order of the games
//! cannot matter. What is drawn between equals is counted apart, as a share of the draws that the scores allow. (R. R.
//! Davidson's model, 1970, "On extending the Bradley-Terry model to accommodate ties", Journal of the American Statistical
//! Association 65, puts wins against losses alone: where nearly all games are drawn its 400 points are another measure, and
//! a tenth of it in score.) The prior is normal, so wide that a few dozen games drown it, and keeps everything finite when
//! a bot has won or lost everything.
//!
//! Only games compare bots. Those that games connect, directly or by way of others, are a *group*, and ratings are about the
//! mean of their group, or against the anchor in the anchor's. What the prior alone says of bots that have not met, or not
//! played, moves nobody's rating and widens nobody's margin.
//!
//! A game of three players or more is a result between every two of them: who has more points has won. Plackett and
//! Luce's model of whole orders (R. D. Luce 1959, "Individual Choice Behavior"; R. L. Plackett 1975, "The analysis of
//! permutations", Applied Statistics 24) knows no ties, which such games are full of, and says of every two players what
//! Bradley and Terry's does. So the pairings of a game are multiplied as if they were independent, which keeps one model,
//! one meaning of a rating and one fit for any number of players (a *composite* likelihood: C. Varin, N. Reid and
//! D. Firth 2011, "An overview of composite likelihood methods", Statistica Sinica 21). That they are not independent is
//! left to the covariance.
//!
//! Games of a *round* share their opening or seed, between two players a pair, and are not independent either. The
//! covariance is therefore the *sandwich* `A⁻¹ B A⁻¹` (P. J. Huber 1967, "The behavior of maximum likelihood estimates
//! under nonstandard conditions"; H. White 1982, "Maximum likelihood estimation of misspecified models",
//! Econometrica 50), with `B` summed over rounds as clusters (K.-Y. Liang and S. L. Zeger 1986, "Longitudinal
//! data analysis using generalized linear models", Biometrika 73): it holds whatever the games of a round, and the
//! pairings of a game, do to each other.
//!
//! Leaves out time: a bot is one bot, and a new version is a new name.

mod design;
mod fit;
mod groups;
mod matrix;
mod results;
mod sandwich;
mod superiority;

use serde::Serialize;

pub use design::Design;
pub use fit::{Prior, fit};
pub use results::{PairResult, Results};
pub use superiority::superiority;

use matrix::Factor;

/// The rating that one bot is held at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// The bot's number.
    pub bot: usize,
    /// Its rating.
    pub rating: f64,
}

/// Ratings of all bots on the familiar scale: 400 more is ten points to one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// By the bots' numbers. The mean of a group is the anchor's rating, or 0 without one, except in the anchor's group. Of a
    /// bot that has not played nothing is known: it has that mean.
    pub ratings: Vec<f64>,
    /// How far each may be off with 95 % confidence, by the bots' numbers, against the anchor or the mean of its group.
    pub margins: Vec<f64>,
    /// The group of each, by the bots' numbers: 0 is the anchor's or else the largest. `None` of who has not played.
    pub groups: Vec<Option<usize>>,
    /// The chance that a game between equals is drawn.
    pub draws_between_equals: f64,
    /// The logarithms of the strengths: where the fit ended.
    #[serde(skip)]
    strengths: Vec<f64>,
    /// The information there.
    #[serde(skip)]
    information: Factor,
    /// The standard deviation of the difference between two bots' ratings, row by row.
    #[serde(skip)]
    deviations: Vec<f64>,
}

impl Ratings {
    /// The standard deviation of the difference between two bots' ratings.
    pub fn deviation(&self, first: usize, second: usize) -> f64 {
        self.deviations[first * self.ratings.len() + second]
    }

    /// The bots' numbers, group by group, the strongest first; last those that have not played.
    pub fn ranking(&self) -> Vec<usize> {
        let mut bots: Vec<usize> = (0..self.ratings.len()).collect();
        let group = |bot: usize| self.groups[bot].unwrap_or(usize::MAX);
        bots.sort_by(|&a, &b| {
            let by_rating = self.ratings[b].total_cmp(&self.ratings[a]);
            group(a).cmp(&group(b)).then(by_rating).then(a.cmp(&b))
        });
        bots
    }

    /// Whether games connect these two, so that their ratings can be compared.
    pub fn are_connected(&self, first: usize, second: usize) -> bool {
        self.groups[first].is_some() && self.groups[first] == self.groups[second]
    }
}

#[cfg(test)]
mod round_tests;
#[cfg(test)]
mod tests;
