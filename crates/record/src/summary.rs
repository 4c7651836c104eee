//! A game in a list: enough to find it, without its moves.

use super::GameRecord;
use crate::Termination;
use std::time::Duration;

/// A game as lists show it.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSummary {
    /// Its number.
    pub number: u64,
    /// The players, in the order of seats: black and white.
    pub players: Vec<String>,
    /// Their points, as [`GameRecord::scores`] has them; `None` when the referee was at fault.
    pub points: Option<Vec<f64>>,
    /// The scores that an external referee gave; empty if there are none, or if they are not stored.
    pub referee_scores: Vec<f64>,
    /// How it ended.
    pub termination: Termination,
    /// How long the players thought.
    pub times: Vec<Duration>,
    /// The number of turns, including the opening. For an external referee's game, only the turns in which a bot was
    /// asked.
    pub turns: u32,
    /// The opening, in words.
    pub opening: String,
    /// Whether it was played again, so that it does not count.
    pub replayed: bool,
}

impl GameSummary {
    /// The summary of this game.
    pub fn of(record: &GameRecord) -> GameSummary {
        let players = record.players.iter();
        let referee = record.referee.as_ref();
        let opening = opening_of(record);
        GameSummary {
            number: record.number,
            players: players.map(|player| player.name.clone()).collect(),
            points: record.scores.clone(),
            referee_scores: referee.map_or(Vec::new(), |referee| referee.scores.clone()),
            termination: record.termination,
            times: (0..record.players.len())
                .map(|player| record.time_used(player))
                .collect(),
            turns: turns_of(record.turns.len(), &opening),
            opening,
            replayed: record.replayed,
        }
    }
}

/// The opening of a recorded game, in words: the seed of an external referee, or else the first position if it is
/// unusual, and the moves of the opening. Empty for the usual start.
pub fn opening_of(record: &GameRecord) -> String {
    if let Some(referee) = &record.referee {
        return format!("seed {}", referee.seed);
    }
    let position = record.start.as_ref().map(|start| {
        let side = if start.player == 0 { "b" } else { "w" };
        format!("{} {side}", start.rows.join("/"))
    });
    let words = position.iter().chain(&record.opening).map(String::as_str);
    words.collect::<Vec<_>>().join(" ")
}

/// The number of turns of a game, from the turns in which a bot was asked and from the opening as [`opening_of`] words
/// it.
pub fn turns_of(asked: usize, opening: &str) -> u32 {
    let words = opening.split(' ').filter(|word| !word.is_empty());
    let moves = match opening.split(' ').next() {
        Some("seed") => 0,
        // A position, and whose turn it is.
        Some(start) if start.contains('/') => words.skip(2).count(),
        _ => words.count(),
    };
    u32::try_from(asked.saturating_add(moves)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StartRecord;
    use crate::tests::{faulty, played};

    #[test]
    fn an_opening_is_reported_by_its_position_and_its_moves() {
        let mut record = played(&[]);
        assert_eq!(opening_of(&record), "A3B4 B6A5");
        record.opening.pop();
        record.start = Some(StartRecord {
            rows: vec!["........".into(); 8],
            player: 1,
        });
        let words = opening_of(&record);
        assert!(words.starts_with("......../"), "{words}");
        assert!(words.ends_with("/........ w A3B4"), "{words}");
        (record.start, record.opening) = (None, Vec::new());
        assert_eq!(opening_of(&record), "");
        let turns = ["A3B4 B6A5", "", "seed 7", &words].map(|words| turns_of(20, words));
        assert_eq!(turns, [22, 20, 20, 21]);
    }

    #[test]
    fn a_game_is_summed_up_without_its_moves() {
        let mut record = played(&["B4C5", "D6B4", "C3D4"]);
        record.replayed = true;
        let summary = GameSummary::of(&record);
        let expected = GameSummary {
            number: 1,
            players: vec!["anna".into(), "bert".into()],
            points: Some(vec![0.5, 0.5]),
            referee_scores: Vec::new(),
            termination: Termination::TurnLimit,
            times: [2, 1].map(Duration::from_secs).to_vec(),
            turns: 5,
            opening: "A3B4 B6A5".into(),
            replayed: true,
        };
        assert_eq!(summary, expected);
        let external = faulty(2, &["anna", "bert"], &[1.0, 0.0], &[1]);
        let summary = GameSummary::of(&external);
        assert_eq!((summary.opening.as_str(), summary.turns), ("seed 1", 1));
    }
}
