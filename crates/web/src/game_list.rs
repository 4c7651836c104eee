//! Lists of games: those that match a filter, in the order of a column, a part at a time.

use super::index::{Entry, Index};
use crownhead_record::{GameFacts, GameFilter};
use indexmap::IndexSet;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::cmp::Reverse;

/// The requested part of a list, and its order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(default)]
pub(super) struct Part {
    /// A column, with `-` before it for the highest first. Without it, the newest games come first.
    #[serde(deserialize_with = "order")]
    sort: Order,
    /// How many games come before it.
    offset: usize,
    limit: Option<usize>,
}

/// The most games in one response.
const MOST_LISTED: usize = 500;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Order {
    column: Column,
    is_descending: bool,
}

impl Default for Order {
    fn default() -> Order {
        Order {
            column: Column::Game,
            is_descending: true,
        }
    }
}

/// A column of the list. Endings are in the order of [`Termination`](crownhead_record::Termination): faults come last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Column {
    Game,
    First,
    Second,
    Result,
    Termination,
    Turns,
    Opening,
}

fn order<'de, D: Deserializer<'de>>(from: D) -> Result<Order, D::Error> {
    let text = String::deserialize(from)?;
    let column = text.trim_start_matches('-');
    let named = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(column);
    Ok(Order {
        column: Column::deserialize(named).map_err(D::Error::custom)?,
        is_descending: text.starts_with('-'),
    })
}

/// A list of games.
#[derive(Debug, Serialize)]
pub(super) struct Listed<'a> {
    /// How many fit the filter in all.
    total: usize,
    games: Vec<GameRow<'a>>,
    /// Requested stats that no game has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
}

/// A game in a list.
#[derive(Debug, Serialize)]
struct GameRow<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    players: Vec<&'a str>,
    opening: &'a str,
}

/// This part of the games that match the filter; `sides` are the game's names of its seats. The figures of all games
/// are in the index if the filter asks for one.
pub(super) fn list<'a>(
    index: &'a Index,
    sides: &[String],
    filter: &GameFilter,
    part: Part,
) -> Listed<'a> {
    let mut players = Vec::new();
    let mut found: Vec<&Entry> = Vec::new();
    for entry in &index.entries {
        players.clear();
        players.extend(names(index, entry));
        let facts = GameFacts {
            players: &players,
            sides,
            points: entry.points.as_deref(),
            termination: entry.termination,
            turns: entry.turns,
            opening: &index.openings[entry.opening as usize],
        };
        if filter.admits(&facts) {
            found.push(entry);
        }
    }
    sort(index, &mut found, part.sort);
    let limit = part.limit.unwrap_or(100).min(MOST_LISTED);
    let rows = found.iter().skip(part.offset).take(limit);
    let rows = rows.map(|entry| GameRow {
        entry,
        players: names(index, entry).collect(),
        opening: &index.openings[entry.opening as usize],
    });
    let unknown_side = filter.unknown_side(sides.iter().map(String::as_str));
    Listed {
        total: found.len(),
        games: rows.collect(),
        remarks: unknown_side.into_iter().collect(),
    }
}

fn names<'a>(index: &'a Index, entry: &Entry) -> impl Iterator<Item = &'a str> {
    let players = entry.players.iter();
    players.map(|&bot| &*index.bots[bot as usize])
}

/// Sorts games in this order; equal ones with the newest first.
fn sort(index: &Index, games: &mut [&Entry], order: Order) {
    let by = |games: &mut [&Entry], key: &dyn Fn(&Entry) -> u64| match order.is_descending {
        true => games.sort_by_key(|entry| (Reverse(key(entry)), Reverse(entry.id))),
        false => games.sort_by_key(|entry| (key(entry), Reverse(entry.id))),
    };
    let bots = || ranks(&index.bots);
    match order.column {
        Column::Game => by(games, &|entry| entry.id),
        Column::First => {
            let rank = bots();
            by(games, &|entry| rank[entry.players[0] as usize]);
        }
        Column::Second => {
            let rank = bots();
            by(games, &|entry| rank[entry.players[1] as usize]);
        }
        // Points are halves and thirds of one; void games come before all others.
        Column::Result => by(games, &|entry| {
            let points = entry.points.as_ref();
            points.map_or(0, |points| 1 + (points[0] * 1e6) as u64)
        }),
        Column::Termination => by(games, &|entry| entry.termination as u64),
        Column::Turns => by(games, &|entry| entry.turns.into()),
        Column::Opening => {
            let rank = ranks(&index.openings);
            by(games, &|entry| rank[entry.opening as usize]);
        }
    }
}

