//! What ladders say if there is nothing to do, or only to wait.

use crate::common::ladder::{Ladder, THREE};
use predicates::prelude::*;
use rusqlite::Connection;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn a_database_that_another_program_holds_is_named_while_it_is_waited_for() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    let file = ladder.folder.join("games.db");
    for arguments in [&["update", "chance"][..], &["standings"]] {
        let other = Connection::open(&file).unwrap();
        // Nobody reads or writes meanwhile.
        other
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; SELECT * FROM run;")
            .unwrap();
        let mut waiting = Command::new(assert_cmd::cargo::cargo_bin!("crownhead"))
            .args(["ladder", arguments[0]])
            .arg(&ladder.folder)
            .args(&arguments[1..])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(waiting.stderr.take().unwrap()).lines();
        let note = told.next().unwrap().unwrap();
        let expected = "note: games.db: another program holds it; waiting for up to 30 s";
        assert_eq!(note, expected);
        drop(other);
        assert!(waiting.wait().unwrap().success(), "{arguments:?}");
        assert!(told.next().is_none(), "it is told once");
    }
}

#[test]
fn a_run_without_two_bots_is_refused_with_what_to_type() {
    let ladder = Ladder::new("pairs = 1", &[]);
    let folder = ladder.folder.display().to_string();
    let refused = |told: &str| {
        let told = format!("error: {folder} has {told}.\n").replace("DIR", &folder);
        ladder.command("run").assert().code(2).stderr(told);
    };
    let add = "Add one: `crownhead ladder add DIR NAME COMMAND`";
    refused(&format!("no bot to play; two are needed. {add}"));
    ladder.add("anna", "random");
    refused(&format!("one bot to play; two are needed. {add}"));
    ladder.add("bert", "greedy");
    ladder.command("disable").arg("bert").assert().success();
    let enable = "Let bert play again: `crownhead ladder enable DIR bert`";
    refused(&format!("one bot to play; two are needed. {enable}"));
    ladder.command("enable").arg("bert").assert().success();
    ladder.command("run").assert().success();
}

#[test]
fn games_of_a_bot_that_is_not_there_are_refused_with_those_that_are() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    for format in [None, Some("--json")] {
        let mut listed = ladder.list();
        let asked = listed.args(["--bot", "zzz"]).args(format).assert();
        let told = predicate::str::starts_with("error: `--bot`: there is no bot `zzz`. Expected ");
        let told = told.and(predicate::str::contains(THREE[0].0));
        asked.code(2).stdout("").stderr(told);
    }
    let mut opponent = ladder.list();
    opponent.args(["--bot", THREE[0].0, "--opponent", "zzz"]);
    let told = predicate::str::starts_with("error: `--opponent`: there is no bot `zzz`. ");
    opponent.assert().code(2).stderr(told);
}
