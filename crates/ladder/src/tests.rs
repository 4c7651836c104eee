//! Games and pairs that several tests use.

use crate::store::{Entrant, PairKey};
use crownhead_record::{GameRecord, GameSummary, PlayerRecord, Termination, TurnRecord};
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

/// The summary of a game between these, which ended so with these points. A player without points is the one at fault.
pub(crate) fn summary(players: &[&str], points: &[f64], termination: Termination) -> GameSummary {
    let fault = |&points: &f64| Some(termination).filter(|it| it.is_fault() && points == 0.0);
    GameSummary {
        number: 1,
        players: players.iter().map(ToString::to_string).collect(),
        points: Some(points.into()),
        referee_scores: Vec::new(),
        termination,
        faults: points.iter().map(fault).collect(),
        times: vec![Duration::ZERO; players.len()],
        turns: 1,
        opening: String::new(),
        replayed: false,
    }
}

/// A pair between these, in their first versions.
pub(crate) fn key(bots: &[&str], round: u64) -> PairKey {
    let entrant = |bot: &&str| Entrant {
        bot: bot.to_string(),
        version: "1".into(),
    };
    PairKey::new(bots.iter().map(entrant).collect(), round)
}
