//! Pairs of games to store.

use crownhead_ladder::store::{Entrant, FinishedPair, Lease, PairKey, Store, StoreError};
use crownhead_record::Termination;
use crownhead_record::{GameRecord, PlayerRecord, TurnRecord};
use std::time::Duration;

pub(crate) fn key(one: &str, other: &str, round: u64) -> PairKey {
    let entrant = |bot: &str| Entrant {
        bot: bot.into(),
        version: "1".into(),
    };
    PairKey::new(&entrant(one), &entrant(other), round)
}

fn game(number: u64, black: &str, white: &str, scores: [f64; 2]) -> GameRecord {
    let player = |side, name: &str| PlayerRecord::new(side, name, name);
    // A bot may answer anything.
    let reply = Some("A3B4\0".into());
    GameRecord {
        number,
        seed: 1,
        opening: vec!["C3D4".into(), "B6A5".into()],
        turns: vec![TurnRecord::new(0, reply, Duration::from_micros(1500))],
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

pub(crate) fn games(id: u64) -> [GameRecord; 2] {
    [
        game(2 * id - 1, "anna", "bert", [1.0, 0.0]),
        game(2 * id, "bert", "anna", [0.5, 0.5]),
    ]
}

pub(crate) fn finished(lease: Lease) -> FinishedPair {
    FinishedPair {
        lease,
        games: games(lease.pair),
        replaced: Vec::new(),
        void: None,
    }
}

pub(crate) fn claimed(lease: Option<Lease>) -> Lease {
    lease.expect("no other run holds it")
}

/// Asks like a run: again, while the store is locked or its server is unreachable.
pub(crate) fn ask<T>(mut question: impl FnMut() -> Result<T, StoreError>) -> T {
    loop {
        match question() {
            Err(error) if error.passing().is_some() => {}
            answer => return answer.unwrap(),
        }
    }
}

/// A pair of anna and bert that is stored.
pub(crate) fn play(store: &mut Store, run: u64, round: u64) -> Lease {
    let key = key("anna", "bert", round);
    let lease = claimed(ask(|| store.claim(run, &key)));
    assert_eq!(ask(|| store.finish(run, &[finished(lease)])), [true]);
    lease
}
