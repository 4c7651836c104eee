//! Ladders and sequential tests of bots that an external referee judges.

use super::{AMPLE, crownhead, dice_bot, referee};
use crate::common::TestWorkspace;
use serde_json::Value;
use std::path::Path;

/// A folder with a ladder of these bots.
fn ladder(referee: &str, bots: &[&str]) -> TestWorkspace {
    let folder = TestWorkspace::new();
    let mut text = format!("referee = '{referee}'\npairs = 2\nseed = 3\n");
    for how in bots {
        text += &format!("[[bot]]\nname = \"{how}\"\ncommand = '{}'\n", dice_bot(how));
    }
    std::fs::write(folder.path("ladder.toml"), text).unwrap();
    folder
}

/// Runs a command of ladders in that folder: its status and all that it says.
fn run(folder: &TestWorkspace, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = crownhead();
    command
        .current_dir(folder.path(""))
        .arg("ladder")
        .args(arguments);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn a_ladder_plays_seeds_rates_the_bots_and_knows_its_referee() {
    let folder = ladder(&referee("engine", AMPLE), &["best", "worst", "garbage"]);
    for arguments in [["new", "."], ["run", "."]] {
        let (status, told) = run(&folder, &arguments);
        assert_eq!(status, Some(0), "{told}");
    }
    let (_, standings) = run(&folder, &["standings", ".", "--json"]);
    let standings: Value = serde_json::from_str(&standings).unwrap();
    let rows = standings["rows"].as_array().unwrap();
    let order: Vec<&Value> = rows.iter().map(|row| &row["bot"]).collect();
    assert_eq!(order, ["best", "worst", "garbage"]);
    let (_, checked) = run(&folder, &["check", "."]);
    assert!(
        checked.contains("3 bots and 12 games: all is well"),
        "{checked}"
    );

    // Games of another referee are not rated with these.
    let path = folder.path("ladder.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace(AMPLE, "--limit 9000")).unwrap();
    let (status, refused) = run(&folder, &["run", "."]);
    assert_ne!(status, Some(0));
    assert!(refused.contains("referee's hash was "), "{refused}");
    assert!(Path::new(&path).exists());
}

#[test]
fn a_referee_that_is_not_there_is_told_with_its_line() {
    let folder = ladder("nothing.jar", &["best"]);
    let (status, told) = run(&folder, &["new", "."]);
    assert_eq!(status, Some(2), "{told}");
    assert!(
        told.contains("ladder.toml") && told.contains("line 1"),
        "{told}"
    );
    assert!(told.contains("there is no program `nothing.jar`"), "{told}");
}

#[test]
fn a_sequential_test_finds_the_better_bot() {
    let mut command = crownhead();
    command
        .arg("sprt")
        .args([dice_bot("best"), dice_bot("worst")]);
    command.args([
        "--name",
        "best",
        "--name",
        "worst",
        "--elo1",
        "300",
        "--min-pairs",
        "4",
    ]);
    command.args(["--referee", &referee("engine", AMPLE), "--json"]);
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    let result: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"));
    assert_eq!(result["verdict"], "better", "{result:#}");
}
