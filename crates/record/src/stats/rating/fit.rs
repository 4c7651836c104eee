//! Fitting the model: Newton's method on the penalised likelihood.
//!
//! In the logarithms of the strengths and of `ν` the model is log-linear, so the likelihood is concave and
//! Newton's method with halved steps finds its only maximum.

use super::matrix::Matrix;
use super::results::{Meetings, Pairing};
use super::{Anchor, PairResult, Ratings, Results};
use crate::stats::interval::quantile;
use statrs::distribution::{ContinuousCDF, Normal};

/// What is believed before the first game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prior {
    /// The standard deviation of ratings.
    pub deviation: f64,
    /// The standard deviation of the logarithm of the inclination to draw.
    pub draws_deviation: f64,
    /// How much spread of a pairing's results, in squared points, is believed in before it is seen: the one
    /// pair of the largest variance, won or lost whole, is 1. Without it a few equal results would look like
    /// certainty. See [`score_interval`](crate::stats::score_interval), which does the same.
    pub spread: f64,
}

impl Prior {
    /// The prior of ladders: ratings within a few thousand, anything from no draws to nothing but draws.
    pub const WEAK: Prior = Prior {
        deviation: 1500.0,
        draws_deviation: 4.0,
        spread: 1.0,
    };

    /// As good as none: for results in which everybody has won and lost.
    #[cfg(test)]
    pub(crate) const NONE: Prior = Prior {
        deviation: 1e7,
        draws_deviation: 1e5,
        spread: 0.0,
    };
}

/// Elo for each unit of the logarithm of strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of `bots` bots from these results.
///
/// With an anchor, its rating is exact by definition and the others' margins are against it; without one the
/// mean is 0.
pub fn fit(bots: usize, results: &Results, prior: &Prior, anchor: Option<Anchor>) -> Ratings {
    let model = Model::new(bots, results, prior);
    let at = model.maximum();
    let covariance = model.covariance(&at, prior.spread);
    rate(bots, &at, &covariance, results, anchor)
}

/// The likelihood that `first` is stronger than `second`, given the games: by the signed root of the ratio of the best
/// likelihood to the best with both of one strength, which knows better than the curvature at its maximum what a bot
/// that has won everything is worth. The ratio is scaled to what the pairs' spread shows (R. E. Chandler and
/// S. Bate 2007, "Inference for clustered data using the independence loglikelihood", Biometrika 94).
pub fn superiority(
    results: &Results,
    prior: &Prior,
    ratings: &Ratings,
    (first, second): (usize, usize),
) -> f64 {
    if first == second {
        return 0.5;
    }
    let bots = ratings.ratings.len();
    let free = Model::new(bots, results, prior);
    let tied = Model {
        tied: Some((first, second)),
        ..free
    };
    let at = &ratings.strengths;
    let mut between = at.clone();
    between[first] = f64::midpoint(at[first], at[second]);
    between[second] = between[first];
    let at_tied = tied.maximum_from(between);
    let ratio = 2.0 * (free.log_likelihood(at) - free.log_likelihood(&at_tied)).max(0.0);
    let (_, information) = free.derivatives(at);
    let mut between = vec![0.0; bots + 1];
    (between[first], between[second]) = (1.0, -1.0);
    let solved = information.factor().solve(&between);
    let by_model = solved[first] - solved[second];
    let shown = (ratings.deviation(first, second) / ELO).powi(2);
    let difference = at[first] - at[second];
    Normal::standard().cdf(difference.signum() * (ratio * by_model / shown).sqrt())
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Model<'a> {
    pub(super) bots: usize,
    pub(super) results: &'a Results,
    strength_precision: f64,
    draws_precision: f64,
    /// Two bots that are held at one strength.
    tied: Option<(usize, usize)>,
}

/// How firmly two tied strengths are held together: their difference is a billionth of what the games pull.
const TIE: f64 = 1e9;

