//! The likelihood of the results of rounds under a hypothesis about their mean: exact, by constrained maximisation.
//!
//! A round of `N` games scores `x` of 0, 1 / 2N, ... 1 with unknown chances `p`: a pair 0, ¼, ½, ¾ or 1. A hypothesis
//! fixes how good the first bot is and leaves the rest of `p` free; its likelihood is the largest that any such `p`
//! gives to the observed results (the *generalised* likelihood of X. Li, J. Liu and Z. Ying 2014, "Generalized
//! sequential probability ratio test for separate families of hypotheses", Sequential Analysis 33; for pairs of games:
//! M. Van den Bergh 2019-2020, "A practical introduction to the GSPRT", "The generalized maximum likelihood ratio for
//! the expectation value of a distribution" and "Normalized Elo").

/// The share of the points for each result of a round with this many results.
pub(crate) fn shares(results: usize) -> impl Iterator<Item = f64> + Clone {
    (0..results).map(move |half_points| half_points as f64 / (results - 1) as f64)
}

/// The chances that make `seen` likeliest among those whose mean is `mean`.
///
/// `seen` are chances without a zero, `mean` lies strictly between 0 and 1.
///
/// With a Lagrange multiplier θ for the mean, `p = seen / (1 + θ (x - mean))`, where θ is the only root of
/// `Σ p (x - mean)` for which every chance is positive.
pub(crate) fn with_mean(seen: &[f64], mean: f64) -> Vec<f64> {
    let slope: Vec<f64> = shares(seen.len()).map(|share| share - mean).collect();
    tilt(seen, &slope).expect("a mean between 0 and 1")
}

/// The chances that make `seen` likeliest among those whose mean lies `t` standard deviations above one half.
///
/// The deviation depends on the chances too, so the constraint is no longer linear. It is replaced by its tangent at
/// the last answer until the answer stays: then the Lagrange conditions hold exactly. (The tangent is that of Van den
/// Bergh, "Normalized Elo", section 4, derived anew: the gradient of `μ - ½ - tσ` along `p`, minus its mean.) The
/// search starts on the constraint, and damps a step that is hardly shorter than the last. So it also converges for
/// lopsided tables and large `t`.
pub(crate) fn with_t_value(seen: &[f64], t: f64) -> Vec<f64> {
    /// A dozen is usual. Tables with almost a single result need the most.
    const ITERATIONS: usize = 4000;
    const SETTLED: f64 = 1e-11;
    let begin = binomial_with_t_value(seen.len(), t);
    let (mut chances, mut pace, mut last) = (begin.clone(), 1.0_f64, f64::INFINITY);
    for _ in 0..ITERATIONS {
        let (mean, deviation) = moments(&chances);
        let tangent = shares(seen.len()).map(|share| {
            let distance = (share - mean) / deviation;
            share - 0.5 - t * deviation / 2.0 * (1.0 + distance * distance)
        });
        // If no chances lie on the tangent, go back past the start.
        let next = tilt(seen, &tangent.collect::<Vec<_>>()).unwrap_or_else(|| begin.clone());
        let change = chances.iter().zip(&next).map(|(a, b)| (a - b).abs());
        let change = change.fold(0.0, f64::max);
        if change < SETTLED {
            return next;
        }
        if change > 0.9 * last {
            pace = (0.7 * pace).max(0.02);
        }
        last = change;
        for (chance, next) in chances.iter_mut().zip(next) {
            *chance += pace * (next - *chance);
        }
    }
    chances
}

/// Binomial chances, of one toss fewer than there are results, with the coin bent until the t-value is right.
fn binomial_with_t_value(results: usize, t: f64) -> Vec<f64> {
    // m - ½ = t √(m (1 - m) / tosses), solved for m.
    let tosses = results - 1;
    let mean = 0.5 + 0.5 * t / (tosses as f64 + t * t).sqrt();
    let fail = 1.0 - mean;
    let mut ways = 1.0;
    let chance = |heads: usize| {
        let chance = ways * mean.powi(heads as i32) * fail.powi((tosses - heads) as i32);
        ways = ways * (tosses - heads) as f64 / (heads + 1) as f64;
        chance
    };
    (0..results).map(chance).collect()
}

/// The mean and the standard deviation of a round's share of the points.
pub fn moments(chances: &[f64]) -> (f64, f64) {
    let expected = |value: &dyn Fn(f64) -> f64| -> f64 {
        let shares = shares(chances.len()).zip(chances);
        shares.map(|(x, p)| p * value(x)).sum()
    };
    let mean = expected(&|x| x);
    let variance = expected(&|x| (x - mean).powi(2));
    (mean, variance.sqrt())
}

