//! Games that were played are kept and shown, however a match or a test ends.

use crate::common::{AMPLE_TIME, TestWorkspace, crownhead, match_of, wait_until};
use predicates::prelude::*;
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::process::{Command, Stdio};

/// A bot that plays one game, and never ends the next: it makes the folder `NAME.second` then.
pub(super) fn plays_one_game(workspace: &TestWorkspace) -> String {
    workspace.bot(
        "once",
        r#"[ "$colour" ] || exit 0 # It was only tried whether it starts.
        mkdir "$0.first" 2>/dev/null || { mkdir "$0.second"; sleep 600; }
        while turn; do echo "$move"; done"#,
    )
}

/// Options under which that bot plays: it waits for as long as it takes, and may make folders.
const PATIENT: [&str; 12] = [
    "--time",
    "600s",
    "--first-turn",
    "600s",
    "--max-turns",
    "4",
    "--openings",
    "none",
    "--concurrency",
    "1",
    "--sandbox",
    "off",
];

/// Runs a command on the bot that plays one game, interrupts it in the second, and gives its status and standard error.
/// Its standard output has no reader.
pub(super) fn interrupted(command: &[&str], bot: &str, record: &Path) -> (Option<i32>, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("crownhead"))
        .args(command)
        .args([bot, "random"])
        .args(PATIENT)
        .arg("--record")
        .arg(record)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let begun = format!("{bot}.second");
    wait_until(
        || "the second game takes too long",
        || Path::new(&begun).exists(),
    );
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), told)
}

#[test]
fn an_interrupt_keeps_what_was_played_also_where_the_reader_of_the_result_is_gone() {
    let cases: [(&[&str], &str, &str, &str); 3] = [
        (
            &["match"],
            "games.jsonl",
            "\"number\":",
            "1 game of contest checkers",
        ),
        (
            &["match"],
            "games.pdn",
            "[Round ",
            "1 game of contest checkers",
        ),
        (
            &["sprt"],
            "games.jsonl",
            "\"number\":",
            "Undecided whether once is better than random",
        ),
    ];
    for (command, file, mark, result) in cases {
        let workspace = TestWorkspace::new();
        let (bot, record) = (plays_one_game(&workspace), workspace.path(file));
        let (status, told) = interrupted(command, &bot, &record);
        assert_eq!(status, Some(130), "{told}");
        assert!(told.contains(result), "{told}");
        let games = std::fs::read_to_string(&record).unwrap();
        assert_eq!(games.matches(mark).count(), 1, "{command:?}: {games}");
        // The second game was not played.
        assert!(!(told + &games).contains("fault"), "{command:?}: {games}");
    }
}

#[test]
fn a_result_that_standard_output_cannot_hold_goes_to_standard_error() {
    let full = || std::fs::File::create("/dev/full").unwrap();
    for (command, status) in [("match", 1), ("sprt", 4)] {
        let short: &[&str] = match command {
            "match" => &["--games", "2"],
            _ => &["--max-pairs", "1"],
        };
        let output = Command::new(assert_cmd::cargo::cargo_bin!("crownhead"))
            .args([command, "random", "greedy", "--max-turns", "4"])
            .args(short)
            .args(AMPLE_TIME)
            .stdout(full())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{told}");
        assert!(told.contains("turn limit 2"), "{told}");
        let error = "error: standard output: the disk is full.\n";
        assert!(told.ends_with(error), "{told}");
    }
}

#[test]
fn the_games_until_a_disk_is_full_are_shown_with_the_reason() {
    match_of("random", "greedy", 4, 1)
        .args(["--max-turns", "4", "--concurrency", "1"])
        .args(AMPLE_TIME)
        .args(["--record", "/dev/full"])
        .assert()
        .code(1)
        .stdout(predicate::str::contains("1 game of contest checkers"))
        .stderr(predicate::str::contains("`/dev/full`: the disk is full"));
    crownhead()
        .args(["sprt", "random", "greedy", "--max-turns", "4"])
        .args(AMPLE_TIME)
        .args(["--record", "/dev/full"])
        .assert()
        .code(4)
        .stdout(predicate::str::contains("turn limit 2"))
        .stderr(predicate::str::contains("`/dev/full`: the disk is full"));
}

#[test]
fn a_record_that_may_not_grow_ends_with_a_whole_game() {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games.jsonl");
    // 16 or 32 KB, as shells count. Who ignores the signal is told by an error.
    let script = "trap '' XFSZ; ulimit -f 32; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("crownhead"))
        .args(["match", "random", "random", "--games", "100", "--seed", "1"])
        .args(AMPLE_TIME)
        .args(["--max-turns", "20", "--concurrency", "1", "--record"])
        .arg(&record)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("the file may not become larger"), "{told}");
    let games = std::fs::read_to_string(&record).unwrap();
    let kept = games.lines().count();
    assert!(games.ends_with("}\n") && kept > 1, "{games}");
    // The game that found no place is shown too.
    let result = String::from_utf8(output.stdout).unwrap();
    let shown = format!("{} games of contest checkers", kept + 1);
    assert!(result.starts_with(&shown), "{result}");
}
