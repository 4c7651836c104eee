//! Games and pairs for tests.

use crate::store::{Entrant, PairKey};
use crownhead_record::judge::{Clock, TimeLimits};
use crownhead_record::{GameRecord, PlayerRecord, Termination, TurnRecord, VERSION};
use std::time::Duration;

/// Game `number` between these two, which ended after a turn of black with these scores.
pub(crate) fn game(number: u64, black: &str, white: &str, scores: [f64; 2]) -> GameRecord {
    let player = |side, name: &str| PlayerRecord::new(side, name, name);
    GameRecord {
        version: VERSION,
        game: "checkers".into(),
        rules: "contest".into(),
        number,
        seed: 1,
        referee: None,
        players: vec![player("black", black), player("red", white)],
        limits: TimeLimits::default(),
        profile: "strict".into(),
        clock: Clock::Wall,
        suspect: false,
        replayed: false,
        options: Default::default(),
        max_turns: None,
        start: None,
        opening: Vec::new(),
        turns: vec![TurnRecord::new(
            0,
            Some("A3B4".into()),
            Duration::from_micros(1500),
        )],
        figures: Default::default(),
        scores: Some(scores.into()),
        termination: Termination::NoMoves,
        reason: "red has no legal move and loses".into(),
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
