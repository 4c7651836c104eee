//! What a list says of a game: enough to find it, without its moves.

use super::{GameRecord, RecordedResult, StartRecord};
use crate::Termination;
use crownhead::board::Side;
use std::time::Duration;

/// A game as lists show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its number.
    pub number: u64,
    /// Who played black, and who white.
    pub players: [String; 2],
    /// Who won; `None` when the referee was at fault.
    pub result: Option<RecordedResult>,
    /// How it ended.
    pub termination: Termination,
    /// How long black and white thought.
    pub times: [Duration; 2],
    /// How many turns were asked.
    pub turns: u32,
    /// Where it began, in words.
    pub opening: String,
    /// Whether it was played again, so that it does not count.
    pub replayed: bool,
}

impl GameSummary {
    /// What a list says of this game.
    pub fn of(record: &GameRecord) -> GameSummary {
        GameSummary {
            number: record.number,
            players: Side::BOTH.map(|side| record.players[side.index()].name.clone()),
            result: record.result(),
            termination: record.termination,
            times: Side::BOTH.map(|side| record.time_used(side.index())),
            turns: u32::try_from(record.turns.len()).unwrap_or(u32::MAX),
            opening: opening_in_words(record.start.as_ref(), &record.opening),
            replayed: record.replayed,
        }
    }
}

/// Where a game began: its first position if it is not the usual one, and the moves of the opening; nothing for the
/// usual start.
pub fn opening_in_words(start: Option<&StartRecord>, moves: &[String]) -> String {
    let position = start.map(|start| {
        let side = if start.player == 0 { "b" } else { "w" };
        format!("{} {side}", start.rows.join("/"))
    });
    let words = position.iter().chain(moves).map(String::as_str);
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_is_told_by_its_position_and_its_moves() {
        let moves = ["A3B4".to_string(), "B6A5".to_string()];
        assert_eq!(opening_in_words(None, &moves), "A3B4 B6A5");
        assert_eq!(opening_in_words(None, &[]), "");
        let start = StartRecord {
            rows: vec!["........".into(); 8],
            player: 1,
        };
        let words = opening_in_words(Some(&start), &moves[..1]);
        assert!(words.starts_with("......../"), "{words}");
        assert!(words.ends_with("/........ w A3B4"), "{words}");
    }
}
