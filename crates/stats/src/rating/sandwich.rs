//! The covariance of a fit: the sandwich estimator, clustered by round.

use super::PairResult;
use super::fit::{Expected, Model, add_information, surprise};
use super::matrix::Matrix;
use super::results::Pairing;
use std::collections::BTreeMap;

impl Model<'_> {
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
    pub(super) fn filling(&self, at: &[f64], spread: f64) -> Matrix {
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
            let shown = if spread > 0.0 {
                squares / (squares + spread)
            } else {
                1.0
            };
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
