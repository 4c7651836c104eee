//! Times of answers: their quantiles, and their distribution in steps of two.

use serde::Serialize;
use std::time::Duration;

/// How long answers took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Times {
    /// How many answers were timed.
    pub answers: usize,
    /// Half of them were at least as quick.
    #[serde(rename = "median_us", with = "crate::judge::microseconds")]
    pub median: Duration,
    /// 99 in 100 of them were at least as quick.
    #[serde(rename = "p99_us", with = "crate::judge::microseconds")]
    pub p99: Duration,
    /// 999 in 1000 of them were at least as quick.
    #[serde(rename = "p999_us", with = "crate::judge::microseconds")]
    pub p999: Duration,
    /// The slowest.
    #[serde(rename = "worst_us", with = "crate::judge::microseconds")]
    pub worst: Duration,
}

/// The quantiles of these times, or `None` when there are none.
///
/// A quantile is the nearest rank: a time that was measured.
pub fn times(mut measured: Vec<Duration>) -> Option<Times> {
    measured.sort_unstable();
    let worst = *measured.last()?;
    let answers = measured.len();
    let rank = |per_mille: usize| measured[(answers * per_mille).div_ceil(1000).max(1) - 1];
    Some(Times {
        answers,
        median: rank(500),
        p99: rank(990),
        p999: rank(999),
        worst,
    })
}

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
    use super::*;

    #[test]
    fn quantiles_are_measured_times_by_nearest_rank() {
        let ms = Duration::from_millis;
        let found = times((1..=200).rev().map(ms).collect()).unwrap();
        assert_eq!(
            (found.median, found.p99, found.p999, found.worst),
            (ms(100), ms(198), ms(200), ms(200))
        );
        let one = times(vec![ms(7)]).unwrap();
        assert_eq!(
            (one.median, one.p99, one.worst, one.answers),
            (ms(7), ms(7), ms(7), 1)
        );
        assert_eq!(times(vec![]), None);
    }

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