/// The chances `seen / (1 + θ slope)` with `Σ p slope = 0`; `None` if all slopes have the same sign.
///
/// The sum falls strictly in θ between the two poles where a chance becomes infinite, from +∞ to -∞ when the slopes
/// have both signs. Newton's method stays within a bracket, which bisection would also close.
fn tilt(seen: &[f64], slope: &[f64]) -> Option<Vec<f64>> {
    let steepest = slope.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = slope.iter().copied().fold(f64::INFINITY, f64::min);
    if steepest <= 0.0 || lowest >= 0.0 {
        return None;
    }
    let (mut low, mut high) = (-1.0 / steepest, -1.0 / lowest);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut value, mut fall) = (0.0, 0.0);
        for (p, s) in seen.iter().zip(slope) {
            let part = s / (1.0 + theta * s);
            value += p * part;
            fall += p * part * part;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta + value / fall;
        let next = if low < newton && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        let step = (next - theta).abs();
        theta = next;
        if step <= 1e-14 * (1.0 + theta.abs()) {
            break;
        }
    }
    let chances = seen.iter().zip(slope);
    Some(chances.map(|(p, s)| p / (1.0 + theta * s)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    fn normalised(weights: &[f64]) -> Vec<f64> {
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    fn log_likelihood(seen: &[f64], chances: &[f64]) -> f64 {
        seen.iter().zip(chances).map(|(s, p)| s * p.ln()).sum()
    }

    /// Tables from even to nearly degenerate, some with a result that almost never occurs: for pairs, and for rounds of
    /// three and four players.
    fn tables() -> impl Iterator<Item = Vec<f64>> {
        let mut rng = Pcg64::seed_from_u64(1945);
        [5, 7, 9].into_iter().flat_map(move |results| {
            let degenerate = (0..results).map(move |only| {
                let mut weights = vec![1e-5; results];
                weights[only] = 1.0;
                normalised(&weights)
            });
            let mut weight = || 10_f64.powf(-5.0 * rng.random::<f64>());
            let mut random = || normalised(&(0..results).map(|_| weight()).collect::<Vec<_>>());
            let random: Vec<_> = (0..300).map(|_| random()).collect();
            degenerate.chain(random)
        })
    }

    #[test]
    fn the_chances_have_the_mean_that_is_asked_for() {
        for seen in tables() {
            for mean in [0.05, 0.45, 0.5, 0.5144, 0.9] {
                let chances = with_mean(&seen, mean);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-8);
                assert!((moments(&chances).0 - mean).abs() < 1e-9, "{seen:?}");
                assert!(chances.iter().all(|&chance| chance > 0.0));
            }
        }
    }

    #[test]
    fn the_chances_lie_as_many_deviations_above_one_half_as_asked_for() {
        for seen in tables() {
            for t in [-3.0, -0.4, -0.04, 0.0, 0.0407, 0.2, 0.6, 1.6] {
                let chances = with_t_value(&seen, t);
                let (mean, deviation) = moments(&chances);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-6);
                let off = mean - 0.5 - t * deviation;
                assert!(off.abs() < 1e-6, "{seen:?} at {t}: off by {off}");
            }
        }
    }

    #[test]
    fn a_table_of_hardly_anything_but_draws_settles() {
        let weights = [1.0, 1.0, 101.0, 1.0, 1e-3];
        let best = with_t_value(&normalised(&weights), 0.244_226);
        // By a random search along the constraint.
        let expected = [0.001_414_8, 0.002_935_4, 0.921_728, 0.073_903, 0.000_019_0];
        for (chance, expected) in best.iter().zip(expected) {
            assert!((chance - expected).abs() < 1e-5, "{best:?}");
        }
    }

    #[test]
    fn no_neighbour_that_meets_the_constraint_is_likelier() {
        let mut rng = Pcg64::seed_from_u64(2014);
        for seen in tables() {
            for t in [0.0, 0.0407, 0.3] {
                let best = with_t_value(&seen, t);
                for _ in 0..20 {
                    // A step aside, then back onto the constraint: moving weight between the ends changes
                    // the t-value steadily, so halving finds the way.
                    let size = 10_f64.powf(-1.0 - 3.0 * rng.random::<f64>());
                    let aside = best
                        .iter()
                        .map(|p| p * (1.0 + size * (rng.random::<f64>() - 0.5)));
                    let aside = normalised(&aside.collect::<Vec<_>>());
                    let last = aside.len() - 1;
                    let (mut low, mut high) = (-aside[last], aside[0]);
                    let moved = |by: f64| {
                        let mut chances = aside.clone();
                        chances[0] -= by;
                        chances[last] += by;
                        chances
                    };
                    for _ in 0..100 {
                        let middle = f64::midpoint(low, high);
                        let (mean, deviation) = moments(&moved(middle));
                        if mean - 0.5 < t * deviation {
                            low = middle;
                        } else {
                            high = middle;
                        }
                    }
                    let neighbour = moved(low);
                    let (mean, deviation) = moments(&neighbour);
                    if (mean - 0.5 - t * deviation).abs() > 1e-8 {
                        continue;
                    }
                    assert!(
                        log_likelihood(&seen, &neighbour) <= log_likelihood(&seen, &best) + 1e-7,
                        "{seen:?} at {t}"
                    );
                }
            }
        }
    }
}
