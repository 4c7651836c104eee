//! A verdict rests on evidence of the bot alone: not on what its opponent does to the referee, not on whether the referee
//! was there, and not on whether it had a core.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::table::{AMPLE, Table, sandbox};
use crate::common::{CpuLoad, TestWorkspace, crownhead, misbehave, played_by};
use crownhead_record::GameRecord;
use crownhead_record::Termination;
use crownhead_sandbox::{Sandbox, SandboxMode};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How many games are played against a hostile bot, in each kind of sandbox.
fn games_of_attack() -> u64 {
    let games = std::env::var("CROWNHEAD_ATTACKS").ok();
    games.map_or(1, |games| games.parse().expect("a number"))
}

/// The attack was made to the end, and white has not lost by it.
fn was_not_late(game: &GameRecord) {
    let is_over = game.termination == Termination::TurnLimit || game.suspect;
    assert!(is_over, "{}: {:?}", game.reason, game.turns);
}

#[test]
fn a_bot_that_holds_or_floods_its_standard_error_makes_no_opponent_late() {
    let _alone = crate::machine::alone();
    for attack in ["holds-stderr", "writes-bytes"] {
        for sandbox in [sandbox(SandboxMode::Auto), Sandbox::none()] {
            let mut table = Table::of(attack, "busy 50").in_sandbox(sandbox);
            table.plan.settings.limits.turn = Duration::from_millis(100);
            table.plan.games = games_of_attack();
            for game in table.play() {
                if game.players[1].name == "busy 50'" {
                    was_not_late(&game);
                }
            }
        }
        let Some(user) = crate::common::ordinary_user() else {
            println!("skipped: not the administrator");
            continue;
        };
        for _ in 0..games_of_attack() {
            let command = |program: &std::path::Path| user.command(program);
            let options = ["--time", "100ms", "--max-turns", "12"];
            was_not_late(&played_by(command, attack, "busy 50", &options));
        }
    }
}

#[test]
fn a_losing_bot_does_not_make_its_game_void() {
    let _alone = crate::machine::alone();
    for way in ["loses-by-bytes", "loses-by-work"] {
        let mut table = Table::of(way, "honest").within(Duration::from_millis(100));
        table.plan.settings.limits.first_turn = AMPLE;
        table.plan.concurrency = 2;
        table.plan.games = 2;
        for game in table.play() {
            assert_eq!(game.termination, Termination::Timeout, "{}", game.reason);
            assert!(!game.suspect && game.scores.is_some(), "{}", game.reason);
        }
    }
}

/// The result of a match by a referee that is stopped this often, for this long each time.
fn stopped(bots: [&str; 2], options: &[&str], times: usize, pause: Duration) -> Value {
    let program = assert_cmd::cargo::cargo_bin!("crownhead");
    let child = Command::new(program)
        .args(["match", bots[0], bots[1], "--json", "--sandbox", "off"])
        .args(options)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid = Pid::from_raw(child.id().cast_signed()).unwrap();
    for _ in 0..times {
        std::thread::sleep(Duration::from_millis(400));
        // The referee alone is stopped, as its shell's Ctrl-Z would: bots are in sessions of their own.
        if kill_process(pid, Signal::TSTP).is_ok() {
            std::thread::sleep(pause);
            let _ = kill_process(pid, Signal::CONT);
        }
    }
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_referee_that_was_stopped_blames_no_bot() {
    let _alone = crate::machine::alone();
    let options = ["--games", "40", "--concurrency", "5", "--time", "1s"];
    let bots = ["greedy", "alphabeta --nodes 20000"];
    let result = stopped(bots, &options, 3, Duration::from_millis(1500));
    assert_eq!(result["faults"], serde_json::json!([]));
    assert_eq!(result["games"], 40);
}

#[test]
fn a_bot_that_thinks_too_long_while_the_referee_is_stopped_gains_nothing() {
    let _alone = crate::machine::alone();
    let program = misbehave();
    let busy = format!("'{}' busy 1500", program.display());
    let options = ["--games", "1", "--time", "500ms", "--first-turn", "500ms"];
    let result = stopped([&busy, "random"], &options, 1, Duration::from_millis(300));
    assert_eq!(result["terminations"], serde_json::json!({"timeout": 1}));
}

#[test]
fn on_a_machine_that_others_load_no_honest_bot_loses_on_time() {
    let _alone = crate::machine::alone();
    let workspace = TestWorkspace::new();
    let _load = CpuLoad::of(4);
    let record = workspace.path("games.jsonl");
    let busy = format!("'{}' busy 60", misbehave().display());
    let done = crownhead()
        .args(["match", &busy, &busy, "--names", "a,b"])
        .args(["--openings", "none", "--games", "2", "--max-turns", "6"])
        .args(["--json", "--record"])
        .arg(&record)
        .assert()
        .success();
    let result: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    assert_eq!(result["faults"], serde_json::json!([]));
    assert_eq!(result["games"], 2);
    let text = std::fs::read_to_string(record).unwrap();
    assert!(
        text.contains("\"given_back_us\":"),
        "nothing was given back"
    );
}
