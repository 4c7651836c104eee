//! The figures that bots said, summed up: of turns over turns, of games over games.

use crate::{Figure, Figures, TurnRecord};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

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

/// What was said of one name, over games.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct FigureSummary {
    /// In how many games it was said.
    pub games: u64,
    /// The numbers.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<FigureRange>,
    /// In how many games each text was said.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, u64>,
}

/// The numbers that were said of one name, over the games in which it was a number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct FigureRange {
    /// The mean.
    pub mean: f64,
    /// The least.
    pub lowest: f64,
    /// The most.
    pub highest: f64,
}

/// Sums up the figures of games, by name.
pub(super) fn sum_up_games<'a>(
    games: impl Iterator<Item = &'a Figures>,
) -> BTreeMap<String, FigureSummary> {
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    let mut all: BTreeMap<String, FigureSummary> = BTreeMap::new();
    for (name, figure) in games.flatten() {
        let sum = all.entry(name.clone()).or_default();
        sum.games += 1;
        let number = match figure {
            Figure::Text(text) => {
                *sum.texts.entry(text.clone()).or_default() += 1;
                continue;
            }
            Figure::Number(number) => number.as_f64(),
        };
        let Some(number) = number else {
            continue;
        };
        let count = numbers.entry(name).or_default();
        *count += 1;
        let range = sum.numbers.get_or_insert(FigureRange {
            mean: 0.0,
            lowest: number,
            highest: number,
        });
        range.mean += (number - range.mean) / *count as f64;
        range.lowest = range.lowest.min(number);
        range.highest = range.highest.max(number);
    }
    all
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
    fn figures_of_games_are_means_of_numbers_and_counts_of_texts() {
        let games = [
            r#"{"size": 10, "kind": "small", "x": 1}"#,
            r#"{"size": 30, "kind": "small"}"#,
            r#"{"size": "?"}"#,
        ];
        let games = games.map(|game| serde_json::from_str::<Figures>(game).unwrap());
        let sums = sum_up_games(games.iter());
        let json = serde_json::to_value(&sums).unwrap();
        let size = serde_json::json!({"games": 3, "mean": 20.0, "lowest": 10.0, "highest": 30.0, "texts": {"?": 1}});
        assert_eq!(json["size"], size);
        assert_eq!(
            json["kind"],
            serde_json::json!({"games": 2, "texts": {"small": 2}})
        );
        assert_eq!(sums["x"].games, 1);
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
    }
}
