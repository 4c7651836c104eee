//! Quantiles of answer times.

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

#[cfg(test)]
mod tests {
    use super::times;
    use std::time::Duration;

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
}
