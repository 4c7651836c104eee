//! Pairs of games to store.

use crownhead_ladder::store::{Entrant, FinishedPair, Lease, PairKey, Store, StoreError};
use crownhead_record::Termination;
use crownhead_record::{GameRecord, PlayerRecord, TurnRecord};
use std::time::Duration;

pub(crate) fn key(bots: &[&str], round: u64) -> PairKey {
    let entrant = |bot: &&str| Entrant {
        bot: bot.to_string(),
        version: "1".into(),
    };
    PairKey::new(bots.iter().map(entrant).collect(), round)
}

fn game(number: u64, players: &[&str], scores: &[f64]) -> GameRecord {
    let player = |name: &&str| PlayerRecord::new("player", *name, *name);
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
        ..GameRecord::new("checkers", "contest", players.iter().map(player).collect())
    }
}

pub(crate) fn games(id: u64) -> Vec<GameRecord> {
    vec![
        game(2 * id - 1, &["anna", "bert"], &[1.0, 0.0]),
        game(2 * id, &["bert", "anna"], &[0.5, 0.5]),
    ]
}

/// The games of three bots, with seats rotated.
pub(crate) fn round(id: u64) -> Vec<GameRecord> {
    let mut players = ["anna", "bert", "carl"];
    let game = |number| {
        let game = game(3 * id - number, &players, &[1.0, 0.25, 0.25]);
        players.rotate_left(1);
        game
    };
    [2, 1, 0].map(game).into()
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
    let key = key(&["anna", "bert"], round);
    let lease = claimed(ask(|| store.claim(run, &key)));
    assert_eq!(ask(|| store.finish(run, &[finished(lease)])), [true]);
    lease
}
