//! Bots that are disabled, and those that are not.

use super::*;
use crate::Config;
use crate::store::{Entrant, PairKey, UNKNOWN_VERSION};
use crate::tests::{game, summary};

fn bots() -> [String; 2] {
    ["anna", "bert"].map(String::from)
}

/// A pair whose second game ended so, with these scores.
fn pair(termination: Termination, scores: Option<[f64; 2]>) -> Vec<GameRecord> {
    let mut games = vec![
        game(1, "anna", "bert", [1.0, 0.0]),
        game(2, "bert", "anna", [1.0, 0.0]),
    ];
    games[1].termination = termination;
    games[1].scores = scores.map(Into::into);
    games[1].reason = "as told".into();
    games
}

#[test]
fn a_pair_is_named_by_its_two_bots_and_a_round_by_all() {
    assert_eq!(describe(&bots()), "a pair of anna and bert");
    let round = ["anna", "bert", "carl"];
    assert_eq!(describe(&round), "a round of anna, bert and carl");
}

fn told(replay: Option<MustReplay>) -> Option<String> {
    match replay? {
        MustReplay::Because(told) => Some(told.unwrap_or_default()),
        MustReplay::RefereeFailed(told) => Some(told),
        MustReplay::NotStarting { name, reason } => Some(format!("{name} {reason}")),
    }
}

#[test]
fn a_pair_of_games_that_count_is_not_played_again_whatever_ended_them() {
    let mut policy = Policy::default();
    for how in [
        Termination::NoMoves,
        Termination::Crash,
        Termination::Timeout,
    ] {
        let games = pair(how, Some([0.0, 1.0]));
        assert!(policy.must_replay(&bots(), &games).is_none());
    }
    // A suspect game is void for its own reason.
    let mut games = pair(Termination::Timeout, None);
    games[1].suspect = true;
    assert!(policy.must_replay(&bots(), &games).is_none());
}

#[test]
fn a_bot_that_does_not_start_three_times_in_a_row_is_told_by_its_name() {
    let mut policy = Policy::default();
    // In the second game, bert is black and anna is white. The loser did not start.
    let failing = |loser: usize| {
        let scores = [
            f64::from(u8::from(loser != 0)),
            f64::from(u8::from(loser != 1)),
        ];
        pair(Termination::CannotStart, Some(scores))
    };
    let mut replay = |games: &[GameRecord]| told(policy.must_replay(&bots(), games));
    for loser in [0, 0, 1] {
        assert_eq!(replay(&failing(loser)).as_deref(), Some(""), "not told yet");
    }
    // A game that both bots started ends the series.
    assert_eq!(replay(&pair(Termination::NoMoves, Some([1.0, 0.0]))), None);
    for _ in 0..2 {
        assert_eq!(replay(&failing(0)).as_deref(), Some(""));
    }
    let third = replay(&failing(0));
    let reason = "bert could not start 3 times in a row: as told";
    assert_eq!(third.as_deref(), Some(reason));
    policy.bots.disabled = vec![("bert".into(), String::new())];
    let known = told(policy.must_replay(&bots(), &failing(0)));
    assert_eq!(known.as_deref(), Some(""), "nothing that was told before");
}

#[test]
fn a_pair_that_the_referee_spoils_is_played_again_and_ends_the_run_at_the_third_time() {
    let mut policy = Policy::default();
    let spoilt = pair(Termination::RefereeFault, None);
    let mut replay = |games: &[GameRecord]| told(policy.must_replay(&bots(), games));
    let again = Some("a pair is played again: as told");
    assert_eq!(
        [0; 2].map(|_| replay(&spoilt)),
        [again.map(String::from), again.map(String::from)]
    );
    assert_eq!(replay(&pair(Termination::NoMoves, Some([1.0, 0.0]))), None);
    assert_eq!(
        [0; 2].map(|_| replay(&spoilt)),
        [again.map(String::from), again.map(String::from)]
    );
    let third = "the referee spoiled a pair of bert and anna 3 times in a row: as told";
    assert_eq!(replay(&spoilt).as_deref(), Some(third));
}

#[test]
fn an_external_referee_that_fails_in_every_game_of_three_seeds_ends_the_run() {
    let mut policy = Policy::default();
    let spoilt = |seed: u64| {
        let mut games = pair(Termination::RefereeFault, None);
        let referee =
            serde_json::json!({"command": "r", "protocol": "lines", "hash": "", "seed": seed});
        for game in &mut games {
            game.referee = serde_json::from_value(referee.clone()).unwrap();
            game.scores = None;
            game.reason = "as told".into();
        }
        games
    };
    let judged = pair(Termination::NoMoves, Some([0.0, 1.0]));
    let mut replay = |games: &[GameRecord]| told(policy.must_replay(&bots(), games));
    for seed in [1, 1, 2, 2] {
        let again = replay(&spoilt(seed));
        assert!(again.is_none_or(|told| told.starts_with("a pair is played again")));
    }
    assert_eq!(replay(&judged), None);
    for seed in [3, 4] {
        replay(&spoilt(seed));
    }
    let ended = "the referee failed in every game of 3 seeds in a row: as told";
    assert_eq!(replay(&spoilt(5)).as_deref(), Some(ended));
}