/// The rank of each text in alphabetical order.
fn ranks(texts: &IndexSet<String>) -> Vec<u64> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_cached_key(|&text| (texts[text].to_lowercase(), &texts[text]));
    let mut ranks = vec![0; order.len()];
    for (rank, text) in (0..).zip(order) {
        ranks[text] = rank;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::super::index::tests::game;
    use super::*;
    use crownhead_record::{GameSummary, Termination};
    use serde_json::{Value, json};

    /// The games that are listed for this request.
    fn ids(index: &Index, asked: Value) -> Vec<u64> {
        let filter = serde_json::from_value(asked.clone()).unwrap();
        let part = serde_json::from_value(asked).unwrap();
        let sides = ["black".into(), "red".into()];
        let listed = list(index, &sides, &filter, part);
        listed.games.iter().map(|game| game.entry.id).collect()
    }

    fn three_games() -> Index {
        let mut index = Index::default();
        index.add(&game(1, ["a", "b"], [1.0, 0.0]), 0);
        index.add(&game(2, ["b", "A"], [1.0, 0.0]), 0);
        let crash = GameSummary {
            termination: Termination::Crash,
            turns: 7,
            ..game(3, ["c", "a"], [0.5, 0.5])
        };
        index.add(&crash, 0);
        index
    }

    #[test]
    fn games_are_filtered_and_listed_in_parts_the_newest_first() {
        let index = three_games();
        assert_eq!(ids(&index, json!({})), [3, 2, 1]);
        assert_eq!(ids(&index, json!({"offset": 1, "limit": 1})), [2]);
        assert_eq!(ids(&index, json!({"bot": "a"})), [3, 1]);
        assert_eq!(ids(&index, json!({"bot": "a", "side": "red"})), [3]);
        assert_eq!(ids(&index, json!({"bot": "a", "result": "drawn"})), [3]);
        assert_eq!(ids(&index, json!({"max_turns": 20})), [3]);
        assert_eq!(ids(&index, json!({"result": "black"})), [2, 1]);
        assert_eq!(ids(&index, json!({"bot": "nobody"})), [0; 0]);
    }

    #[test]
    fn games_are_sorted_by_any_column_and_the_newest_of_equal_ones_is_first() {
        let index = three_games();
        for (sort, sorted) in [
            ("game", [1, 2, 3]),
            ("first", [1, 2, 3]),
            ("-first", [3, 2, 1]),
            ("second", [2, 3, 1]),
            ("result", [3, 2, 1]),
            ("-result", [2, 1, 3]),
            ("termination", [2, 1, 3]),
            ("-termination", [3, 2, 1]),
            ("turns", [3, 2, 1]),
            ("-opening", [3, 2, 1]),
        ] {
            assert_eq!(ids(&index, json!({ "sort": sort })), sorted, "{sort}");
        }
        let mut index = index;
        let void = GameSummary {
            points: None,
            ..game(4, ["a", "b"], [0.0, 0.0])
        };
        index.add(&void, 0);
        index.add(&game(5, ["b", "a"], [0.0, 1.0]), 0);
        assert_eq!(ids(&index, json!({"sort": "result"})), [4, 5, 3, 2, 1]);
        assert_eq!(ids(&index, json!({"sort": "-result"})), [2, 1, 3, 5, 4]);
        let error = serde_json::from_str::<Part>(r#"{"sort": "name"}"#).unwrap_err();
        assert!(error.to_string().contains("`turns`"), "{error}");
    }

    #[test]
    fn games_of_three_are_found_by_seat_and_by_who_came_last() {
        let mut index = Index::default();
        index.add(&game(1, ["a", "b", "c"], [0.5, 1.0, 0.0]), 0);
        index.add(&game(2, ["b", "c", "a"], [0.75, 0.0, 0.75]), 0);
        assert_eq!(ids(&index, json!({"bot": "a", "side": "3"})), [2]);
        let lost = json!({"bot": "c", "result": "lost", "opponent": "b"});
        assert_eq!(ids(&index, lost), [2, 1]);
        assert_eq!(ids(&index, json!({"bot": "a", "result": "drawn"})), [2, 1]);
    }
}
