//! The file of a ladder removed, replaced, overwritten or emptied, while a run uses it or between runs: what was
//! played is kept, and nothing is begun anew unasked.

use super::damage::{games_file, run_and_listen, said, wait_for_pairs};
use crate::common::ladder::{Ladder, THREE, read};
use crate::common::{TestWorkspace, crownhead};
use predicates::prelude::*;
use std::path::Path;
use std::process::Output;

/// A ladder that plays for longer than any test of this file.
fn endless() -> Ladder {
    Ladder::new("pairs = 20000", &THREE)
}

/// Does something to the files of a ladder while it runs, and gives how the run ended.
fn meddle(ladder: &Ladder, with: impl FnOnce(&Path)) -> Output {
    let run = run_and_listen(ladder);
    wait_for_pairs(ladder, 3);
    with(&games_file(ladder));
    run.wait_with_output().unwrap()
}

/// What a run that has lost its file must say: the pairs that it has stored are where it says.
fn tells_where_the_games_are(ladder: &Ladder, output: &Output) {
    let error = said(output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    let rescued = ladder.folder.join("games.rescued-1.db");
    assert!(error.contains(&rescued.display().to_string()), "{error}");
    let kept = rusqlite::Connection::open(&rescued).unwrap();
    let count = "SELECT count(*) FROM pair WHERE finished IS NOT NULL";
    let kept: u64 = kept.query_row(count, (), |row| row.get(0)).unwrap();
    assert!(kept >= 3, "{kept} pairs are kept");
    assert!(error.contains(&format!("{kept} pairs")), "{error}");
}

#[test]
fn a_run_whose_file_is_removed_stops_and_says_where_what_it_stored_is() {
    let ladder = endless();
    let output = meddle(&ladder, |file| {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = file.as_os_str().to_owned();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    });
    tells_where_the_games_are(&ladder, &output);
    assert!(said(&output).contains("was removed"), "{}", said(&output));
    // What was saved goes on where it was.
    let rescued = ladder.folder.join("games.rescued-1.db");
    std::fs::rename(rescued, games_file(&ladder)).unwrap();
    assert!(ladder.standings()["pairs"].as_u64().unwrap() >= 3);
    ladder.command("check").assert().success();
}

#[test]
fn a_run_whose_file_is_replaced_by_another_ladders_stops_and_leaves_that_alone() {
    let (ladder, other) = (endless(), Ladder::new("pairs = 2", &THREE[..2]));
    other.command("run").assert().success();
    let output = meddle(&ladder, |file| {
        let draft = file.with_extension("draft");
        std::fs::copy(games_file(&other), &draft).unwrap();
        std::fs::rename(draft, file).unwrap();
    });
    tells_where_the_games_are(&ladder, &output);
    assert!(said(&output).contains("was replaced"), "{}", said(&output));
}

#[test]
fn a_file_that_is_overwritten_in_its_place_is_told_to_hold_only_what_it_holds() {
    let (ladder, other) = (
        Ladder::new("pairs = 60", &THREE),
        Ladder::new("pairs = 1", &THREE[..2]),
    );
    other.command("run").assert().success();
    let output = meddle(&ladder, |file| {
        std::fs::copy(games_file(&other), file).unwrap();
    });
    // All changes may still be in the log, and then nothing is lost.
    if output.status.success() {
        assert_eq!(ladder.standings()["pairs"], 180, "{}", said(&output));
        ladder.command("check").assert().success();
    }
}

#[test]
fn an_empty_file_is_no_new_ladder() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(ladder.folder.join(format!("games.db{suffix}")));
    }
    std::fs::write(games_file(&ladder), "").unwrap();
    for command in ["run", "standings", "games", "check"] {
        ladder
            .command(command)
            .assert()
            .failure()
            .stderr(predicate::str::contains("the file is empty"));
    }
    ladder
        .command("check")
        .arg("--repair")
        .assert()
        .failure()
        .stderr(predicate::str::contains(
            "begin anew with `crownhead ladder new`",
        ));
    assert_eq!(games_file(&ladder).metadata().unwrap().len(), 0);
}

#[test]
fn a_ladder_whose_games_are_gone_begins_anew_by_ladder_new_alone() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    std::fs::remove_file(games_file(&ladder)).unwrap();
    for command in ["run", "standings", "games", "check"] {
        ladder
            .command(command)
            .assert()
            .code(2)
            .stderr(predicate::str::contains("crownhead ladder new"));
        assert!(!games_file(&ladder).exists(), "{command} makes no file");
    }
    let config = read(&ladder.folder.join("ladder.toml"));
    ladder.command("new").assert().success();
    assert_eq!(read(&ladder.folder.join("ladder.toml")), config);
    ladder.command("run").assert().success();
    ladder
        .command("new")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("there is a ladder here already"));
    assert_eq!(ladder.standings()["pairs"], 3);
}

#[test]
fn a_configuration_that_was_never_played_is_a_new_ladder() {
    let workspace = TestWorkspace::new();
    let folder = workspace.path("plain");
    std::fs::create_dir(&folder).unwrap();
    let config = "pairs = 1\nmax_turns = 9\nsandbox = \"off\"\n\
        [[bot]]\nname = \"a\"\ncommand = \"random\"\n[[bot]]\nname = \"b\"\ncommand = \"greedy\"\n";
    std::fs::write(folder.join("ladder.toml"), config).unwrap();
    let ladder = |command: &str| {
        let mut program = crownhead();
        program.args(["ladder", command]).arg(&folder);
        program.assert().success()
    };
    ladder("standings");
    ladder("check");
    assert!(!folder.join("games.db").exists(), "to look makes nothing");
    ladder("run").stderr(predicate::str::contains("1 pairs finished, 0 left"));
}
