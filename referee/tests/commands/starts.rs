//! Bots that cannot be started, which a match finds before its first game, and the faults that many games share.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::skip::is_there;
use crate::common::{TestWorkspace, crownhead};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A match of this bot in this folder: its status, and what it says on both streams.
fn played(folder: &Path, bot: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let mut command = crownhead();
    command
        .args(["match", bot, "random", "--seed", "1", "--openings", "none"])
        .args(["--max-turns", "4", "--first-turn", "30s"])
        .args(more)
        .current_dir(folder);
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Writes a file that may be run.
fn program(workspace: &TestWorkspace, name: &str, content: &[u8]) {
    let path = workspace.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
}

/// A program of this machine, made one of another.
fn of_another_machine() -> Vec<u8> {
    let mut program = std::fs::read("/bin/sh").unwrap();
    // `e_machine` of elf(5): 8 is MIPS.
    (program[18], program[19]) = (8, 0);
    program
}

#[test]
fn a_bot_that_cannot_be_started_ends_the_match_before_its_first_game() {
    let workspace = TestWorkspace::new();
    program(&workspace, "lost", b"#!/no/such/interpreter\n");
    program(&workspace, "lost_too", b"#!/usr/bin/env no-such-program\n");
    program(&workspace, "windows", b"#!/bin/sh\r\nread colour\r\n");
    program(
        &workspace,
        "windows_too",
        b"#!/usr/bin/env sh\r\nread colour\r\n",
    );
    program(&workspace, "no_line.py", b"print()\n");
    program(&workspace, "empty", b"");
    program(&workspace, "other", &of_another_machine());
    program(&workspace, "bot.sh", b"");
    let cases = [
        (
            "./lost",
            "`lost` cannot start: the first line of `lost` names `/no/such/interpreter`, which is not installed",
        ),
        (
            "./lost_too",
            "`lost_too` cannot start: there is no `no-such-program`",
        ),
        (
            "./windows",
            "`windows` cannot start: `windows` has Windows line endings. Convert it: `sed -i",
        ),
        (
            "./windows_too",
            "`windows_too` cannot start: `windows_too` has Windows line endings",
        ),
        (
            "./no_line.py",
            "`no_line` cannot start: the first line of `no_line.py` does not begin with `#!`. Run it as",
        ),
        (
            "./empty",
            "`empty` cannot start: the first line of `empty` does not begin with `#!`",
        ),
        (
            "./other",
            "`other` cannot start: `other` is no program that this machine can run. Compile it here",
        ),
        (
            "sh bott.sh",
            "`sh` cannot start: there is no `bott.sh`. Did you mean `bot.sh`?",
        ),
        (
            "env sh -e bott.sh",
            "`env` cannot start: there is no `bott.sh`",
        ),
        ("perl no.pl", "`perl` cannot start: there is no `no.pl`"),
        (
            "python3 no.py",
            "`python3` cannot start: there is no `no.py`",
        ),
        (
            "python3 -m no.such",
            "`no.such` cannot start: there is no `no.such`",
        ),
        ("node no.js", "`node` cannot start: there is no `no.js`"),
        (
            "java -jar no.jar",
            "`no.jar` cannot start: there is no `no.jar`",
        ),
        (
            "java -cp in NoSuch",
            "`NoSuch` cannot start: there is no `NoSuch`",
        ),
    ];
    for ((bot, sentence), sandbox) in cases.into_iter().zip(["auto", "off"].into_iter().cycle()) {
        let interpreter = bot.split(' ').next().unwrap();
        if ["python3", "node", "java"].contains(&interpreter) && !is_there(interpreter) {
            continue;
        }
        let more = ["--sandbox", sandbox, "--record", "games.jsonl"];
        let (status, shown, error) = played(workspace.path("").as_path(), bot, &more);
        assert_eq!((status, shown.as_str()), (Some(2), ""), "{bot}: {error}");
        let sentence = format!("error: {sentence}");
        assert!(
            error.starts_with(&sentence) && error.lines().count() == 1,
            "{bot}: {error}"
        );
        assert!(
            !error.contains("allow-") && !error.contains("os error"),
            "{bot}: {error}"
        );
    }
    assert!(!workspace.path("games.jsonl").exists());
}

#[test]
fn a_bot_that_waits_for_an_unopened_pipe_has_started() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("waits", "");
    program(&workspace, "waits", b"#!/bin/sh\nread line < pipe\n");
    let made = std::process::Command::new("mkfifo")
        .arg(workspace.path("pipe"))
        .status();
    assert!(made.unwrap().success());
    let more = ["--games", "1", "--first-turn", "1ms"];
    let mut command = crownhead();
    command
        .args(["match", &bot, "random", "--openings", "none"])
        .args(more);
    let output = command.current_dir(workspace.path("")).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("did not answer within 1 ms"), "{shown}");
}

#[test]
fn a_fault_that_games_share_is_reported_once_with_their_numbers() {
    let workspace = TestWorkspace::new();
    let dies = workspace.bot("dies", "turn; echo lost >&2; exit 3");
    let (status, shown, error) = played(workspace.path("").as_path(), &dies, &["--games", "4"]);
    assert_eq!(status, Some(0), "{error}");
    let told = "games 1–4 (dies): the bot ended with exit status 3 instead of answering";
    assert!(shown.contains(told), "{shown}");
    assert_eq!(shown.matches("exit status 3").count(), 1, "{shown}");
    assert_eq!(shown.matches("| lost").count(), 1, "{shown}");
}
