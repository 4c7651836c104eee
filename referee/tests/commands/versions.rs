//! What earlier builds wrote: records, a ladder and results of version 1, as the build of commit 64d3e33 wrote them.

use crate::common::{TestWorkspace, crownhead};
use crownhead_record::{GameRecord, read_games};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    let folder = [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/version-1", name];
    folder.iter().collect()
}

fn text(name: &str) -> String {
    std::fs::read_to_string(fixture(name)).unwrap()
}

fn records(text: &str) -> Vec<GameRecord> {
    read_games(text.as_bytes()).map(Result::unwrap).collect()
}

/// What the program prints of these arguments, with a path at their end.
fn printed(arguments: &[&str], path: &Path) -> String {
    let done = crownhead().args(arguments).arg(path).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

/// A copy of the ladder of version 1.
fn ladder(workspace: &TestWorkspace) -> PathBuf {
    let folder = workspace.path("ladder");
    std::fs::create_dir(&folder).unwrap();
    for name in ["ladder.toml", "games.db"] {
        std::fs::copy(fixture("ladder").join(name), folder.join(name)).unwrap();
    }
    folder
}

#[test]
fn records_of_version_1_are_replayed_in_every_game() {
    let cases = [
        (
            "contest.jsonl",
            "1",
            "random (red)",
            "won: red has no pieces left and loses",
        ),
        (
            "contest.jsonl",
            "2",
            "random (black)",
            "(red) won: black has no pieces left and loses",
        ),
        (
            "classroom.jsonl",
            "1",
            "(white)",
            "30 turns were played: a draw",
        ),
        (
            "everchess.jsonl",
            "1",
            "everchess",
            "(black) won: black has reached the goal",
        ),
        ("chess.jsonl", "1", "chess", "20 turns were played: a draw"),
        (
            "position.jsonl",
            "1",
            "contest checkers",
            "20 turns were played: a draw",
        ),
    ];
    for (name, number, title, verdict) in cases {
        let shown = printed(&["replay", "--game", number], &fixture(name));
        let last = shown.lines().last().unwrap();
        assert!(
            shown.lines().next().unwrap().contains(title),
            "{name}: {shown}"
        );
        assert!(last.contains(verdict), "{name}: {last}");
    }
    let game = &records(&text("contest.jsonl"))[2];
    assert_eq!((game.version, &game.sides), (1, &None));
    assert!(
        game.reason.starts_with("red answered `A3B4` but "),
        "{}",
        game.reason
    );
}

#[test]
fn records_of_this_build_name_the_sides_and_keep_the_keys() {
    let workspace = TestWorkspace::new();
    for (game, red) in [("checkers", "red"), ("chess", "white")] {
        let file = workspace.path(game);
        let path = file.to_str().unwrap();
        workspace.match_json(&[
            "random",
            "greedy",
            "--game",
            game,
            "--games",
            "2",
            "--max-turns",
            "9",
            "--openings",
            "none",
            "--record",
            path,
        ]);
        let record: Value = serde_json::from_str(
            std::fs::read_to_string(&file)
                .unwrap()
                .lines()
                .next()
                .unwrap(),
        )
        .unwrap();
        assert_eq!(record["version"], 2);
        assert_eq!(
            record["sides"],
            serde_json::json!({"black": "black", "white": red})
        );
        let mover = if game == "chess" { "white" } else { "black" };
        assert_eq!(record["turns"][0]["side"], mover);
        assert!(record["white"]["name"].is_string());
    }
}

#[test]
fn fields_that_a_later_build_adds_are_ignored_and_a_later_version_is_refused() {
    let line = text("contest.jsonl").lines().next().unwrap().to_string();
    let later = line.replacen(
        "\"version\":1,",
        "\"version\":2,\"judged_by\":{\"mood\":[1]},",
        1,
    );
    let later = later.replacen("\"us\":", "\"heat\":3,\"us\":", 1);
    let (before, after) = (records(&line).remove(0), records(&later).remove(0));
    assert_eq!(
        after,
        GameRecord {
            version: 2,
            ..before
        }
    );
    for version in ["0", "3"] {
        let other = line.replacen("\"version\":1", &format!("\"version\":{version}"), 1);
        let error = read_games(other.as_bytes()).next().unwrap().unwrap_err();
        let told =
            format!("line 1: the record has version {version}; this program reads versions 1 to 2");
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn a_ladder_of_version_1_is_shown_checked_and_rated_as_it_was() {
    let workspace = TestWorkspace::new();
    let folder = ladder(&workspace);
    let games = printed(&["ladder", "games"], &folder);
    let first = games.lines().next().unwrap();
    assert!(
        first.ends_with("chance (black) against deep (red): draw, 40 turns were played: a draw"),
        "{first}"
    );
    assert!(games.contains(": red, black has no "), "{games}");
    assert!(!games.contains("white"), "{games}");
    assert!(printed(&["ladder", "check"], &folder).contains("18 games: all is well"));

    let standings = printed(&["ladder", "standings", "--json"], &folder);
    let standings: Value = serde_json::from_str(&standings).unwrap();
    let before: Value = serde_json::from_str(&text("ladder/standings.json")).unwrap();
    keeps_the_keys("standings", &before, &standings);
    for (row, before) in standings["rows"]
        .as_array()
        .unwrap()
        .iter()
        .zip(before["rows"].as_array().unwrap())
    {
        for key in ["bot", "pairs", "score", "time_us"] {
            assert_eq!(row[key], before[key], "{key}");
        }
        let change = row["rating"].as_f64().unwrap() - before["rating"].as_f64().unwrap();
        assert!(change.abs() < 0.01, "{row} was {before}");
    }
}

#[test]
fn a_ladder_of_version_1_is_exported_and_plays_on() {
    let workspace = TestWorkspace::new();
    let folder = ladder(&workspace);
    let export = |name: &str| {
        let path = workspace.path(name);
        crownhead()
            .args(["ladder", "export"])
            .args([&folder, &path])
            .assert()
            .success();
        std::fs::read_to_string(path).unwrap()
    };
    let games = records(&export("before.jsonl"));
    assert_eq!(games.len(), 18);
    assert!(games.iter().all(|game| game.version == 1));
    let pdn = export("games.pdn");
    assert!(pdn.contains("[White \"deep\"]\n[WhiteCommand "), "{pdn}");
    assert!(pdn.contains("[WhiteSide \"red\"]"), "{pdn}");

    let config = folder.join("ladder.toml");
    let more = std::fs::read_to_string(&config)
        .unwrap()
        .replace("pairs = 3", "pairs = 4");
    std::fs::write(&config, more).unwrap();
    printed(&["ladder", "run"], &folder);
    let games = records(&export("after.jsonl"));
    let versions: Vec<u32> = games.iter().map(|game| game.version).collect();
    assert_eq!(versions, [[1; 18].as_slice(), &[2; 6]].concat());
    assert!(printed(&["ladder", "check"], &folder).contains("24 games: all is well"));
}

/// A ladder as the build of commit 263e52a left it when it was killed: eight pairs, one that is leased for another
/// fifty years, one bot disabled, its games void.
#[test]
fn a_ladder_of_the_second_schema_plays_on_and_its_games_count_as_the_first_versions() {
    let workspace = TestWorkspace::new();
    let folder = workspace.path("ladder");
    std::fs::create_dir(&folder).unwrap();
    let before = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/version-2/ladder");
    for name in ["ladder.toml", "games.db", "broken"] {
        std::fs::copy(before.join(name), folder.join(name)).unwrap();
    }
    let standings = || -> Value {
        serde_json::from_str(&printed(&["ladder", "standings", "--json"], &folder)).unwrap()
    };
    let before = standings();
    assert_eq!(before["pairs"], 8);
    let rows = before["rows"].as_array().unwrap();
    let broken = rows.iter().find(|row| row["bot"] == "broken").unwrap();
    let reason = broken["benched"].as_str().unwrap();
    assert!(reason.starts_with("could not start 3 times in a row"));
    assert!(printed(&["ladder", "check"], &folder).contains("16 games: all is well"));

    printed(&["ladder", "run"], &folder);
    let after = standings();
    assert_eq!(after["pairs"], 9, "the leased pair is played, none again");
    let rows = after["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4, "{rows:?}");
    for row in rows.iter().filter(|row| row["bot"] != "broken") {
        assert_eq!(
            (&row["pairs"], row["version"].is_string()),
            (&6.into(), true)
        );
    }
    assert!(printed(&["ladder", "check"], &folder).contains("18 games: all is well"));
}

#[test]
fn pdn_of_version_1_is_replayed() {
    let shown = printed(&["replay", "--game", "7"], &fixture("ladder/games.pdn"));
    assert!(shown.starts_with("Game 7: "), "{shown}");
    assert!(shown.lines().next().unwrap().contains("(red)"), "{shown}");
    // It had White's points first, and a header that says who won.
    let pdn = text("ladder/games.pdn");
    let results = |headers: &str| pdn.matches(headers).count();
    assert!(results("[Result \"1-0\"]\n[Winner \"White\"]") > 0);
    let read: Vec<_> = crownhead_record::read_pdn(&pdn).flatten().collect();
    let won = |winner| {
        read.iter()
            .filter(|game| game.result == Some(winner))
            .count()
    };
    use crownhead_record::RecordedResult::{Black, White};
    assert_eq!(won(White), results("[Winner \"White\"]"));
    assert_eq!(won(Black), results("[Winner \"Black\"]"));
}

#[test]
fn results_for_other_programs_keep_every_key_of_version_1() {
    let output = |arguments: &[&str]| -> Value {
        let output = crownhead().args(arguments).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let usual = ["--time", "5s", "--sandbox", "off", "--json"];
    let mut played = vec![
        "match",
        "random",
        "greedy",
        "--games",
        "2",
        "--max-turns",
        "40",
    ];
    played.extend(usual);
    let before = serde_json::from_str(&text("match.json")).unwrap();
    keeps_the_keys("match", &before, &output(&played));
    let mut tested = vec![
        "sprt",
        "random",
        "greedy",
        "--elo0",
        "0",
        "--elo1",
        "200",
        "--max-pairs",
        "2",
    ];
    tested.extend(usual);
    let before = serde_json::from_str(&text("sprt.json")).unwrap();
    keeps_the_keys("sprt", &before, &output(&tested));
}

/// Counts by something that happened or did not.
const COUNTS: [&str; 2] = ["faults", "terminations"];

fn keeps_the_keys(place: &str, before: &Value, after: &Value) {
    match before {
        Value::Object(fields) => {
            for (key, value) in fields {
                let place = format!("{place}.{key}");
                let kept = after.get(key).unwrap_or_else(|| panic!("{place} is gone"));
                if !COUNTS.contains(&key.as_str()) {
                    keeps_the_keys(&place, value, kept);
                }
            }
        }
        Value::Array(values) => {
            for (value, kept) in values.iter().zip(after.as_array().expect(place)) {
                keeps_the_keys(place, value, kept);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn a_bench_of_version_1_is_compared_with() {
    crownhead()
        .args(["bench", "--depth", "2", "--compare"])
        .arg(fixture("bench.json"))
        .assert()
        .success()
        .stderr("");
}
