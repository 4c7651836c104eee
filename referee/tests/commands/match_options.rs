//! What `crownhead match` plays and shows: openings, several bots, Elo, and the files it writes.

use crate::common::{AMPLE_TIME, TestWorkspace, crownhead, records};
use serde_json::Value;

#[test]
fn games_that_repeat_others_are_counted() {
    let repeated = |openings: &str| {
        let played = crownhead()
            .args(["match", "alphabeta --depth 1", "alphabeta --depth 2"])
            .args(["--games", "6", "--seed", "1", "--max-turns", "20"])
            .args(["--openings", openings, "--json"])
            .args(AMPLE_TIME)
            .output()
            .unwrap();
        let result: Value = serde_json::from_slice(&played.stdout).unwrap();
        assert_eq!(result["openings"], openings);
        result["repeated"].clone()
    };
    assert_eq!(repeated("none"), 4, "three times the same pair");
    assert_eq!(repeated("ballots"), 0);
}

#[test]
fn openings_are_varied_unless_the_contests_start_is_wanted() {
    let openings = |arguments: &[&str]| {
        let played = crownhead()
            .args([
                "match",
                "random",
                "greedy",
                "--games",
                "1",
                "--max-turns",
                "8",
                "--json",
            ])
            .args(arguments)
            .output()
            .unwrap();
        let result: Value = serde_json::from_slice(&played.stdout).unwrap();
        assert!(result["seed"].as_u64().unwrap() < 1 << 53);
        result["openings"].as_str().unwrap().to_string()
    };
    assert_eq!(openings(&[]), "ballots");
    assert_eq!(openings(&["--game", "everchess"]), "random 6");
    assert_eq!(openings(&["--profile", "contest"]), "none");
    assert_eq!(
        openings(&["--profile", "contest", "--openings", "ballots"]),
        "ballots"
    );
    assert_eq!(openings(&["--openings", "none"]), "none");
}

#[test]
fn games_without_progress_are_adjudicated_if_asked_and_say_so_in_record_and_totals() {
    let workspace = TestWorkspace::new();
    let (openings, record) = (workspace.path("kings.fen"), workspace.path("games.jsonl"));
    // Two kings on each side, in double corners: neither can catch the other by chance in twelve turns.
    std::fs::write(&openings, "B:WK28,K32:BK1,K5\n").unwrap();
    let result = workspace.match_json(&[
        "random",
        "random",
        "--games",
        "2",
        "--seed",
        "1",
        "--adjudicate",
        "12",
        "--openings",
        openings.to_str().unwrap(),
        "--record",
        record.to_str().unwrap(),
    ]);
    assert_eq!(result["terminations"]["adjudicated"], 2, "{result}");
    for game in records(&record) {
        assert_eq!(
            (&game["scores"], &game["termination"]),
            (&serde_json::json!([0.5, 0.5]), &"adjudicated".into())
        );
        assert!(game["turns"].as_array().unwrap().len() >= 12, "{game}");
    }
    let replayed = crownhead().arg("replay").arg(&record).assert().success();
    let text = String::from_utf8(replayed.get_output().stdout.clone()).unwrap();
    assert!(
        text.contains("12 turns without progress: adjudicated a draw"),
        "{text}"
    );
}

#[test]
fn random_openings_may_be_asked_to_be_balanced() {
    let workspace = TestWorkspace::new();
    let arguments = ["random", "random", "--games", "2", "--seed", "1"];
    let openings = ["--openings", "random 8 balanced", "--max-turns", "12"];
    let result = workspace.match_json(&[&arguments[..], &openings].concat());
    assert_eq!(result["openings"], "random 8 balanced");
    let refused = crownhead()
        .args(["match", "random", "random", "--openings", "random 8 even"])
        .assert()
        .code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("`random 6 balanced`"), "{said}");
}

