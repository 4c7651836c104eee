//! A ladder never lies about what is stored: its file damaged, not to be written, or on a disk that is full.
#![allow(clippy::print_stdout)] // What is skipped is said.

use crate::common::ladder::{Ladder, THREE, read};
use crate::common::terminal::{all_at_terminal, in_locale};
use crate::common::{TestWorkspace, wait_until};
use predicates::prelude::*;
use std::path::PathBuf;
use std::process::{Command, Output};

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(super) fn games_file(ladder: &Ladder) -> PathBuf {
    ladder.folder.join("games.db")
}

fn database(ladder: &Ladder) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(games_file(ladder)).unwrap();
    connection
        .pragma_update(None, "ignore_check_constraints", true)
        .unwrap();
    connection
}

/// Waits until a run has stored this many pairs.
pub(super) fn wait_for_pairs(ladder: &Ladder, pairs: u64) {
    let stored = || {
        let count = "SELECT count(*) FROM pair WHERE finished IS NOT NULL";
        database(ladder).query_row(count, (), |row| row.get::<_, u64>(0))
    };
    wait_until(
        || "the run stores nothing",
        || stored().is_ok_and(|stored| stored >= pairs),
    );
}

/// `runs/damage` of the ladder's package does more.
#[test]
fn check_finds_damage_and_repairs_it() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    let lose = "DELETE FROM game WHERE pair = 2 AND place = 1";
    database(&ladder).execute(lose, ()).unwrap();
    let told = "is stored where the summary of a game for each of its bots should be";
    let told =
        |more: &'static str| predicate::str::contains(told).and(predicate::str::contains(more));
    let check = ladder.command("check").assert().code(1);
    check.stdout(told("--repair"));
    let standings = ladder.command("standings").assert().code(1);
    standings.stderr(told("crownhead ladder check"));
    let repair = ladder.command("check").arg("--repair").assert().success();
    repair.stdout(predicate::str::ends_with("1 problem fixed: none left\n"));
}

#[test]
fn text_stored_by_a_stranger_cannot_control_a_readers_terminal() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    const STEERS: &str = "\x1b]0;owned\x07\x1b[2J\u{202e}";
    let stored = database(&ladder);
    let disable = "INSERT INTO disabled (bot, reason) SELECT json_extract(bots, '$[0][0]'), ?1 FROM pair WHERE id = 1";
    stored.execute(disable, [STEERS]).unwrap();
    let shown = on_screen(&ladder, "standings");
    assert!(shown.contains("is disabled: \\x1b]0;owned"), "{shown}");
    assert!(!shown.contains("\x1b]0;"), "{shown:?}");
    stored
        .execute("UPDATE game SET summary = ?1 WHERE pair = 1", [STEERS])
        .unwrap();
    for command in ["check", "standings"] {
        let shown = on_screen(&ladder, command);
        assert!(shown.contains("`[\\x1b]0;owned"), "{command}: {shown}");
        assert!(!shown.contains("\x1b]0;"), "{command}: {shown:?}");
    }
}

/// What a command shows at a terminal.
fn on_screen(ladder: &Ladder, name: &str) -> String {
    let mut command = in_locale("C.UTF-8");
    command.args(["ladder", name]).arg(&ladder.folder);
    all_at_terminal(command).screen
}

#[test]
fn games_that_nobody_may_write_are_shown_listed_and_exported() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    // What an interrupted run leaves: changes that are in the log alone.
    let keep = database(&ladder);
    keep.execute("UPDATE run SET began = began + 1", ())
        .unwrap();
    let export = ladder.folder.parent().unwrap().join("games.jsonl");
    // No permission keeps the administrator from writing; that the folder is mounted so does.
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" || exit 77
        shift; exec \"$@\"";
    for command in ["standings", "export", "check"] {
        let mut unshared = Command::new("unshare");
        unshared
            .args(["--mount", "--map-root-user", "sh", "-c", script, "sh"])
            .arg(&ladder.folder)
            .arg(assert_cmd::cargo::cargo_bin("crownhead"))
            .args(["ladder", command])
            .arg(&ladder.folder);
        if command == "export" {
            unshared.arg(&export);
        }
        let output = unshared.output().unwrap();
        if output.status.code() == Some(77) {
            println!("skipped: nothing can be mounted here");
            return;
        }
        assert!(output.status.success(), "{command}: {}", said(&output));
    }
    assert_eq!(read(&export).lines().count(), 6);
}

#[test]
fn a_full_disk_ends_a_run_with_what_is_stored_kept_and_keeps_nobody_from_reading() {
    let workspace = TestWorkspace::new();
    let folder = workspace.path("small");
    std::fs::create_dir(&folder).unwrap();
    let script = r#"mount -t tmpfs -o size=1m none "$1" || exit 77
        cat > "$1/ladder.toml" <<END
pairs = 4000
max_turns = 60
openings = "random 4"
sandbox = "off"
[[bot]]
name = "a"
command = "random"
[[bot]]
name = "b"
command = "greedy"
END
        "$2" ladder new "$1" || exit 70
        "$2" ladder run "$1" 2> "$3/said" && exit 71
        "$2" ladder standings "$1" > "$3/standings" || exit 72
        "$2" replay "$1" --list > "$3/games" || exit 73
        "$2" ladder export "$1" "$3/games.jsonl" || exit 74
        "$2" ladder check "$1" || exit 75"#;
    let output = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", script, "sh"])
        .arg(&folder)
        .arg(assert_cmd::cargo::cargo_bin("crownhead"))
        .arg(workspace.path(""))
        .output()
        .unwrap();
    if output.status.code() == Some(77) {
        println!("skipped: nothing can be mounted here");
        return;
    }
    let said_by_run = std::fs::read_to_string(workspace.path("said")).unwrap_or_default();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{said_by_run}",
        said(&output)
    );
    assert!(said_by_run.contains("full"), "{said_by_run}");
    assert!(
        said_by_run.contains("pairs that it has stored are in"),
        "{said_by_run}"
    );
    // Below the headings.
    let games = read(&workspace.path("games")).lines().count() - 1;
    assert!(games > 10, "{games} games");
    assert_eq!(read(&workspace.path("games.jsonl")).lines().count(), games);
}
