//! Which pair of games would tell most about the ratings.
//!
//! A step of optimal design (after M. E. Glickman and S. T. Jensen 2005, "Adaptive paired comparison design", Journal of
//! Statistical Planning and Inference 127) by the fitted model: each pair adds its information on the difference of the two
//! strengths, and is worth what it takes from the sum of the ratings' variances (*A-optimality*).
//!
//! Ratings of few games lie farther apart than the strengths do, and whoever pairs by them keeps equals from each
//! other. They are drawn together first, to nothing where their spread is no more than chance explains (W. James and
//! C. Stein 1961, "Estimation with quadratic loss", Proceedings of the Fourth Berkeley Symposium 1).

use super::Results;
use super::fit::{Model, Prior, add_information};

/// What is known before the next pair.
#[derive(Clone, Debug)]
pub struct Design<'a> {
    model: Model<'a>,
    /// The parameters, strengths drawn together.
    at: Vec<f64>,
    /// Their covariance by the model, column by column.
    covariance: Vec<Vec<f64>>,
}

/// How many times the spread that chance explains is taken from the ratings' own.
const CAUTION: f64 = 2.0;

/// The games of a pair.
const GAMES: f64 = 2.0;

impl<'a> Design<'a> {
    /// What these results tell of `bots` bots, and what the pairs under way will.
    pub fn new(
        bots: usize,
        results: &'a Results,
        under_way: impl Fn(usize, usize) -> u64,
    ) -> Design<'a> {
        let model = Model::new(bots, results, &Prior::WEAK);
        let mut at = model.maximum();
        let covariance = model.information(&at).inverse();
        let chance: f64 = (0..bots)
            .map(|bot| about_mean(&covariance[bot], bots)[bot])
            .sum();
        let strengths = about_mean(&at, bots);
        let seen: f64 = strengths.iter().map(|strength| strength.powi(2)).sum();
        let share = if seen > 0.0 {
            (1.0 - CAUTION * chance / seen).max(0.0)
        } else {
            0.0
        };
        for (parameter, strength) in at.iter_mut().zip(&strengths) {
            *parameter = share * strength;
        }
        let mut information = model.information(&at);
        for one in 0..bots {
            for other in one + 1..bots {
                let games = GAMES * under_way(one, other) as f64;
                let expected = model.expected(&at, (one, other));
                add_information(&mut information, (one, other), &expected, games);
            }
        }
        let covariance = information.inverse();
        Design {
            model,
            at,
            covariance,
        }
    }

    /// By how much a pair between these two lessens the sum of the ratings' variances, in squared logarithms of
    /// strength.
    ///
    /// With `w` the direction it tells of, the difference of the strengths, and `v` its information on that, the
    /// covariance `C` falls by `v C w wᵀ C / (1 + v wᵀ C w)` (J. Sherman and W. J. Morrison 1950, "Adjustment of an
    /// inverse matrix", Annals of Mathematical Statistics 21).
    pub fn gain(&self, one: usize, other: usize) -> f64 {
        let (bots, columns) = (self.model.bots, &self.covariance);
        let difference: Vec<f64> = columns[one]
            .iter()
            .zip(&columns[other])
            .map(|(a, b)| a - b)
            .collect();
        let information = GAMES * self.model.expected(&self.at, (one, other)).variance;
        let variance = difference[one] - difference[other];
        let squares = about_mean(&difference, bots).into_iter();
        let squares: f64 = squares.map(|part| part.powi(2)).sum();
        information * squares / (1.0 + information * variance)
    }
}

/// A vector of the bots' parameters, less its mean.
fn about_mean(parameters: &[f64], bots: usize) -> Vec<f64> {
    let strengths = &parameters[..bots];
    let mean = strengths.iter().sum::<f64>() / bots as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}
