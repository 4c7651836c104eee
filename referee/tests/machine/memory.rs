//! Bots that use more memory than they may, in ways that a process's resident size does not show.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::table::stderr_of;
use crate::common::{TestWorkspace, ordinary_user, played_by};
use crownhead::board::Side;
use crownhead_record::GameRecord;
use crownhead_record::Termination;
use std::process::Command;

/// A bot that is not caught never answers: it times out, however slow the machine is.
const OPTIONS: [&str; 4] = ["--time", "60s", "--max-turns", "1"];

const WAYS: [&str; 4] = [
    "eats-memory 3000",
    "eats-shared 3000",
    "eats-sockets 10",
    NAMELESS,
];

const NAMELESS: &str = "eats-nameless-files 3000";

/// Two helpers, each by itself below the limit: a control group's kernel kills one of them, and the bot plays on.
const BY_HELPERS: &str = "eats-without-first-threads 2";

/// What a program of Rust writes first when it is refused memory.
const REFUSED: &str = "memory allocation of";

/// Whether the game ended because black was out of memory, and says so.
fn assert_out_of_memory(way: &str, game: &GameRecord) {
    let (how, reason) = (game.termination, &game.reason);
    let log = stderr_of(game, Side::Black);
    let probably = how == Termination::Crash && reason.contains("probably out of memory");
    // A bot that is refused memory before it is killed may say so, or not.
    let said = reason.strip_prefix("black's bot used more than 768 MB of memory");
    let surely = how == Termination::OutOfMemory
        && said.is_some_and(|said| said.is_empty() || said.contains(REFUSED));
    assert!(probably || surely, "{way}: {how:?}: {reason}: {log}");
}

/// A control group counts every way alike.
#[test]
fn a_bot_that_takes_too_much_is_out_of_memory() {
    for way in [WAYS[0], NAMELESS] {
        let game = played_by(|program| Command::new(program), way, "honest -", &OPTIONS);
        // Where nothing counts them, such files are refused, and the bot plays on.
        if !stderr_of(&game, Side::Black).contains("refused: nameless files") {
            assert_out_of_memory(way, &game);
        }
    }
}

#[test]
fn an_ordinary_users_bot_is_out_of_memory_by_any_way_and_has_no_nameless_files() {
    let Some(user) = ordinary_user() else {
        println!("skipped: not the administrator");
        return;
    };
    let others = WAYS.iter().filter(|way| **way != NAMELESS);
    for way in others.chain([&BY_HELPERS]) {
        let game = played_by(|program| user.command(program), way, "honest -", &OPTIONS);
        assert_out_of_memory(way, &game);
    }
    let game = played_by(
        |program| user.command(program),
        NAMELESS,
        "honest -",
        &OPTIONS,
    );
    let log = stderr_of(&game, Side::Black);
    assert!(
        log.contains("refused: nameless files"),
        "{}: {log}",
        game.reason
    );
    assert_eq!(game.termination, Termination::TurnLimit);
    let way = "eats-pages-in-pipes 1600";
    let game = played_by(|program| user.command(program), way, "honest -", &OPTIONS);
    let log = stderr_of(&game, Side::Black);
    assert!(log.contains("refused: pages in pipes"), "{log}");
}

#[test]
fn a_limit_that_is_not_held_is_reported_and_refused_where_all_is_required() {
    let Some(user) = ordinary_user() else {
        println!("skipped: not the administrator");
        return;
    };
    let workspace = TestWorkspace::new();
    let program = workspace.open_copy(assert_cmd::cargo::cargo_bin!("crownhead"));
    let run = |sandbox: &str| {
        let words = [
            "match",
            "random",
            "random",
            "--games",
            "1",
            "--sandbox",
            sandbox,
        ];
        let output = user.command(&program).args(words).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, said) = run("auto");
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(said.matches("note: this system lacks").count(), 1, "{said}");
    let doctor = user.command(&program).arg("doctor").output().unwrap();
    let found = String::from_utf8(doctor.stdout).unwrap();
    assert!(found.contains("no control group for memory"), "{found}");
    assert!(found.contains("      To get it: "), "{found}");
    let (status, said) = run("require");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("no control group for memory"), "{said}");
}
