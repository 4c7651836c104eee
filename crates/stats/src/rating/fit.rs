//! Fitting the model: Newton's method on the penalised likelihood, and the covariance of the fit: the sandwich estimator,
//! clustered by round.
//!
//! In the logarithms of the strengths the likelihood is concave, and Newton's method with halved steps finds its only
//! maximum.

use super::matrix::Matrix;
use super::results::{Meetings, Pairing};
use super::{Anchor, PairResult, Ratings, Results};
use crate::interval::quantile;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The prior: what is assumed before the first game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prior {
    /// The standard deviation of ratings.
    pub deviation: f64,
    /// The spread of a pairing's results, in squared points, that is assumed before any is seen. One pair of the
    /// largest variance, won or lost whole, is 1. Without it, a few equal results would look like certainty.
    /// [`score_interval`](crate::score_interval) does the same.
    pub spread: f64,
}

impl Prior {
    /// The prior of ladders: ratings within a few thousand.
    pub const WEAK: Prior = Prior {
        deviation: 1500.0,
        spread: 1.0,
    };

    /// Practically no prior: for results in which every bot has won and lost.
    #[cfg(test)]
    pub(crate) const NONE: Prior = Prior {
        deviation: 1e7,
        spread: 0.0,
    };
}

/// Elo for each unit of the logarithm of strength.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of `bots` bots from these results.
///
/// An anchor's rating is exact by definition, and the margins of the bots in its group are relative to it. The mean of
/// every other group is that rating, or 0 without an anchor.
pub fn fit(bots: usize, results: &Results, prior: &Prior, anchor: Option<Anchor>) -> Ratings {
    let model = Model::new(bots, results, prior);
    let at = model.maximum();
    let information = model.information(&at).factor();
    let covariance = information.sandwich(&model.filling(&at, prior.spread));
    rate(&at, &covariance, (results, prior), anchor)
}

#[derive(Clone, Copy, Debug)]
struct Model<'a> {
    bots: usize,
    results: &'a Results,
    precision: f64,
}

/// What the model expects of one game between two bots.
struct Expected {
    /// The first bot's points.
    points: f64,
    /// The variance of the points if every game is won or lost.
    variance: f64,
    /// The logarithms of the points of both.
    logarithms: [f64; 2],
}

/// Parameters are the logarithms of the strengths.
impl<'a> Model<'a> {
    fn new(bots: usize, results: &'a Results, prior: &Prior) -> Model<'a> {
        Model {
            bots,
            results,
            precision: (ELO / prior.deviation).powi(2),
        }
    }

    fn expected(&self, at: &[f64], (first, second): (usize, usize)) -> Expected {
        let difference = at[first] - at[second];
        // Also exact for points near 0 and 1, because nothing is subtracted from 1.
        let logarithms = [difference, -difference].map(|ahead| match ahead {
            0.0.. => -(-ahead).exp().ln_1p(),
            _ => ahead - ahead.exp().ln_1p(),
        });
        let [points, rest] = logarithms.map(f64::exp);
        Expected {
            points,
            variance: points * rest,
            logarithms,
        }
    }

    /// Each pairing with its results.
    fn pairings(&self) -> impl Iterator<Item = (Pairing, impl Iterator<Item = (PairResult, f64)>)> {
        let meetings = self.results.meetings.iter();
        meetings.map(|(&pairing, meetings)| (pairing, meetings.results()))
    }

    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let squares: f64 = at.iter().map(|strength| strength.powi(2)).sum();
        let prior = self.precision * squares / 2.0;
        let games: f64 = self
            .pairings()
            .map(|(pairing, results)| {
                let [ahead, behind] = self.expected(at, pairing).logarithms;
                let of = |(result, count): (PairResult, f64)| {
                    let points = result.points();
                    count * (points * ahead + (result.games() - points) * behind)
                };
                results.map(of).sum::<f64>()
            })
            .sum();
        games - prior
    }

    /// The first derivatives.
    fn slope(&self, at: &[f64]) -> Vec<f64> {
        let prior = at.iter().map(|strength| -self.precision * strength);
        let mut slope: Vec<f64> = prior.collect();
        for (pairing, results) in self.pairings() {
            let expected = self.expected(at, pairing);
            for (result, count) in results {
                let points = surprise(result, &expected);
                slope[pairing.0] += count * points;
                slope[pairing.1] -= count * points;
            }
        }
        slope
    }

