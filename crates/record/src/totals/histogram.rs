//! The distribution of times, in steps of two.

use serde::Serialize;
use std::time::Duration;

/// One step: how many times were at most `upto` and above the step before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// The step's upper end.
    #[serde(rename = "upto_us", with = "crate::judge::microseconds")]
    pub upto: Duration,
    /// How many times it contains.
    pub count: usize,
}

/// The distribution of these times, from the first step with any to the last. Each step is twice the one before, from a
/// microsecond on.
pub fn histogram(times: &[Duration]) -> Vec<Step> {
    let place = |time: &Duration| {
        let microseconds = u64::try_from(time.as_nanos().div_ceil(1000)).unwrap_or(u64::MAX);
        microseconds
            .max(1)
            .checked_next_power_of_two()
            .map_or(63, u64::trailing_zeros)
    };
    let mut counts = [0; 64];
    for time in times {
        counts[place(time) as usize] += 1;
    }
    let steps = counts.iter().enumerate().map(|(place, &count)| Step {
        upto: Duration::from_micros(1 << place),
        count,
    });
    let mut steps: Vec<Step> = steps.skip_while(|step| step.count == 0).collect();
    while steps.last().is_some_and(|step| step.count == 0) {
        steps.pop();
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::histogram;
    use std::time::Duration;

    #[test]
    fn steps_double_and_hold_their_upper_end() {
        let times = [1, 3, 4, 5, 16, 17].map(Duration::from_micros);
        let steps: Vec<(u128, usize)> = histogram(&times)
            .iter()
            .map(|step| (step.upto.as_micros(), step.count))
            .collect();
        assert_eq!(steps, [(1, 1), (2, 0), (4, 2), (8, 1), (16, 1), (32, 1)]);
        assert!(histogram(&[]).is_empty());
    }
}
