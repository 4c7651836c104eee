//! A ladder never lies about what is stored: its file damaged, locked or not to be written, while a run uses it or
//! between runs. `lost_file` is about a file that is gone.
#![allow(clippy::print_stdout)] // What is skipped is said.

use crate::common::ladder::{Ladder, THREE, read};
use crate::common::terminal::{all_at_terminal, in_locale};
use crate::common::{TestWorkspace, wait_until};
use predicates::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A run in the background whose words are kept.
pub(super) fn run_and_listen(ladder: &Ladder) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
        .args(["ladder", "run"])
        .arg(&ladder.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(super) fn said(output: &Output) -> String {
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
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    connection
}

/// Waits until a run has stored so many pairs.
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

/// One kind of damage: the SQL that does it, what `check` says of it, and whether standings and runs refuse what is there.
struct Damage(&'static str, &'static str, bool);

/// What is done to a ladder of nine pairs.
const DAMAGES: [Damage; 8] = [
    Damage(
        "DELETE FROM game WHERE pair = 4 AND place = 1",
        "pair 4 cannot be rated: nothing is stored where a text should be",
        true,
    ),
    Damage(
        "UPDATE game SET termination = 'boredom' WHERE pair = 5 AND place = 0",
        "pair 5 cannot be rated: `boredom` is stored where how a game ended should be",
        true,
    ),
    Damage(
        "UPDATE game SET turns = 1000 WHERE pair = 5 AND place = 0",
        "pair 5 has a record that says otherwise than its columns",
        false,
    ),
    Damage(
        "UPDATE game SET record = replace(record, '\"turns\"', '\"torns\"') WHERE pair = 6",
        "pair 6 cannot be read",
        false,
    ),
    Damage(
        "UPDATE game SET black = 'chance', white = 'chance' WHERE pair = 7",
        "pair 7 has a record that says otherwise than its columns",
        false,
    ),
    Damage(
        "UPDATE game SET record = json_set(record, '$.termination', 'timeout', '$.turns[#-1].lag_us', 20000000),
            termination = 'timeout'
         WHERE pair = 7 AND place = 1",
        "game 14: it was lost on time, and the referee was not watching for 20.00 s",
        false,
    ),
    Damage(
        "UPDATE pair SET void = 'why not' WHERE id = 9",
        "pair 9 is not finished, or void, and has games",
        false,
    ),
    Damage(
        "UPDATE pair SET finished = NULL, finished_at = NULL WHERE id = 1",
        "pair 1 is not finished, or void, and has games",
        false,
    ),
];

#[test]
fn check_finds_each_damage_and_repair_keeps_a_copy_and_has_the_pair_played_again() {
    let ladder = Ladder::new("pairs = 3", &THREE);
    ladder.command("run").assert().success();
    let sound = read_bytes(&games_file(&ladder));
    for Damage(sql, told, refused) in DAMAGES {
        std::fs::write(games_file(&ladder), &sound).unwrap();
        database(&ladder).execute(sql, ()).unwrap();
        ladder
            .command("check")
            .assert()
            .code(1)
            .stdout(predicate::str::contains(told).and(predicate::str::contains("--repair")));
        let shown = ladder.command("standings").output().unwrap();
        assert_eq!(shown.status.success(), !refused, "{sql}: {}", said(&shown));
        if refused {
            for command in ["standings", "run"] {
                ladder.command(command).assert().code(1).stderr(
                    predicate::str::contains("cannot be rated")
                        .and(predicate::str::contains("crownhead ladder check")),
                );
            }
        }
        ladder
            .command("check")
            .arg("--repair")
            .assert()
            .success()
            .stdout(predicate::str::contains("a copy of the games as they were"));
        let copy = ladder.folder.join("games.rescued-1.db");
        assert!(copy.is_file());
        std::fs::remove_file(copy).unwrap();
        ladder
            .command("check")
            .assert()
            .success()
            .stdout(predicate::str::contains("all is well"));
        assert_eq!(ladder.standings()["pairs"], 8, "{sql}");
        ladder.command("run").assert().success();
        assert_eq!(ladder.standings()["pairs"], 9, "{sql}");
    }
}

/// Rows that the tables' own constraints forbid: nothing is mended there, and nothing hangs or is rated.
#[test]
fn rows_that_no_crownhead_can_have_written_are_told_and_refused() {
    let ladder = Ladder::new("pairs = 3", &THREE);
    ladder.command("run").assert().success();
    let sound = read_bytes(&games_file(&ladder));
    for sql in [
        "UPDATE pair SET finished = -3 WHERE id = 2",
        "UPDATE pair SET round = -1 WHERE id = 3",
        "UPDATE game SET black_us = -5 WHERE pair = 5 AND place = 0",
    ] {
        std::fs::write(games_file(&ladder), &sound).unwrap();
        database(&ladder).execute(sql, ()).unwrap();
        ladder
            .command("check")
            .assert()
            .code(1)
            .stdout(predicate::str::contains("cannot be rated: -"));
        for command in ["standings", "run"] {
            ladder
                .command(command)
                .timeout(Duration::from_secs(60))
                .assert()
                .code(1)
                .stderr(predicate::str::contains("cannot be rated: -"));
        }
    }
}

#[test]
fn a_pair_under_a_number_that_no_pair_has_is_told_and_played_again_under_another() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    let renumber = "UPDATE game SET pair = 0 WHERE pair = 1;
         UPDATE pair SET id = 0 WHERE id = 1";
    database(&ladder).execute_batch(renumber).unwrap();
    let told = predicate::str::contains("pair 0 has a number that no pair has");
    let check = ladder.command("check").assert();
    check.code(1).stdout(told.clone());
    ladder
        .command("standings")
        .assert()
        .code(1)
        .stderr(told.clone());
    let repair = ladder.command("check").arg("--repair").assert();
    repair.success().stdout(told);
    ladder.command("run").assert().success();
    ladder.command("check").assert().success();
    assert_eq!(ladder.standings()["pairs"], 3);
}

