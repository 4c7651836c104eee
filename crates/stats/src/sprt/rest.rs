//! Estimates how many more pairs a test needs.
//!
//! The log-likelihood ratio takes a step with each pair. From the mean and the variance of the steps so far, it is
//! modelled as a Brownian motion between the bounds. The expected time until it reaches one of them is known (D. R. Cox
//! & H. D. Miller 1965, *The Theory of Stochastic Processes*, section 5.7). The estimate is for people who wait; no
//! verdict depends on it.

use super::{PairCounts, Sprt};

impl Sprt {
    /// How many more pairs are expected until the verdict; `None` before [`min_pairs`](Sprt::min_pairs), where the
    /// steps say little, and if all pairs had the same result.
    pub fn expected_rest(&self, counts: &PairCounts) -> Option<f64> {
        if counts.pairs() < self.min_pairs {
            return None;
        }
        let steps = self.steps(counts);
        let pairs: f64 = steps.iter().map(|(weight, _)| weight).sum();
        let mean_of = |value: &dyn Fn(f64) -> f64| -> f64 {
            let values = steps.iter().map(|(weight, step)| weight * value(*step));
            values.sum::<f64>() / pairs
        };
        let drift = mean_of(&|step| step);
        let variance = mean_of(&|step| (step - drift).powi(2));
        let (lower, upper) = self.bounds();
        let ratio = drift * pairs;
        let rest = exit_time(ratio - lower, upper - ratio, drift, variance);
        rest.is_finite().then_some(rest)
    }
}

/// The expected time until a Brownian motion is `below` lower or `above` higher than now.
fn exit_time(below: f64, above: f64, drift: f64, variance: f64) -> f64 {
    if below <= 0.0 || above <= 0.0 {
        return 0.0;
    }
    if drift < 0.0 {
        return exit_time(above, below, -drift, variance);
    }
    let pull = 2.0 * drift / variance;
    // Hardly any drift: use the limit of the other formula, which divides by the drift.
    if pull * (below + above) < 1e-6 {
        return below * above / variance;
    }
    let reaches_upper = (-pull * below).exp_m1() / (-pull * (below + above)).exp_m1();
    (reaches_upper * (below + above) - below) / drift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_drift_it_is_the_product_of_the_ways_and_with_much_the_way_ahead_over_the_drift() {
        let near = |value: f64, expected: f64| (value / expected - 1.0).abs() < 1e-3;
        assert!(near(exit_time(3.0, 2.0, 0.0, 0.5), 12.0));
        assert!(near(exit_time(3.0, 2.0, 1e-5, 0.5), 12.0));
        assert!(near(exit_time(3.0, 2.0, 1.0, 0.001), 2.0));
        assert!(near(exit_time(3.0, 2.0, -1.0, 0.001), 3.0));
        assert_eq!(exit_time(3.0, -0.1, 1.0, 1.0), 0.0);
    }

    #[test]
    fn the_rest_shrinks_as_a_bot_that_is_better_nears_its_verdict() {
        let test = Sprt::default();
        let rest = |pairs: u64| {
            let mut counts = PairCounts::new(2);
            (0..pairs).for_each(|pair| counts.add([2, 3, 2, 4, 1][pair as usize % 5]));
            test.expected_rest(&counts)
        };
        assert_eq!(rest(15), None);
        let [early, late] = [rest(100), rest(200)].map(Option::unwrap);
        assert!(late < early && early < 2000.0, "{early} {late}");
    }
}