/// What the model expects of one game between two bots.
pub(super) struct Expected {
    /// Points, in games.
    points: f64,
    draw: f64,
    /// The covariance of a game's points and its being drawn: points, both, draw.
    pub(super) variance: [f64; 3],
    /// The logarithms of the chances of a win, a draw and a loss.
    logarithms: [f64; 3],
}

/// Parameters are the logarithms of the strengths, then that of the inclination to draw.
impl<'a> Model<'a> {
    pub(super) fn new(bots: usize, results: &'a Results, prior: &Prior) -> Model<'a> {
        Model {
            bots,
            results,
            strength_precision: (ELO / prior.deviation).powi(2),
            draws_precision: prior.draws_deviation.powi(-2),
            tied: None,
        }
    }

    pub(super) fn expected(&self, at: &[f64], (first, second): (usize, usize)) -> Expected {
        let half = (at[first] - at[second]) / 2.0;
        let worth = [half, at[self.bots], -half];
        let largest = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = worth.iter().map(|worth| (worth - largest).exp()).sum();
        let logarithms = worth.map(|worth| worth - largest - sum.ln());
        let [win, draw, loss] = logarithms.map(f64::exp);
        Expected {
            points: win + draw / 2.0,
            draw,
            // Exact for chances near 0 and 1 too: nothing is taken from 1.
            variance: [
                win * loss + draw * (win + loss) / 4.0,
                draw * (loss - win) / 2.0,
                draw * (win + loss),
            ],
            logarithms,
        }
    }

    /// Each pairing with its results.
    fn pairings(&self) -> impl Iterator<Item = (Pairing, impl Iterator<Item = (PairResult, f64)>)> {
        let meetings = self.results.meetings.iter();
        meetings.map(|(&pairing, meetings)| (pairing, meetings.results()))
    }

    pub(super) fn precision(&self, parameter: usize) -> f64 {
        if parameter < self.bots {
            self.strength_precision
        } else {
            self.draws_precision
        }
    }

    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let prior: f64 = (0..at.len())
            .map(|parameter| self.precision(parameter) * at[parameter].powi(2) / 2.0)
            .sum();
        let games: f64 = self
            .pairings()
            .map(|(pairing, results)| {
                let [win, draw, loss] = self.expected(at, pairing).logarithms;
                let of = |(result, count): (PairResult, f64)| {
                    count
                        * (f64::from(result.wins) * win
                            + f64::from(result.draws) * draw
                            + f64::from(result.losses) * loss)
                };
                results.map(of).sum::<f64>()
            })
            .sum();
        let tie = self.tied.map_or(0.0, |(one, other)| {
            TIE * (at[one] - at[other]).powi(2) / 2.0
        });
        games - prior - tie
    }

    /// The first derivatives, and the second ones negated.
    pub(super) fn derivatives(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let mut slope: Vec<f64> = (0..at.len())
            .map(|parameter| -self.precision(parameter) * at[parameter])
            .collect();
        let mut information = Matrix::zero(at.len());
        for parameter in 0..at.len() {
            information.add(parameter, parameter, self.precision(parameter));
        }
        for (pairing, results) in self.pairings() {
            let expected = self.expected(at, pairing);
            let mut games = 0.0;
            for (result, count) in results {
                let [points, draws] = surprise(result, &expected);
                slope[pairing.0] += count * points;
                slope[pairing.1] -= count * points;
                slope[self.bots] += count * draws;
                games += count * result.games();
            }
            self.add_information(&mut information, pairing, &expected, games);
        }
        if let Some((one, other)) = self.tied {
            let pull = TIE * (at[one] - at[other]);
            slope[one] -= pull;
            slope[other] += pull;
            information.add_outer(TIE, &[(one, 1.0), (other, -1.0)]);
        }
        (slope, information)
    }

