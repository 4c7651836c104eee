//! Formats and their versions: what this build writes names its version, and what has another version is refused.

use crate::common::TestWorkspace;
use crate::common::ladder::{Ladder, THREE};
use crownhead_record::{GameRecord, VERSION, read_games};
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

/// The totals of two games that were just played, and their records.
fn played(workspace: &TestWorkspace, game: &str) -> (Value, String) {
    let file = workspace.path(game);
    let path = file.to_str().unwrap();
    let options = ["--games", "2", "--max-turns", "9", "--openings", "none"];
    let to = ["--game", game, "--record", path];
    let totals = workspace.match_json(&[&["random", "greedy"][..], &options, &to].concat());
    (totals, std::fs::read_to_string(&file).unwrap())
}

fn first_record(text: &str) -> GameRecord {
    read_games(text.as_bytes()).next().unwrap().unwrap()
}

#[test]
fn records_name_their_version_and_they_and_totals_call_the_sides_as_the_game_does() {
    let workspace = TestWorkspace::new();
    for (game, red) in [("checkers", "red"), ("chess", "white")] {
        let (totals, text) = played(&workspace, game);
        let bot = totals["bots"][0].as_object().unwrap();
        let sides = bot.keys().filter_map(|key| key.strip_prefix("as_"));
        assert_eq!(sides.collect::<Vec<_>>(), ["black", red]);
        let record: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(record["version"], VERSION);
        let side = |player: usize| &record["players"][player]["side"];
        assert_eq!([side(0), side(1)], ["black", red]);
        assert_eq!(record["turns"][0]["player"], i32::from(game == "chess"));
        assert!(record["players"][1]["name"].is_string());
        if red == "red" {
            assert!(!totals.to_string().contains("white") && !text.contains("white"));
        }
    }
}

#[test]
fn fields_that_a_later_build_adds_are_ignored_and_another_version_is_refused() {
    let workspace = TestWorkspace::new();
    let (_, line) = played(&workspace, "checkers");
    let version = format!("\"version\":{VERSION},");
    let with = |text: &str| line.replacen(&version, text, 1);
    let later = with(&format!("{version}\"judged_by\":{{\"mood\":[1]}},"));
    let later = later.replacen("\"us\":", "\"heat\":3,\"us\":", 1);
    assert_eq!(first_record(&later), first_record(&line));
    for other in [0, VERSION - 1, VERSION + 1] {
        let text = with(&format!("\"version\":{other},"));
        let error = read_games(text.as_bytes()).next().unwrap().unwrap_err();
        let told =
            format!("line 1: the record has version {other}; this program reads version {VERSION}");
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn a_ladder_of_another_version_is_refused_by_every_command_and_left_as_it_is() {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    ladder.command("run").assert().success();
    let file = ladder.folder.join("games.db");
    let version = |file: &Path| -> i64 {
        let database = rusqlite::Connection::open(file).unwrap();
        let read = |row: &rusqlite::Row<'_>| row.get(0);
        database
            .pragma_query_value(None, "user_version", read)
            .unwrap()
    };
    let written = version(&file);
    for other in [-1, 0, written - 1, written + 1] {
        let database = rusqlite::Connection::open(&file).unwrap();
        database.pragma_update(None, "user_version", other).unwrap();
        drop(database);
        for command in ["run", "standings", "check"] {
            let told = format!("version {other}; this program uses version {written}");
            ladder
                .command(command)
                .assert()
                .failure()
                .stderr(predicate::str::contains(told));
        }
        assert_eq!(version(&file), other);
    }
}
