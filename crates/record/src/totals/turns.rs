//! What the turns of a bot come to: how long its answers took, and the figures that it said.

use crate::TurnRecord;
use serde::Serialize;
use std::collections::BTreeMap;
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

/// What a bot said of one name, over its turns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SaidSummary {
    /// In how many turns it said it.
    pub turns: u64,
    /// The mean.
    pub mean: f64,
    /// The least.
    pub lowest: f64,
    /// The most.
    pub highest: f64,
}

/// Sums up what was said in these turns, by name.
pub(super) fn sum_up<'a>(
    turns: impl Iterator<Item = &'a TurnRecord>,
) -> BTreeMap<String, SaidSummary> {
    let mut all: BTreeMap<String, SaidSummary> = BTreeMap::new();
    for (name, number) in turns.flat_map(|turn| &turn.said) {
        let Some(number) = number.as_f64() else {
            continue;
        };
        let sum = all.entry(name.clone()).or_insert(SaidSummary {
            turns: 0,
            mean: 0.0,
            lowest: number,
            highest: number,
        });
        sum.turns += 1;
        sum.mean += (number - sum.mean) / sum.turns as f64;
        sum.lowest = sum.lowest.min(number);
        sum.highest = sum.highest.max(number);
    }
    all
}

/// How many nodes a second a bot searched, in the turns in which it said how many nodes: by the referee's clock.
pub(super) fn nodes_per_second<'a>(turns: impl Iterator<Item = &'a TurnRecord>) -> Option<f64> {
    let mut nodes = 0.0;
    let mut time = Duration::ZERO;
    for turn in turns {
        if let Some(searched) = turn.said.get("nodes").and_then(|nodes| nodes.as_f64()) {
            nodes += searched;
            time += turn.time;
        }
    }
    (nodes > 0.0 && !time.is_zero()).then(|| nodes / time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_said;

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
    fn means_are_over_the_turns_that_say_something() {
        let turn = |text: &str, ms| TurnRecord {
            said: read_said(text.as_bytes()),
            ..TurnRecord::new(0, None, Duration::from_millis(ms))
        };
        let turns = [
            turn("depth 10 nodes 1000", 100),
            turn("", 900),
            turn("depth 13 nodes 3000 x=1", 100),
        ];
        let said = sum_up(turns.iter());
        let depth = said["depth"];
        assert_eq!((depth.turns, depth.mean), (2, 11.5));
        assert_eq!((depth.lowest, depth.highest), (10.0, 13.0));
        assert_eq!(said["x"].turns, 1);
        assert_eq!(nodes_per_second(turns.iter()), Some(20_000.0));
        assert_eq!(nodes_per_second(turns[1..2].iter()), None);
        let none = [turn("nodes 0", 100)];
        assert_eq!(nodes_per_second(none.iter()), None);
    }
}
