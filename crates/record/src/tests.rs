//! Games for tests.

use crate::FailedTurn;
use crate::{GameRecord, PlayerRecord, RefereeProtocol, RefereeRecord};
use crate::{Termination, TurnRecord};
use std::collections::BTreeMap;
use std::time::Duration;

/// Game `number` of these players, with their points.
pub(crate) fn game(number: u64, players: &[&str], points: &[f64]) -> GameRecord {
    let player = |name: &&str| PlayerRecord::new("player", *name, *name);
    GameRecord {
        number,
        seed: 1,
        scores: Some(points.into()),
        termination: Termination::Scores,
        reason: "scores".into(),
        ..GameRecord::new(
            "contest",
            String::new(),
            players.iter().map(player).collect(),
        )
    }
}

/// The same, but the players of these places failed.
pub(crate) fn faulty(
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

/// A game of contest checkers in which anna and bert gave these answers, one second each, after an opening of two
/// moves.
pub(crate) fn played(replies: &[&str]) -> GameRecord {
    let turn = |(place, reply): (usize, &&str)| {
        TurnRecord::new(place % 2, Some(reply.to_string()), Duration::from_secs(1))
    };
    GameRecord {
        game: "checkers".into(),
        rules: "contest".into(),
        opening: ["A3B4", "B6A5"].map(String::from).to_vec(),
        turns: replies.iter().enumerate().map(turn).collect(),
        termination: Termination::TurnLimit,
        ..game(1, &["anna", "bert"], &[0.5, 0.5])
    }
}