    /// The second derivatives, negated.
    fn information(&self, at: &[f64]) -> Matrix {
        let mut information = Matrix::zero(at.len());
        for bot in 0..at.len() {
            information.add(bot, bot, self.precision);
        }
        for (pairing, results) in self.pairings() {
            let games = results.map(|(result, count)| count * result.games());
            let expected = self.expected(at, pairing);
            add_information(&mut information, pairing, &expected, games.sum());
        }
        information
    }

    /// The parameters of the largest likelihood. A step that leads down is halved.
    fn maximum(&self) -> Vec<f64> {
        const ROUNDS: usize = 200;
        /// The relative precision of a sum of this many logarithms. Near the maximum, a step gains less than that.
        const ROUNDING: f64 = 1e-12;
        let mut at = vec![0.0; self.bots];
        let mut likelihood = self.log_likelihood(&at);
        for _ in 0..ROUNDS {
            let slope = self.slope(&at);
            let step = self.information(&at).factor().solve(&slope);
            let gain: f64 = slope.iter().zip(&step).map(|(a, b)| a * b).sum();
            if gain < 1e-16 {
                break;
            }
            let mut length = 1.0;
            let moved = loop {
                let moved: Vec<f64> = at.iter().zip(&step).map(|(a, b)| a + length * b).collect();
                let there = self.log_likelihood(&moved);
                if there >= likelihood - ROUNDING * likelihood.abs() || length < 1e-6 {
                    likelihood = there;
                    break moved;
                }
                length /= 2.0;
            };
            at = moved;
        }
        at
    }

    /// The filling of the sandwich, at the best parameters.
    ///
    /// Each pairing adds a mean of what its rounds show and what the model expects. The rounds have the weight
    /// `E / (E + spread)`, where `E` are the squared points that the model expects of independent games. This is as if
    /// rounds with the squared points `spread` had been seen before. With many undecided rounds, the rounds decide; if
    /// all results are equal, the model does.
    ///
    /// The model ignores that the pairings of one game depend on each other. In games of `N` players whose orders are
    /// all equally likely, the points of one against all the others vary `(N + 1) / 3` times as much as in games
    /// between two, and so do their differences. The expectation includes this factor.
    fn filling(&self, at: &[f64], spread: f64) -> Matrix {
        let mut filling = Matrix::zero(at.len());
        if spread > 0.0 {
            for parameter in 0..at.len() {
                filling.add(parameter, parameter, self.precision);
            }
        }
        let mut fillings = BTreeMap::new();
        for (&pairing, meetings) in &self.results.meetings {
            let expected = self.expected(at, pairing);
            let games: f64 = meetings
                .results()
                .map(|(result, count)| result.games() * count)
                .sum();
            let squares = games * expected.variance;
            let shown = squares / (squares + spread);
            for (result, count) in meetings.results() {
                let score = score(pairing, result, &expected);
                filling.add_outer(shown * count, &score);
            }
            let together = (meetings.players as f64 + 1.0) / 3.0;
            let by_model = (1.0 - shown) * games * together;
            add_information(&mut filling, pairing, &expected, by_model);
            fillings.insert(pairing, (expected, shown.sqrt()));
        }
        // Each pairing of a round is already added; this adds what they have in common.
        for (round, &count) in &self.results.rounds {
            let scores: Vec<_> = round
                .iter()
                .map(|&(pairing, result)| {
                    let (expected, shown) = &fillings[&pairing];
                    let score = score(pairing, result, expected);
                    score.map(|(parameter, slope)| (parameter, shown * slope))
                })
                .collect();
            for (place, one) in scores.iter().enumerate() {
                for other in &scores[..place] {
                    filling.add_product(count as f64, one, other);
                    filling.add_product(count as f64, other, one);
                }
            }
        }
        filling
    }
}

/// The slope of a result's log likelihood, by parameters.
fn score(pairing: Pairing, result: PairResult, expected: &Expected) -> [(usize, f64); 2] {
    let points = surprise(result, expected);
    [(pairing.0, points), (pairing.1, -points)]
}

/// Adds the information of this many games between two bots, by the model.
fn add_information(to: &mut Matrix, (first, second): Pairing, expected: &Expected, games: f64) {
    to.add_outer(games * expected.variance, &[(first, 1.0), (second, -1.0)]);
}