#[test]
fn three_bots_play_a_round_robin_with_ratings_and_a_crosstable() {
    let workspace = TestWorkspace::new();
    let arguments = [
        "alphabeta --depth 3",
        "random",
        "random",
        "--time",
        "20s",
        "--first-turn",
        "30s",
        "--openings",
        "ballots",
        "--games",
        "4",
        "--seed",
        "1",
    ];
    let result = workspace.match_json(&arguments);
    assert_eq!(result["games"], 12);
    let bots = result["bots"].as_array().unwrap();
    assert_eq!(
        bots[0]["name"], "alphabeta --depth 3",
        "the strongest is first"
    );
    assert_eq!(bots[0]["total"]["losses"], 0);
    assert!(bots[0]["rating"][0].as_f64() > bots[1]["rating"][0].as_f64());
    let between = result["crosstable"].as_array().unwrap();
    assert_eq!(between.len(), 3);
    assert!(between.iter().all(|two| two["games"] == 4.0));
    let shown = crownhead().arg("match").args(arguments).assert().success();
    let text = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
    for part in ["12 games of contest", "rating", "random (B)", "4 / 4", "·"] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    // The settings are one line, which no terminal breaks here.
    let mut tables = text.lines().skip(1);
    assert!(tables.all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_difference_in_elo_stands_beside_the_score_with_its_interval() {
    let workspace = TestWorkspace::new();
    let result = workspace.match_json(&[
        "random",
        "random",
        "--games",
        "20",
        "--seed",
        "2",
        "--max-turns",
        "60",
    ]);
    let elo = |key: &str| result["elo"][key].as_f64().unwrap();
    assert!(
        elo("low") < elo("difference") && elo("difference") < elo("high"),
        "{result}"
    );
    let all = workspace.match_json(&[
        "alphabeta --depth 3",
        "random",
        "--games",
        "2",
        "--seed",
        "1",
    ]);
    assert_eq!(
        all["elo"]["difference"],
        Value::Null,
        "nothing was lost: {all}"
    );
}

#[test]
fn games_are_recorded_as_pdn_and_to_standard_output_and_files_replaced_when_forced() {
    let workspace = TestWorkspace::new();
    let play = |record: &str, more: &[&str]| {
        crownhead()
            .args([
                "match",
                "random",
                "greedy",
                "--games",
                "2",
                "--max-turns",
                "20",
                "--record",
                record,
            ])
            .args(AMPLE_TIME)
            .args(more)
            .output()
            .unwrap()
    };
    let pdn = workspace.path("games.PDN");
    let pdn = pdn.to_str().unwrap();
    assert!(play(pdn, &[]).status.success());
    let text = std::fs::read_to_string(pdn).unwrap();
    assert_eq!(text.matches("[GameType \"21\"]").count(), 2, "{text}");
    let again = play(pdn, &[]);
    let told = String::from_utf8(again.stderr).unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(
        told.contains("already exists. Name another file, or replace it with `--force`"),
        "{told}"
    );
    assert!(play(pdn, &["--force"]).status.success());
    let other = play(&pdn.replace("games", "chess"), &["--game", "chess"]);
    assert!(
        String::from_utf8(other.stderr)
            .unwrap()
            .contains("PDN is for checkers")
    );
    let piped = play("-", &[]);
    let games = String::from_utf8(piped.stdout).unwrap();
    assert_eq!(games.lines().count(), 2);
    assert!(
        games
            .lines()
            .all(|game| serde_json::from_str::<Value>(game).is_ok()),
        "{games}"
    );
    assert!(
        String::from_utf8(piped.stderr)
            .unwrap()
            .contains("2 games of contest")
    );
}

#[test]
fn a_match_in_the_browser_keeps_standard_output_to_its_json_and_ends() {
    let served = crownhead()
        .args([
            "match",
            "random",
            "greedy",
            "--games",
            "2",
            "--max-turns",
            "4",
        ])
        .args(AMPLE_TIME)
        .args(["--serve", "--json", "--quiet"])
        .assert()
        .success();
    let output = served.get_output();
    let link = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(link.starts_with("http://127.0.0.1:"), "{link}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["games"], 2);
}
