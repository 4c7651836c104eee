//! Games to sum up.

use crate::FailedTurn;
use crate::judge::{Clock, TimeLimits};
use crate::{GameRecord, PlayerRecord, RefereeProtocol, RefereeRecord};
use crate::{Termination, TurnRecord, VERSION};
use std::collections::BTreeMap;
use std::time::Duration;

/// Game `number` of these players, with their points.
pub(super) fn game(number: u64, players: &[&str], points: &[f64]) -> GameRecord {
    let player = |name: &&str| PlayerRecord::new("player", *name, *name);
    GameRecord {
        version: VERSION,
        game: "contest".into(),
        rules: String::new(),
        number,
        seed: 1,
        referee: None,
        figures: Default::default(),
        players: players.iter().map(player).collect(),
        limits: TimeLimits::default(),
        profile: "strict".into(),
        clock: Clock::Wall,
        suspect: false,
        replayed: false,
        max_turns: None,
        start: None,
        opening: Vec::new(),
        turns: Vec::new(),
        scores: Some(points.into()),
        termination: Termination::Scores,
        reason: "scores".into(),
    }
}

/// The same, but the players of these places failed.
pub(super) fn faulty(
    number: u64,
    players: &[&str],
    points: &[f64],
    failed: &[usize],
) -> GameRecord {
    let turn = |&player| TurnRecord::new(player, None, Duration::from_millis(1));
    GameRecord {
        turns: failed.iter().map(turn).collect(),
        referee: Some(RefereeRecord {
            command: "referee".into(),
            protocol: RefereeProtocol::Lines,
            hash: String::new(),
            seed: 1,
            parameters: BTreeMap::new(),
            scores: Vec::new(),
            failed: (0..failed.len())
                .map(|turn| FailedTurn {
                    turn,
                    termination: Termination::Crash,
                })
                .collect(),
            reason: None,
            frames: Vec::new(),
            metadata: Vec::new(),
            input: Vec::new(),
        }),
        termination: Termination::Crash,
        ..game(number, players, points)
    }
}
