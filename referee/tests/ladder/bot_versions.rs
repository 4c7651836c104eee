//! A bot that changes is another version: what was played is what is rated, and what belongs to a version.

use super::bots::{bot, change, rows, script, with_script};
use crate::common::ladder::read;
use crate::common::wait_until;
use predicates::prelude::*;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_bot_that_has_changed_plays_on_only_as_a_new_version_and_is_rated_apart() {
    let ladder = with_script("pairs = 1", "");
    ladder.command("run").assert().success();
    let first = rows(&ladder, "mine")[0]["version"].clone();
    let first = first.as_str().unwrap();
    script(&ladder.folder.join("bots"), "mine.sh", &bot("# better"));
    let folder = ladder.folder.display().to_string();
    let way_out = format!("crownhead ladder update {folder} mine");
    ladder.command("run").assert().code(2).stderr(
        predicate::str::contains(way_out)
            .and(predicate::str::contains("mine.sh differs"))
            .and(predicate::str::contains("--accept-changes")),
    );
    ladder
        .command("update")
        .arg("mine")
        .assert()
        .success()
        .stdout(predicate::str::contains(format!(
            "version {first} are kept and rated apart"
        )));
    ladder.command("run").assert().success();
    let versions = rows(&ladder, "mine");
    assert_eq!(versions.len(), 2, "{versions:?}");
    for row in &versions {
        assert_eq!(row["pairs"], 2, "{row}");
        assert_eq!(row["current"] == true, row["version"] != first, "{row}");
    }
    let table = ladder.command("standings").output().unwrap();
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains(&format!("mine@{first}")), "{table}");
    assert_eq!(ladder.standings()["pairs"], 5);
    for option in ["--crosstable", "--csv"] {
        ladder.command("standings").arg(option).assert().success();
    }
    let history = ladder.folder.join("history.svg");
    ladder
        .command("standings")
        .arg("--plot")
        .arg(history)
        .assert()
        .success();

    // Each game says which versions played it.
    let games = ladder.games("games.jsonl");
    let of_first = |game: &&Value| {
        let players = game["players"].as_array().unwrap();
        players.iter().any(|player| player["version"] == first)
    };
    assert_eq!(games.iter().filter(of_first).count(), 4);

    // What played before can be written out again, and plays as the version it was.
    let restored = ladder.folder.join("restored");
    ladder
        .command("restore")
        .args(["mine", &first[..5]])
        .arg(&restored)
        .assert()
        .success();
    assert_eq!(read(&restored.join("mine.sh")), bot(""));
    std::fs::copy(restored.join("mine.sh"), ladder.folder.join("bots/mine.sh")).unwrap();
    ladder
        .command("run")
        .arg("--accept-changes")
        .assert()
        .success();
    assert_eq!(ladder.standings()["pairs"], 5, "nothing is played again");
    let current = rows(&ladder, "mine");
    let current = current.iter().find(|row| row["current"] == true).unwrap();
    assert_eq!(current["version"], first);
}

#[test]
fn a_bots_command_and_environment_are_part_of_its_version_and_its_interpreter_is_beside_it() {
    let ladder = with_script("pairs = 1", "");
    ladder.command("run").assert().success();
    change(
        &ladder,
        "command = \"greedy\"",
        "command = \"greedy --seed 3\"",
    );
    change(
        &ladder,
        "sh bots/mine.sh\"",
        "sh bots/mine.sh\"\nenv = { DEPTH = \"3\" }",
    );
    ladder.command("run").assert().code(2).stderr(
        predicate::str::contains("its command differs")
            .and(predicate::str::contains("its environment differs")),
    );
    let database = rusqlite::Connection::open(ladder.folder.join("games.db")).unwrap();
    let interpreter = "SELECT interpreter FROM version WHERE bot = 'mine'";
    let interpreter: String = database
        .query_row(interpreter, (), |row| row.get(0))
        .unwrap();
    assert!(
        interpreter.starts_with('/') && interpreter.contains("(sha256 "),
        "{interpreter}"
    );
}

#[test]
fn whether_a_file_may_be_run_is_part_of_a_version() {
    let ladder = with_script("pairs = 1", "");
    ladder.command("run").assert().success();
    let script = ladder.folder.join("bots/mine.sh");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let told = predicate::str::contains("mine.sh").and(predicate::str::contains("ladder update"));
    ladder.command("run").assert().code(2).stderr(told);
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o644)).unwrap();
    ladder.command("run").assert().success();
}

#[test]
fn a_bot_that_changes_while_it_plays_stops_the_run_and_what_it_played_then_is_not_stored() {
    let ladder = with_script("pairs = 20000", "");
    let run = ladder.run_in_background();
    wait_until(
        || "mine plays",
        || rows(&ladder, "mine")[0]["pairs"].as_u64() > Some(2),
    );
    script(&ladder.folder.join("bots"), "mine.sh", &bot("# better"));
    let ended = run.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let versions = rows(&ladder, "mine");
    assert_eq!(versions.len(), 1, "{versions:?}");
    ladder.command("check").assert().success();
}

#[test]
fn what_is_made_from_a_bots_files_is_no_change_of_it() {
    let ladder = with_script("pairs = 1", "");
    ladder.command("run").assert().success();
    let bots = ladder.folder.join("bots");
    for (folder, file) in [
        ("__pycache__", "mine.pyc"),
        (".git", "HEAD"),
        ("target", "CACHEDIR.TAG"),
    ] {
        script(&bots.join(folder), file, "made");
    }
    ladder.command("run").assert().success();
}

#[test]
fn a_file_of_more_than_64_mb_is_refused_unless_the_configuration_names_what_the_bot_consists_of() {
    let ladder = with_script("pairs = 1", "");
    let net = std::fs::File::create(ladder.folder.join("bots/net.bin")).unwrap();
    net.set_len((64 << 20) + 1).unwrap();
    ladder.command("run").assert().code(2).stderr(
        predicate::str::contains("net.bin has more than 64 MB")
            .and(predicate::str::contains("`files = ")),
    );
    change(
        &ladder,
        "sh bots/mine.sh\"",
        "sh bots/mine.sh\"\nfiles = [\"bots/mine.sh\"]",
    );
    ladder.command("run").assert().success();
    change(&ladder, "[\"bots/mine.sh\"]", "[\"bots/net.bin\"]");
    ladder
        .command("run")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("bots/net.bin differ"));
    ladder
        .command("run")
        .arg("--accept-changes")
        .assert()
        .success();
}

#[test]
fn what_allow_read_adds_is_part_of_a_bot_that_names_its_files() {
    let ladder = with_script("pairs = 1\nallow_read = [\"nets\"]", "");
    let net = ladder.folder.join("nets");
    script(&net, "one.net", "a net");
    change(
        &ladder,
        "sh bots/mine.sh\"",
        "sh bots/mine.sh\"\nfiles = [\"bots/mine.sh\"]",
    );
    ladder.command("run").assert().success();
    script(&net, "one.net", "another net");
    ladder
        .command("run")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("nets/one.net differs"));
}
