//! The file of a ladder removed or emptied between runs: nothing is begun anew unasked. While a run uses it: `runs/lost_file`
//! of the ladder's package.

use super::damage::games_file;
use crate::common::ladder::{Ladder, THREE, read};
use crate::common::{TestWorkspace, crownhead};
use predicates::prelude::*;

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
    assert_eq!(ladder.standings()["pairs"], 0, "of the games that are gone");
    ladder.command("run").assert().success();
    ladder
        .command("new")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("already has a ladder"));
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
    ladder("run").stderr(predicate::str::contains("1 pair finished, 0 left"));
}
