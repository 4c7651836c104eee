//! A game in a list: enough to find it, without its moves.

use super::GameRecord;
use crate::Termination;
use crate::judge::whole_microseconds;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game as lists show it. Ladders store it beside the record, without what they know in another way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameSummary {
    /// Its number.
    #[serde(skip)]
    pub number: u64,
    /// The players, in the order of seats: black and white.
    pub players: Vec<String>,
    /// Their points, as [`GameRecord::scores`] has them; `None` when the referee was at fault.
    pub points: Option<Vec<f64>>,
    /// The scores that an external referee gave; empty if there are none, or if they are not stored.
    #[serde(skip)]
    pub referee_scores: Vec<f64>,
    /// How it ended.
    pub termination: Termination,
    /// How each player failed, if it did; empty if none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Option<Termination>>,
    /// How long the players thought.
    #[serde(rename = "times_us", with = "microseconds")]
    pub times: Vec<Duration>,
    /// The number of turns, including the opening. For an external referee's game, only the turns in which a bot was
    /// asked.
    pub turns: u32,
    /// The opening, in words.
    pub opening: String,
    /// Whether it was played again, so that it does not count.
    #[serde(skip)]
    pub replayed: bool,
}

impl GameSummary {
    /// The summary of this game.
    pub fn of(record: &GameRecord) -> GameSummary {
        let players = record.players.iter();
        let seats = 0..record.players.len();
        let referee = record.referee.as_ref();
        let turns = record.turns.len() + record.opening.len();
        let mut faults: Vec<_> = seats.clone().map(|seat| record.fault_of(seat)).collect();
        if faults.iter().all(Option::is_none) {
            faults.clear();
        }
        // Turn by turn, as the record has them.
        let time = |seat| {
            let times = record.turns_of(seat);
            let times = times.map(|turn| whole_microseconds(turn.time));
            Duration::from_micros(times.fold(0, u64::saturating_add))
        };
        GameSummary {
            number: record.number,
            players: players.map(|player| player.name.clone()).collect(),
            points: record.scores.clone(),
            referee_scores: referee.map_or(Vec::new(), |referee| referee.scores.clone()),
            termination: record.termination,
            faults,
            times: seats.map(time).collect(),
            turns: u32::try_from(turns).unwrap_or(u32::MAX),
            opening: opening_of(record),
            replayed: record.replayed,
        }
    }

    /// The seat of the named player, if it took part.
    pub fn seat_of(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player == name)
    }

    /// The points of the named player, if it took part and the game is not void.
    pub fn points_of(&self, name: &str) -> Option<f64> {
        self.points.as_ref()?.get(self.seat_of(name)?).copied()
    }

    /// How this player failed, if it lost the game by its own fault.
    pub fn fault_of(&self, seat: usize) -> Option<Termination> {
        self.faults.get(seat).copied().flatten()
    }
}

/// Times as whole microseconds.
mod microseconds {
    use crate::judge::whole_microseconds;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(times: &[Duration], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(times.iter().map(|time| whole_microseconds(*time)))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Duration>, D::Error> {
        let times = Vec::<u64>::deserialize(from)?.into_iter();
        Ok(times.map(Duration::from_micros).collect())
    }
}

/// The opening of a recorded game, in words: the seed of an external referee, or else the first position if it is
/// unusual, and the moves of the opening. Empty for the usual start.
fn opening_of(record: &GameRecord) -> String {
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
            faults: Vec::new(),
            times: [2, 1].map(Duration::from_secs).to_vec(),
            turns: 5,
            opening: "A3B4 B6A5".into(),
            replayed: true,
        };
        assert_eq!(summary, expected);
        let external = faulty(2, &["anna", "bert"], &[1.0, 0.0], &[1]);
        let summary = GameSummary::of(&external);
        assert_eq!((summary.opening.as_str(), summary.turns), ("seed 1", 1));
        assert_eq!(summary.fault_of(0), None);
        assert_eq!(summary.fault_of(1), external.fault_of(1));
        assert_eq!(summary.points_of("anna"), Some(1.0));
        assert_eq!(summary.points_of("carl"), None);
    }

    #[test]
    fn a_stored_summary_is_one_line_that_reads_back_without_what_a_ladder_knows() {
        let mut record = played(&["B4C5", "D6B4", "C3D4"]);
        // Two turns of half a microsecond more are no microsecond more in the record.
        for turn in &mut record.turns {
            turn.time += Duration::from_nanos(500);
        }
        let text = serde_json::to_string(&GameSummary::of(&record)).unwrap();
        let expected = r#"{"players":["anna","bert"],"points":[0.5,0.5],"termination":"turn-limit","times_us":[2000000,1000000],"turns":5,"opening":"A3B4 B6A5"}"#;
        assert_eq!(text, expected);
        let read: GameSummary = serde_json::from_str(&text).unwrap();
        let number = record.number;
        assert_eq!(GameSummary { number, ..read }, GameSummary::of(&record));
        let again = serde_json::to_string(&record).unwrap();
        let again: GameRecord = serde_json::from_str(&again).unwrap();
        assert_eq!(GameSummary::of(&again), GameSummary::of(&record));
    }
}
