//! The probability that one bot is stronger than another.

use super::fit::{ELO, Model, Prior};
use super::{Ratings, Results};
use crate::interval::student;

/// After this many steps the information is computed again, which takes far longer than a step.
const RENEWAL: usize = 8;

/// The probability that `first` is stronger than `second`, given the games. It comes from the signed root of the
/// likelihood ratio: the best likelihood against the best with both at one strength. For a bot that has won everything,
/// this is better than the curvature at the maximum. The ratio is scaled to the observed spread of the pairs (R. E.
/// Chandler and S. Bate 2007, "Inference for clustered data using the independence loglikelihood", Biometrika 94). That
/// spread is estimated, so the root has Student's distribution. Its degrees of freedom are one less than the rounds of
/// the bot with fewer.
pub fn superiority(
    results: &Results,
    prior: &Prior,
    ratings: &Ratings,
    (first, second): (usize, usize),
) -> f64 {
    if first == second {
        return 0.5;
    }
    let at = &ratings.strengths;
    let model = Model::new(at.len(), results, prior);
    let tie = Tie { first, second };
    let ratio =
        2.0 * (model.log_likelihood(at) - model.log_likelihood(&tie.maximum(&model, ratings)));
    let by_model = tie.excess(&ratings.information.solve(&tie.direction(at.len())));
    let shown = (ratings.deviation(first, second) / ELO).powi(2);
    let rounds = results.rounds_of(first).min(results.rounds_of(second));
    student(
        rounds.saturating_sub(1).max(1),
        tie.excess(at).signum() * (ratio.max(0.0) * by_model / shown).sqrt(),
    )
}

/// The constraint that two bots have one strength.
#[derive(Clone, Copy)]
struct Tie {
    first: usize,
    second: usize,
}

impl Tie {
    /// How far the first is ahead.
    fn excess(self, at: &[f64]) -> f64 {
        at[self.first] - at[self.second]
    }

    /// The vector whose product with the strengths is [`Tie::excess`].
    fn direction(self, bots: usize) -> Vec<f64> {
        let mut direction = vec![0.0; bots];
        (direction[self.first], direction[self.second]) = (1.0, -1.0);
        direction
    }

    /// Projects a vector onto the constraint, along `across`, the solution for [`Tie::direction`]. In this direction
    /// the quadratic form of the likelihood loses least.
    fn hold(self, mut vector: Vec<f64>, across: &[f64]) -> Vec<f64> {
        let share = self.excess(&vector) / self.excess(across);
        let parts = vector.iter_mut().zip(across);
        parts.for_each(|(part, across)| *part -= share * across);
        vector
    }

    /// The best strengths with these two equal, by Newton's method. As long as the steps are few, the information at
    /// the ratings is good enough.
    fn maximum(self, model: &Model<'_>, ratings: &Ratings) -> Vec<f64> {
        let direction = self.direction(model.bots);
        let mut information = ratings.information.clone();
        let mut across = information.solve(&direction);
        let mut steps = 0;
        let start = self.hold(ratings.strengths.clone(), &across);
        model.climb(start, |at, slope| {
            if steps == RENEWAL {
                information = model.information(at).factor();
                across = information.solve(&direction);
                steps = 0;
            }
            steps += 1;
            self.hold(information.solve(slope), &across)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{PairResult, fit};

    /// Each of this many bots has met the five at these distances, and has won, drawn and lost in turn. The last one
    /// has lost every game.
    fn results(bots: usize) -> Results {
        let mut results = Results::default();
        for bot in 0..bots {
            for distance in [1, 7, 16, 29, 41] {
                let other = (bot + distance) % bots;
                let games = match bots - 1 {
                    last if last == bot => [0, 0],
                    last if last == other => [2, 2],
                    _ => [bot % 3, (bot / 3 + distance) % 3].map(|points| points as u8),
                };
                results.add(bot, other, PairResult::from_half_points(games));
            }
        }
        results
    }

    #[test]
    fn two_that_are_held_at_one_strength_are_where_nothing_pulls_both_or_any_other() {
        let results = results(100);
        let ratings = fit(100, &results, &Prior::WEAK, None);
        let model = Model::new(100, &results, &Prior::WEAK);
        let ranking = ratings.ranking();
        // Equal, far from each other, and as far apart as possible.
        for (first, second) in [(0, 1), (3, 90), (0, 99)] {
            let (first, second) = (ranking[first], ranking[second]);
            let tie = Tie { first, second };
            let at = tie.maximum(&model, &ratings);
            assert!(tie.excess(&at).abs() < 1e-9);
            let mut pull = model.slope(&at);
            pull[first] += std::mem::take(&mut pull[second]);
            assert!(pull.iter().all(|pull| pull.abs() < 1e-6), "{pull:?}");
            assert!(model.log_likelihood(&at) < model.log_likelihood(&ratings.strengths));
        }
    }

    /// If each comparison needed its own fit, this would take minutes.
    #[test]
    fn of_three_hundred_bots_each_is_compared_with_the_next() {
        let results = results(300);
        let ratings = fit(300, &results, &Prior::WEAK, None);
        let ranking = ratings.ranking();
        for two in ranking.windows(2) {
            let stronger = superiority(&results, &Prior::WEAK, &ratings, (two[0], two[1]));
            assert!((0.5..1.0).contains(&stronger), "{two:?}: {stronger}");
        }
        assert_eq!(*ranking.last().unwrap(), 299);
    }
}
