//! Games and pairs that several tests use.

use crate::store::{Entrant, PairKey};
use crownhead_record::{GameRecord, PlayerRecord, Termination, TurnRecord};
use std::time::Duration;

/// Game `number` between these two, which ended after a turn of black with these scores.
pub(crate) fn game(number: u64, black: &str, white: &str, scores: [f64; 2]) -> GameRecord {
    let player = |side, name: &str| PlayerRecord::new(side, name, name);
    GameRecord {
        number,
        seed: 1,
        turns: vec![TurnRecord::new(
            0,
            Some("A3B4".into()),
            Duration::from_micros(1500),
        )],
        scores: Some(scores.into()),
        termination: Termination::NoMoves,
        reason: "red has no legal move and loses".into(),
        ..GameRecord::new(
            "checkers",
            "contest",
            vec![player("black", black), player("red", white)],
        )
    }
}

/// A pair between these two, in their first versions.
pub(crate) fn key(one: &str, other: &str, round: u64) -> PairKey {
    let entrant = |bot: &str| Entrant {
        bot: bot.into(),
        version: "1".into(),
    };
    PairKey::new(&entrant(one), &entrant(other), round)
}