#[test]
fn what_a_stranger_stored_steers_no_terminal_of_whoever_looks_at_the_ladder() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    const STEERS: &str = "\x1b]0;owned\x07\x1b[2J\u{202e}";
    let stored = database(&ladder);
    let disable = "INSERT INTO disabled (bot, reason) SELECT first, ?1 FROM pair WHERE id = 1";
    stored.execute(disable, [STEERS]).unwrap();
    let shown = on_screen(&ladder, "standings");
    assert!(shown.contains("is disabled: \\x1b]0;owned"), "{shown}");
    assert!(!shown.contains("\x1b]0;"), "{shown:?}");
    stored
        .execute("UPDATE game SET result = ?1 WHERE pair = 1", [STEERS])
        .unwrap();
    for command in ["check", "standings"] {
        let shown = on_screen(&ladder, command);
        assert!(shown.contains("`\\x1b]0;owned"), "{command}: {shown}");
        assert!(!shown.contains("\x1b]0;"), "{command}: {shown:?}");
    }
}

/// What a command shows at a terminal.
fn on_screen(ladder: &Ladder, name: &str) -> String {
    let mut command = in_locale("C.UTF-8");
    command.args(["ladder", name]).arg(&ladder.folder);
    all_at_terminal(command).screen
}

/// Claims of runs that there are not end as those of killed runs do.
#[test]
fn a_claim_of_a_run_that_there_never_was_ends_and_the_pair_is_played() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    let claim = "UPDATE pair SET run = 999, finished = NULL, finished_at = NULL WHERE id = 2";
    let database = database(&ladder);
    database
        .execute("DELETE FROM game WHERE pair = 2", ())
        .unwrap();
    database.execute(claim, ()).unwrap();
    drop(database);
    ladder
        .command("run")
        .timeout(Duration::from_secs(60))
        .assert()
        .success();
    assert_eq!(ladder.standings()["pairs"], 3);
}

#[test]
fn a_gap_of_watching_is_no_damage_where_it_was_shorter_than_a_turn_or_cost_no_game() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    database(&ladder)
        .execute_batch(
            "UPDATE game SET record = json_set(record, '$.termination', 'timeout', '$.turns[#-1].lag_us', 19999999),
                termination = 'timeout' WHERE pair = 1;
             UPDATE game SET record = json_set(record, '$.turns[0].lag_us', 60000000) WHERE pair = 2;",
        )
        .unwrap();
    ladder
        .command("check")
        .assert()
        .success()
        .stdout(predicate::str::contains("all is well"));
}

fn read_bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn a_lock_of_a_stranger_holds_a_run_up_and_does_not_end_it() {
    let seconds = std::env::var("CROWNHEAD_LOCK_SECONDS");
    let seconds = seconds.map_or(6, |seconds| seconds.parse().unwrap());
    let ladder = Ladder::new("pairs = 60", &THREE);
    let run = run_and_listen(&ladder);
    wait_for_pairs(&ladder, 3);
    let mut stranger = database(&ladder);
    stranger.busy_timeout(Duration::from_secs(10)).unwrap();
    let lock = stranger
        .transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive)
        .unwrap();
    std::thread::sleep(Duration::from_secs(seconds));
    drop(lock);
    let output = run.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("another program has locked it"),
        "{}",
        said(&output)
    );
    assert_eq!(ladder.standings()["pairs"], 180);
    ladder.command("check").assert().success();
}

#[test]
fn games_that_nobody_may_write_are_shown_listed_and_exported() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    // What an interrupted run leaves: changes that are in the log alone.
    let keep = database(&ladder);
    keep.execute("UPDATE run SET beat = beat + 1", ()).unwrap();
    let export = ladder.folder.parent().unwrap().join("games.jsonl");
    // No permission keeps the administrator from writing; that the folder is mounted so does.
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" || exit 77
        shift; exec \"$@\"";
    for command in ["standings", "games", "export", "check"] {
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
        "$2" ladder games "$1" > "$3/games" || exit 73
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
    let games = read(&workspace.path("games")).lines().count();
    assert!(games > 10, "{games} games");
    assert_eq!(read(&workspace.path("games.jsonl")).lines().count(), games);
}
