//! `replay` and `ask` over a ladder's folder: its games are looked at as those of a file.

use crate::common::ladder::{Ladder, THREE};
use crate::common::{TestWorkspace, crownhead};
use predicates::prelude::*;
use std::path::Path;

/// What `crownhead COMMAND PATH ARGUMENTS` prints.
fn printed(command: &str, path: &Path, arguments: &[&str]) -> String {
    let output = crownhead().arg(command).arg(path).args(arguments).output();
    let output = output.unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command} {arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_ladder_is_replayed_and_asked_as_its_exported_games_are() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    let file = ladder.folder.join("all.jsonl");
    ladder.command("export").arg(&file).assert().success();
    for arguments in [
        &["--list"][..],
        &["--list", "--json"],
        &["--json"],
        &["--game", "5", "--json"],
        &["--game", "2", "--turn", "7"],
    ] {
        let [of_ladder, of_file] =
            [&ladder.folder, &file].map(|path| printed("replay", path, arguments));
        assert_eq!(of_ladder, of_file, "{arguments:?}");
    }
    let asked = printed(
        "ask",
        &ladder.folder,
        &["greedy", "--game", "3", "--turn", "6"],
    );
    assert!(asked.starts_with("Game 3, turn 6: "), "{asked}");
    assert!(asked.contains("is a legal move"), "{asked}");
}

#[test]
fn a_game_that_a_ladder_does_not_have_is_refused_with_those_it_has() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    let refused = |path: &Path, arguments: &[&str], told: &str| {
        let mut replay = crownhead();
        replay.arg("replay").arg(path).args(arguments);
        let told = predicate::str::contains(told);
        replay.assert().code(2).stderr(told);
    };
    refused(&ladder.folder, &[], "holds no game");
    ladder.command("run").assert().success();
    let told = "has no game 9. It has 6 games, 1 to 6.";
    refused(&ladder.folder, &["--game", "9"], told);
    let workspace = TestWorkspace::new();
    let told = "is no ladder's folder: there is no ladder.toml in it";
    refused(&workspace.path(""), &[], told);
}

#[test]
fn tables_of_a_ladder_and_of_a_match_are_printed_in_markdown() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    ladder.disable("taker");
    let standings = |flags: &[&str]| {
        let output = ladder.command("standings").args(flags).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let table = standings(&["--markdown"]);
    let lines: Vec<&str> = table.lines().collect();
    let heading =
        "| \\# | bot | rating | ± | P(\\> next) | pairs | score | draws | time/game | faults |";
    assert_eq!(lines[0], heading, "{table}");
    assert_eq!(
        lines[1],
        "| --: | :-- | --: | --: | --: | --: | --: | --: | --: | --: |"
    );
    assert!(
        lines[2..5]
            .iter()
            .all(|line| line.starts_with("| ") && line.ends_with(" |"))
    );
    // What stands below is no row.
    assert_eq!(lines[5], "");
    assert!(lines[6].starts_with("±: the 95 % margin"), "{table}");
    assert_eq!(lines[8..], ["taker is disabled: it fails"]);
    let crosstable = standings(&["--markdown", "--crosstable"]);
    assert_eq!(crosstable.lines().count(), 5, "{crosstable}");
    assert!(
        crosstable.starts_with("|  |  | 1 | 2 | 3 |\n"),
        "{crosstable}"
    );

    let mut play = crownhead();
    play.args([
        "match",
        "random",
        "greedy",
        "--games",
        "2",
        "--max-turns",
        "20",
        "--markdown",
    ]);
    let told = predicate::str::contains("\n| bot | score | 95 % interval |")
        .and(predicate::str::contains("\n| answered in | answers |"))
        .and(predicate::str::contains("\n**ended by**  "));
    play.assert().success().stdout(told);
}