#[test]
fn an_external_referee_that_spoils_a_pair_three_times_leaves_it_void() {
    let mut policy = Policy::default();
    let mut spoilt = pair(Termination::RefereeFault, None);
    let referee = serde_json::json!({"command": "r", "protocol": "lines", "hash": "", "seed": 1});
    spoilt[1].referee = serde_json::from_value(referee).unwrap();
    for _ in 0..4 {
        for _ in 0..2 {
            assert!(policy.must_replay(&bots(), &spoilt).is_some());
        }
        assert!(policy.must_replay(&bots(), &spoilt).is_none());
    }
    let void = |games: &[GameRecord]| {
        let games = games.to_vec();
        reason_for_void(&PlayedPair {
            games,
            replaced: Vec::new(),
            interrupted: false,
        })
    };
    assert_eq!(void(&spoilt).as_deref(), Some("as told"));
    spoilt[1].referee = None;
    assert_eq!(void(&spoilt), None, "it is played again");
    spoilt[1].suspect = true;
    assert_eq!(void(&spoilt).as_deref(), Some("as told"));
    assert_eq!(
        void(&pair(Termination::CannotStart, Some([0.0, 1.0]))),
        None
    );
    assert_eq!(void(&pair(Termination::NoMoves, Some([0.0, 1.0]))), None);
}

/// A pair whose two games `a` loses in these ways; void without games.
fn lost_pair(number: u64, games: Option<[Termination; 2]>) -> StoredPair {
    let entrant = |bot: &str| Entrant {
        bot: bot.into(),
        version: UNKNOWN_VERSION.into(),
    };
    let game = |termination| summary(&["a", "b"], &[0.0, 1.0], termination);
    StoredPair {
        number,
        key: PairKey::new(["a", "b"].map(entrant).into(), number),
        finished: number,
        games: games.map(|games| games.map(game).into()),
    }
}

/// The reason to disable `a` after these pairs, if it was enabled after pair `since`.
fn reason(pairs: &[Option<[Termination; 2]>], since: u64) -> Option<String> {
    let bot = |name| format!("[[bot]]\nname = \"{name}\"\ncommand = \"random\"\n");
    let config = Config::parse(&["a", "b"].map(bot).concat()).unwrap();
    let mut roster = Roster::new(&config, &[]);
    let mut conduct = Conduct::new(vec![("a".into(), since)]);
    for (number, games) in (1..).zip(pairs) {
        conduct.add(&mut roster, &lost_pair(number, *games));
    }
    assert_eq!(conduct.reason_to_disable(1), None, "it won them all");
    conduct.reason_to_disable(0)
}

const SOUND: Option<[Termination; 2]> = Some([Termination::NoMoves; 2]);
const CRASHED: Option<[Termination; 2]> = Some([Termination::Crash; 2]);

#[test]
fn a_bot_is_disabled_once_it_has_lost_15_of_its_last_20_games_by_faults() {
    let one_crash = Some([Termination::NoMoves, Termination::Crash]);
    let timeouts = Some([Termination::Timeout; 2]);
    let many = |sound: usize, faults: &[_]| [&vec![SOUND; sound][..], faults].concat();
    assert_eq!(reason(&many(100, &[CRASHED; 7]), 0), None);
    let told = "lost 15 of its last 20 games by faults: 4 timeout, 11 crash";
    let mixed = [
        one_crash, CRASHED, CRASHED, CRASHED, CRASHED, CRASHED, timeouts, timeouts,
    ];
    assert_eq!(reason(&many(100, &mixed), 0).as_deref(), Some(told));
    let told = "lost 16 of its last 16 games by faults: 16 crash";
    assert_eq!(reason(&[CRASHED; 8], 0).as_deref(), Some(told));
    let recovered = [&[CRASHED; 7][..], &[SOUND; 3], &[CRASHED; 3]].concat();
    assert_eq!(reason(&recovered, 0), None);
}

#[test]
fn void_pairs_and_pairs_before_a_bot_was_enabled_do_not_count() {
    let with_void = [&[CRASHED; 7][..], &[None; 9], &[CRASHED; 1]].concat();
    assert!(reason(&with_void, 0).is_some());
    assert_eq!(reason(&[CRASHED; 9], 2), None);
    assert!(reason(&[CRASHED; 9], 1).is_some());
}
