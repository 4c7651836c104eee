//! Ratings from all games at once, with honest intervals.
//!
//! The model is that of R. A. Bradley and M. E. Terry (1952, "Rank analysis of incomplete block designs",
//! Biometrika 39) for points, of which a draw is half: a bot that is ahead by `d` is expected to score
//!
//! ```text
//! 1 / (1 + 10^(-d / 400))
//! ```
//!
//! which is what `match` and `sprt` mean by Elo. Draws count only as part of the score. All strengths are fitted
//! together, with half points as fractional successes (L. E. Papke and J. M. Wooldridge 1996, "Econometric methods for
//! fractional response variables", Journal of Applied Econometrics 11), by maximum likelihood with a weak prior. The
//! order of the games cannot matter. (R. R. Davidson's model, 1970, "On extending the Bradley-Terry model to accommodate ties",
//! Journal of the American Statistical Association 65, compares only wins and losses. If nearly all games are drawn,
//! its 400 points are another measure, and only a tenth of it in score.) The prior is normal and so wide that a few
//! dozen games outweigh it. It keeps everything finite if a bot has won or lost every game.
//!
//! Only games compare bots. Bots that are connected by games, directly or through others, form a *group*. Ratings are
//! relative to the mean of the group, or to the anchor in the anchor's group. The prior's opinion of bots that have not
//! met, or not played, moves no rating and widens no margin.
//!
//! A game of three players or more is a result between every two of them: the one with more points has won. Plackett
//! and Luce's model of whole orders (R. D. Luce 1959, "Individual Choice Behavior"; R. L. Plackett 1975, "The analysis
//! of permutations", Applied Statistics 24) knows no ties, which are frequent in such games, and agrees with Bradley
//! and Terry's about every two players. So the pairings of a game are multiplied as if they were independent, which
//! keeps one model, one meaning of a rating and one fit for any number of players (a *composite* likelihood: C. Varin,
//! N. Reid and D. Firth 2011, "An overview of composite likelihood methods", Statistica Sinica 21). The covariance
//! accounts for their dependence.
//!
//! Games of a *round* (with two players, a pair) share their opening or seed, and are not independent either. The
//! covariance is therefore the *sandwich* `A⁻¹ B A⁻¹` (P. J. Huber 1967, "The behavior of maximum likelihood estimates
//! under nonstandard conditions"; H. White 1982, "Maximum likelihood estimation of misspecified models", Econometrica
//! 50), with `B` summed over rounds as clusters (K.-Y. Liang and S. L. Zeger 1986, "Longitudinal data analysis using
//! generalized linear models", Biometrika 73): it holds however the games of a round, and the pairings of a game,
//! depend on each other.
//!
//! Leaves out time: a bot is one bot, and a new version is a new name.

mod fit;
mod matrix;
mod results;

use serde::Serialize;

pub use fit::{Prior, fit};
pub use results::{PairResult, Results};

use crate::interval::student;
use fit::ELO;

/// The bot whose rating is fixed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// The bot's number.
    pub bot: usize,
    /// Its rating.
    pub rating: f64,
}

/// Ratings of all bots on the Elo scale: 400 more means ten points to one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// By the bots' numbers. The mean of a group is the anchor's rating, or 0 without an anchor, except in the anchor's
    /// group. A bot that has not played has that mean.
    pub ratings: Vec<f64>,
    /// The 95 % margin of each, by the bots' numbers, relative to the anchor or the mean of its group.
    pub margins: Vec<f64>,
    /// The group of each, by the bots' numbers: 0 is the anchor's or else the largest. `None` for a bot that has not
    /// played.
    pub groups: Vec<Option<usize>>,
    /// The standard deviation of the difference between two bots' ratings, row by row.
    #[serde(skip)]
    deviations: Vec<f64>,
}

impl Ratings {
    /// The standard deviation of the difference between two bots' ratings.
    pub fn deviation(&self, first: usize, second: usize) -> f64 {
        self.deviations[first * self.ratings.len() + second]
    }

    /// The probability that `first` is stronger than `second`, given these results.
    ///
    /// It comes from the difference of their strengths in its standard deviations. That deviation is large where a bot
    /// has won nearly everything, although such results leave no doubt. So the difference `d` counts as `2 sinh(d / 2)`,
    /// which gives two bots the deviation that they would have as equals (C. R. Rao's score test). The deviation is
    /// estimated, so the statistic has Student's distribution. Its degrees of freedom are one less than the rounds of
    /// the bot with fewer.
    pub fn superiority(&self, results: &Results, (first, second): (usize, usize)) -> f64 {
        if first == second {
            return 0.5;
        }
        let rounds = results.rounds_of(first).min(results.rounds_of(second));
        let ahead = (self.ratings[first] - self.ratings[second]) / ELO;
        let deviation = self.deviation(first, second) / ELO;
        let degrees = rounds.saturating_sub(1).max(1);
        student(degrees, 2.0 * (ahead / 2.0).sinh() / deviation)
    }

    /// How much one more pair of games between these two reduces the variance of the difference of their strengths by
    /// the model, after the pairs under way between them.
    ///
    /// Ratings from few games are farther apart than the strengths, so pairing by them would keep equal bots apart. The
    /// difference is shrunk first, to nothing if chance alone explains it (W. James and C. Stein 1961, "Estimation with
    /// quadratic loss", Proceedings of the Fourth Berkeley Symposium 1).
    pub fn gain(&self, (first, second): (usize, usize), under_way: u64) -> f64 {
        /// How many times the spread that chance explains is subtracted.
        const CAUTION: f64 = 2.0;
        /// The games of a pair.
        const GAMES: f64 = 2.0;
        let ahead = (self.ratings[first] - self.ratings[second]) / ELO;
        let variance = (self.deviation(first, second) / ELO).powi(2);
        let share = (1.0 - CAUTION * variance / ahead.powi(2)).max(0.0);
        // The variance of a game's points.
        let of_game = |ahead: f64| 1.0 / (2.0 + 2.0 * ahead.cosh());
        let at_shrunk = of_game(share * ahead);
        // Of a bot that wins nearly everything little is known, and more of its games say hardly anything.
        let variance = variance * of_game(ahead) / at_shrunk;
        let information = GAMES * at_shrunk;
        let after = |variance: f64, pairs: f64| variance / (1.0 + pairs * information * variance);
        let before = after(variance, under_way as f64);
        before - after(before, 1.0)
    }

    /// The bots' numbers, group by group, the strongest first. Bots that have not played come last.
    pub fn ranking(&self) -> Vec<usize> {
        let mut bots: Vec<usize> = (0..self.ratings.len()).collect();
        let group = |bot: usize| self.groups[bot].unwrap_or(usize::MAX);
        bots.sort_by(|&a, &b| {
            let by_rating = self.ratings[b].total_cmp(&self.ratings[a]);
            group(a).cmp(&group(b)).then(by_rating).then(a.cmp(&b))
        });
        bots
    }

    /// Whether these two are in one group, so that their ratings can be compared.
    pub fn are_connected(&self, first: usize, second: usize) -> bool {
        self.groups[first].is_some() && self.groups[first] == self.groups[second]
    }
}

#[cfg(test)]
mod tests;