    /// Adds what so many games between two bots tell, by the model.
    pub(super) fn add_information(
        &self,
        to: &mut Matrix,
        pairing: (usize, usize),
        expected: &Expected,
        games: f64,
    ) {
        let [points, both, draw] = expected.variance.map(|variance| variance * games);
        let (first, second) = pairing;
        to.add_outer(points, &[(first, 1.0), (second, -1.0)]);
        for (row, sign) in [(first, 1.0), (second, -1.0)] {
            to.add(row, self.bots, sign * both);
            to.add(self.bots, row, sign * both);
        }
        to.add(self.bots, self.bots, draw);
    }

    pub(super) fn maximum(&self) -> Vec<f64> {
        self.maximum_from(vec![0.0; self.bots + 1])
    }

    fn maximum_from(&self, mut at: Vec<f64>) -> Vec<f64> {
        const ROUNDS: usize = 200;
        let mut likelihood = self.log_likelihood(&at);
        for _ in 0..ROUNDS {
            let (slope, information) = self.derivatives(&at);
            let step = information.factor().solve(&slope);
            let gain: f64 = slope.iter().zip(&step).map(|(a, b)| a * b).sum();
            if gain < 1e-16 {
                break;
            }
            let mut length = 1.0;
            let moved = loop {
                let moved: Vec<f64> = at.iter().zip(&step).map(|(a, b)| a + length * b).collect();
                let there = self.log_likelihood(&moved);
                if there >= likelihood || length < 1e-6 {
                    likelihood = there;
                    break moved;
                }
                length /= 2.0;
            };
            at = moved;
        }
        at
    }
}

impl Meetings {
    /// How often each result was seen.
    pub(super) fn results(&self) -> impl Iterator<Item = (PairResult, f64)> {
        let counts = self.counts.iter();
        counts.map(|(&result, &count)| (result, count as f64))
    }
}

/// By how much a round's points and draws exceed what was expected.
pub(super) fn surprise(result: PairResult, expected: &Expected) -> [f64; 2] {
    let games = result.games();
    [
        f64::from(result.half_points()) / 2.0 - games * expected.points,
        f64::from(result.draws) - games * expected.draw,
    ]
}

/// Turns logarithms of strengths into ratings against the anchor or the mean.
///
/// The spread of a bot's results is estimated from its rounds, so its margin has Student's quantile.
fn rate(
    bots: usize,
    at: &[f64],
    covariance: &Matrix,
    results: &Results,
    anchor: Option<Anchor>,
) -> Ratings {
    // Ratings are against what has these weights.
    let weights: Vec<f64> = match anchor {
        Some(anchor) => (0..bots)
            .map(|bot| f64::from(u8::from(bot == anchor.bot)))
            .collect(),
        None => vec![1.0 / bots as f64; bots],
    };
    let base: f64 = weights
        .iter()
        .zip(at)
        .map(|(weight, strength)| weight * strength)
        .sum();
    let level = anchor.map_or(0.0, |anchor| anchor.rating);
    let ratings = (0..bots)
        .map(|bot| level + ELO * (at[bot] - base))
        .collect();

    // The covariance of each strength with the base, and the base's own.
    let with_base: Vec<f64> = (0..bots)
        .map(|bot| {
            (0..bots)
                .map(|other| weights[other] * covariance.at(bot, other))
                .sum()
        })
        .collect();
    let of_base: f64 = weights.iter().zip(&with_base).map(|(a, b)| a * b).sum();
    let margins = (0..bots)
        .map(|bot| {
            let variance = covariance.at(bot, bot) - 2.0 * with_base[bot] + of_base;
            // Of a bot without a round the prior alone speaks.
            quantile(results.rounds_of(bot)) * ELO * variance.max(0.0).sqrt()
        })
        .collect();
    let mut deviations = vec![0.0; bots * bots];
    for first in 0..bots {
        for second in 0..bots {
            let variance = covariance.at(first, first) + covariance.at(second, second)
                - 2.0 * covariance.at(first, second);
            deviations[first * bots + second] = ELO * variance.max(0.0).sqrt();
        }
    }
    let inclination = at[bots].exp();
    Ratings {
        ratings,
        margins,
        draws_between_equals: inclination / (2.0 + inclination),
        strengths: at.to_vec(),
        deviations,
    }
}
