//! The sequential test: is one bot better than another, decided as soon as the games allow.
//!
//! A sequential probability ratio test (A. Wald 1945, "Sequential tests of statistical hypotheses", Annals of
//! Mathematical Statistics 16) of two hypotheses about how much better the first bot is, on *pairs* of games: a pair's
//! five results (*pentanomial*) include the effect of the shared opening. With more than two players, the two bots play
//! together with others. In each game, one has more points than the other, or both have the same. A round of `N` games
//! has `2N + 1` results, and takes the place of a pair. The likelihoods are the exact generalised ones of
//! [`likelihood`].
//!
//! Pairs are counted in the order of their numbers, not in the order in which they end: see [`OrderedSprt`]. How the
//! games are played, and what follows from a verdict, is up to the callers.

pub mod likelihood;
mod order;

use clap::{Args, ValueEnum};
use likelihood::{shares, with_mean, with_t_value};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;
use std::iter::zip;

pub use order::{OrderedSprt, SprtPair};

/// The heading under which help lists the options of a test.
pub const HEADING: &str = "Test";

/// What the test asks, and how sure it wants to be; its fields are flags of `crownhead sprt`.
#[derive(Clone, Copy, PartialEq, Debug, Args, Serialize)]
pub struct Sprt {
    /// Elo difference of "not better" (H0)
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = Sprt::default().elo0,
        allow_negative_numbers = true,
        help_heading = HEADING
    )]
    pub elo0: f64,
    /// Elo difference of "better" (H1)
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = Sprt::default().elo1,
        allow_negative_numbers = true,
        help_heading = HEADING
    )]
    pub elo1: f64,
    /// What Elo means
    #[arg(
        long,
        value_name = "NAME",
        default_value = "normalised",
        help_heading = HEADING,
        hide_short_help = true
    )]
    pub scale: Scale,
    /// Chance of accepting a bot that is not better
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = Sprt::default().alpha,
        help_heading = HEADING,
        hide_short_help = true,
        value_parser = parse_error_rate
    )]
    pub alpha: f64,
    /// Chance of rejecting a bot that is better
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = Sprt::default().beta,
        help_heading = HEADING,
        hide_short_help = true,
        value_parser = parse_error_rate
    )]
    pub beta: f64,
    // The likelihoods are those of many pairs.
    /// Pairs (2 games each) to play before any verdict
    #[arg(
        long,
        value_name = "N",
        default_value_t = Sprt::default().min_pairs,
        help_heading = HEADING,
        hide_short_help = true
    )]
    pub min_pairs: u64,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt {
            elo0: 0.0,
            elo1: 10.0,
            scale: Scale::Normalised,
            alpha: 0.05,
            beta: 0.05,
            min_pairs: 16,
        }
    }
}

fn parse_error_rate(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (1e-6..=0.4999).contains(share));
    share.ok_or_else(|| "expected a share between 0 and 0.5, such as 0.05".into())
}

/// The meaning of a difference in Elo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    // Van den Bergh, "Normalized Elo": it decides how many games a test takes, whatever the share of draws.
    /// Normalised: the score above one half, in standard deviations of a game's score, times 800 / ln 10
    Normalised,
    /// Logistic, as ratings have it: a score of `1 / (1 + 10^(-elo / 400))`
    Logistic,
}

/// How often each result of a pair occurred, from both games lost to both games won. With three players or more: each
/// result of a round, from all games lost to all won.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct PairCounts(Vec<u64>);

/// How a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// `elo1` is accepted.
    Better,
    /// `elo0` is accepted.
    NotBetter,
    /// Neither yet.
    Undecided,
}

impl PairCounts {
    /// No pairs yet, for games of this many players.
    pub fn new(players: usize) -> PairCounts {
        PairCounts(vec![0; 2 * players + 1])
    }

    /// Counts a pair by its points in half points: 0 for two losses, 4 for two wins.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// How many players a game has, and how many games a pair or round has.
    pub fn players(&self) -> usize {
        self.0.len() / 2
    }

    /// How often each result occurred, by its half points.
    pub fn by_half_points(&self) -> &[u64] {
        &self.0
    }

    /// How many pairs were counted.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// How many of them one of the bots won.
    pub fn decided(&self) -> u64 {
        self.pairs() - self.0[self.players()]
    }

    /// The mean share of the points; `None` before the first pair.
    pub fn score(&self) -> Option<f64> {
        let shares = shares(self.0.len());
        let points: f64 = zip(&self.0, shares).map(|(&n, x)| n as f64 * x).sum();
        (self.pairs() > 0).then(|| points / self.pairs() as f64)
    }
}

/// Elo on the normalised scale for each standard deviation of a game's score.
pub(super) const ELO_OF_DEVIATION: f64 = 800.0 / LN_10;

/// The count, in pairs, of a result that never occurred. Without it, a hypothesis that needs this result would have no
/// likelihood. It is too small to influence the verdict.
const NEVER_SEEN: f64 = 1e-3;

impl Sprt {
    /// The bounds of the log likelihood ratio, for *not better* and for *better* (Wald 1945).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The logarithm of how much likelier the counts are under `elo1` than under `elo0`; 0 before the first
    /// pair, and finite for every table.
    pub fn log_likelihood_ratio(&self, counts: &PairCounts) -> f64 {
        let steps = self.steps(counts);
        // The sum of nothing is -0.
        0.0 + steps
            .iter()
            .map(|(weight, step)| weight * step)
            .sum::<f64>()
    }

    /// For each result, how often it occurred and how much it moves the log-likelihood ratio; empty before the first
    /// pair.
    fn steps(&self, counts: &PairCounts) -> Vec<(f64, f64)> {
        if counts.pairs() == 0 {
            return Vec::new();
        }
        let weights = counts.0.iter().map(|&count| (count as f64).max(NEVER_SEEN));
        let weights: Vec<f64> = weights.collect();
        let total: f64 = weights.iter().sum();
        let seen: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let likeliest = |elo: f64| match self.scale {
            Scale::Normalised => {
                // The mean of `N` games has the deviation of one divided by the root of `N`.
                let games = counts.players() as f64;
                with_t_value(&seen, elo / ELO_OF_DEVIATION * games.sqrt())
            }
            Scale::Logistic => with_mean(&seen, 1.0 / (1.0 + 10_f64.powf(-elo / 400.0))),
        };
        let (under0, under1) = (likeliest(self.elo0), likeliest(self.elo1));
        zip(weights, zip(under0, under1))
            .map(|(weight, (p0, p1))| (weight, (p1 / p0).ln()))
            .collect()
    }

    /// The verdict that the counts allow.
    pub fn verdict(&self, counts: &PairCounts) -> SprtVerdict {
        if counts.pairs() < self.min_pairs {
            return SprtVerdict::Undecided;
        }
        let (lower, upper) = self.bounds();
        let ratio = self.log_likelihood_ratio(counts);
        if ratio >= upper {
            SprtVerdict::Better
        } else if ratio <= lower {
            SprtVerdict::NotBetter
        } else {
            SprtVerdict::Undecided
        }
    }
}

#[cfg(test)]
mod tests;
