//! Chooses the pair of games that would say most about the ratings.
//!
//! A step of optimal design (after M. E. Glickman and S. T. Jensen 2005, "Adaptive paired comparison design", Journal
//! of Statistical Planning and Inference 127) by the fitted model: each pair adds its information on the difference of
//! the two strengths, and its value is how much it reduces the sum of the ratings' variances (*A-optimality*).
//!
//! Ratings from few games are farther apart than the strengths, so pairing by them would keep equal bots apart. They
//! are shrunk first, to nothing if chance alone explains their spread (W. James and C. Stein 1961, "Estimation with
//! quadratic loss", Proceedings of the Fourth Berkeley Symposium 1).

use super::Results;
use super::fit::{Model, Prior, add_information};

/// What is known before the next pair.
#[derive(Clone, Debug)]
pub struct Design<'a> {
    model: Model<'a>,
    /// The parameters, with the strengths shrunk.
    at: Vec<f64>,
    /// Their covariance by the model, column by column.
    covariance: Vec<Vec<f64>>,
}

/// How many times the spread that chance explains is subtracted from the ratings' spread.
const CAUTION: f64 = 2.0;

/// The games of a pair.
const GAMES: f64 = 2.0;

impl<'a> Design<'a> {
    /// What these results say about `bots` bots, and what the pairs under way will say.
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

    /// How much a pair between these two reduces the sum of the ratings' variances, in squared logarithms of strength.
    ///
    /// Let `w` be the direction of the difference of the strengths, and `v` the pair's information about it. The
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

/// A vector of the bots' parameters, minus its mean.
fn about_mean(parameters: &[f64], bots: usize) -> Vec<f64> {
    let strengths = &parameters[..bots];
    let mean = strengths.iter().sum::<f64>() / bots as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::super::PairResult;
    use super::super::matrix::Matrix;
    use super::*;

    fn results(rounds: &[(usize, usize, [u8; 2], u64)]) -> Results {
        let mut results = Results::default();
        for &(first, second, half_points, times) in rounds {
            let result = PairResult::from_half_points(half_points);
            (0..times).for_each(|_| results.add(first, second, result));
        }
        results
    }

    /// Three bots, each of which has clearly beaten the next.
    fn three() -> Results {
        results(&[
            (0, 1, [2, 2], 12),
            (0, 1, [0, 1], 5),
            (1, 2, [2, 1], 9),
            (1, 2, [0, 0], 2),
            (0, 2, [2, 2], 3),
            (0, 2, [0, 0], 1),
        ])
    }

    /// The sum of the variances of the strengths, each against the mean of all.
    fn variances(information: &Matrix, bots: usize) -> f64 {
        let covariance = information.inverse();
        let own: f64 = (0..bots).map(|bot| covariance[bot][bot]).sum();
        let all: f64 = covariance[..bots]
            .iter()
            .flat_map(|column| &column[..bots])
            .sum();
        own - all / bots as f64
    }

    fn assert_near(found: f64, expected: f64) {
        assert!(
            (found / expected - 1.0).abs() < 1e-9,
            "{found}, expected {expected}"
        );
    }

    #[test]
    fn a_pair_is_worth_what_its_two_games_take_from_the_ratings_variances() {
        let results = three();
        let design = Design::new(3, &results, |_, _| 0);
        let information = design.model.information(&design.at);
        let before = variances(&information, 3);
        for (one, other) in [(0, 1), (1, 2), (0, 2)] {
            let mut after = information.clone();
            let expected = design.model.expected(&design.at, (one, other));
            add_information(&mut after, (one, other), &expected, 2.0);
            assert_near(design.gain(one, other), before - variances(&after, 3));
            assert_near(design.gain(other, one), design.gain(one, other));
        }
    }

    #[test]
    fn pairs_under_way_count_as_what_they_will_tell() {
        let results = three();
        let none = Design::new(3, &results, |_, _| 0);
        let some = Design::new(3, &results, |one, other| {
            assert!(one < other);
            3 * u64::from((one, other) == (1, 2))
        });
        let mut information = none.model.information(&none.at);
        let expected = none.model.expected(&none.at, (1, 2));
        add_information(&mut information, (1, 2), &expected, 6.0);
        for (found, expected) in some.covariance.iter().zip(information.inverse()) {
            found
                .iter()
                .zip(expected)
                .for_each(|(&found, expected)| assert_near(found, expected));
        }
        assert!(some.gain(1, 2) < none.gain(1, 2) && some.at == none.at);
    }

    #[test]
    fn strengths_are_drawn_together_by_what_chance_explains_of_their_spread() {
        let few = results(&[(0, 1, [2, 1], 2), (1, 2, [1, 1], 2)]);
        let together = Design::new(3, &few, |_, _| 0);
        assert!(together.at[..3].iter().all(|&strength| strength == 0.0));

        let many = three();
        let design = Design::new(3, &many, |_, _| 0);
        let maximum = design.model.maximum();
        let mean = maximum[..3].iter().sum::<f64>() / 3.0;
        let strengths: Vec<f64> = maximum[..3]
            .iter()
            .map(|strength| strength - mean)
            .collect();
        let seen: f64 = strengths.iter().map(|strength| strength * strength).sum();
        let chance = variances(&design.model.information(&maximum), 3);
        let share = 1.0 - 2.0 * chance / seen;
        assert!(share > 0.2 && share < 0.9, "{share}");
        for (found, strength) in design.at.iter().zip(strengths) {
            assert_near(*found, share * strength);
        }
    }
}