impl Meetings {
    /// How often each result was seen.
    fn results(&self) -> impl Iterator<Item = (PairResult, f64)> {
        let counts = self.counts.iter();
        counts.map(|(&result, &count)| (result, count as f64))
    }
}

/// How much a round's points exceed the expected points.
fn surprise(result: PairResult, expected: &Expected) -> f64 {
    result.points() - result.games() * expected.points
}

/// Turns logarithms of strengths into ratings against the anchor or the mean of each group.
///
/// The spread of a bot's results is estimated from its rounds, so its margin uses Student's quantile. It is never wider
/// than before the bot's first game.
fn rate(
    at: &[f64],
    covariance: &Matrix,
    (results, prior): (&Results, &Prior),
    anchor: Option<Anchor>,
) -> Ratings {
    let bots = at.len();
    let groups = groups(bots, results, anchor);
    let level = anchor.map_or(0.0, |anchor| anchor.rating);
    let (mut ratings, mut margins) = (vec![level; bots], vec![0.0; bots]);
    for (bot, group) in groups.iter().enumerate() {
        if group.is_none() {
            margins[bot] = quantile(0) * prior.deviation;
        }
    }
    for group in 0..groups.iter().flatten().max().map_or(0, |last| last + 1) {
        let is_own = |bot: &usize| groups[*bot] == Some(group);
        let own: Vec<usize> = (0..bots).filter(is_own).collect();
        let anchor = anchor.filter(|anchor| is_own(&anchor.bot));
        // Ratings are relative to the mean with these weights.
        let weight = |bot: usize| match anchor {
            Some(anchor) => f64::from(u8::from(bot == anchor.bot)),
            None => 1.0 / own.len() as f64,
        };
        let base: f64 = own.iter().map(|&bot| weight(bot) * at[bot]).sum();
        // The covariance of a strength with the base, and the base's own.
        let with_base = |bot: usize| -> f64 {
            let others = own.iter();
            others
                .map(|&other| weight(other) * covariance.at(bot, other))
                .sum()
        };
        let of_base: f64 = own.iter().map(|&bot| weight(bot) * with_base(bot)).sum();
        let others: f64 = own.iter().map(|&bot| weight(bot).powi(2)).sum();
        for &bot in &own {
            let variance = covariance.at(bot, bot) - 2.0 * with_base(bot) + of_base;
            let before = prior.deviation * (1.0 - 2.0 * weight(bot) + others).sqrt();
            let now = quantile(results.rounds_of(bot)) * ELO * variance.max(0.0).sqrt();
            ratings[bot] = level + ELO * (at[bot] - base);
            margins[bot] = now.min(quantile(0) * before);
        }
    }
    let mut deviations = vec![0.0; bots * bots];
    for first in 0..bots {
        for second in 0..bots {
            let variance = covariance.at(first, first) + covariance.at(second, second)
                - 2.0 * covariance.at(first, second);
            deviations[first * bots + second] = ELO * variance.max(0.0).sqrt();
        }
    }
    Ratings {
        ratings,
        margins,
        groups,
        deviations,
    }
}

/// The group of each bot, by its number; `None` for a bot that has not played. Group 0 is the anchor's, if the anchor
/// has played. Then larger groups come before smaller ones, and equal groups are ordered by their lowest number.
fn groups(bots: usize, results: &Results, anchor: Option<Anchor>) -> Vec<Option<usize>> {
    // Each bot points towards the lowest number of its group.
    let mut towards: Vec<usize> = (0..bots).collect();
    let find = |towards: &[usize], mut bot: usize| {
        while towards[bot] != bot {
            bot = towards[bot];
        }
        bot
    };
    for &(one, other) in results.meetings.keys() {
        let [one, other] = [one, other].map(|bot| find(&towards, bot));
        towards[one.max(other)] = one.min(other);
    }
    let lowest: Vec<usize> = (0..bots).map(|bot| find(&towards, bot)).collect();
    let size = |group: usize| lowest.iter().filter(|own| **own == group).count();
    let mut order: Vec<usize> = (0..bots).filter(|bot| lowest[*bot] == *bot).collect();
    order.retain(|group| size(*group) > 1);
    let anchored = anchor.map(|anchor| lowest[anchor.bot]);
    order.sort_by_key(|&group| (anchored != Some(group), Reverse(size(group)), group));
    let place = |group: &usize| order.iter().position(|known| known == group);
    lowest.iter().map(place).collect()
}
