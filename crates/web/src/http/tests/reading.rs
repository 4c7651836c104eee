//! What is read: the site, its games and its bots.

use super::{ONE, Served, TWO, text, three_games};
use crate::tests::records::{external_record, record};
use serde_json::{Value, json};

#[test]
fn a_page_is_told_first_what_there_is() {
    let mut served = Served::new(&three_games());
    let mut about = served.read("/data/site.json");
    assert!(about["variants"].as_array().unwrap().len() > 3);
    about.as_object_mut().unwrap().remove("variants");
    assert_eq!(
        about,
        json!({
            "title": "games.jsonl", "kind": "records", "game": "checkers", "rules": "contest", "is_external": false,
            "players": 2, "sides": ["black", "red"], "first_turn_us": 1_000_000, "turn_us": 100_000,
            "games": 3, "unreadable": 1, "bots": [ONE, TWO], "is_live": false, "generation": 1,
        })
    );
    let page = served.get("/");
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    assert!(text(&page).contains("<script"));
    let script = served.get("/app.js");
    assert!(text(&script).len() > 1000);
    assert!(
        script.headers["content-type"]
            .to_str()
            .unwrap()
            .contains("javascript")
    );
}

#[test]
fn standings_have_a_row_for_each_bot_and_who_beat_whom_with_which_colour() {
    let mut served = Served::new(&three_games());
    let standings = served.read("/data/standings.json");
    assert_eq!([&standings["games"], &standings["pairs"]], [3, 1]);
    let rows = standings["rows"].as_array().unwrap();
    let row = |row: usize| {
        let told = ["rank", "id", "name", "won", "drawn", "lost", "points"];
        json!(told.map(|name| &rows[row][name]))
    };
    assert_eq!(row(0), json!([1, 0, ONE, 2, 1, 0, 2.5]));
    assert_eq!(row(1), json!([2, 1, TWO, 0, 1, 2, 0.5]));
    let score = |won: u64, drawn: u64, lost: u64, points: f64| json!({"won": won, "drawn": drawn, "lost": lost, "points": points});
    assert_eq!(
        standings["crosstable"],
        json!([
            {"bot": 0, "opponent": 1, "by_seat": [score(2, 0, 0, 2.0), score(0, 1, 0, 0.5)]},
            {"bot": 1, "opponent": 0, "by_seat": [score(0, 1, 0, 0.5), score(0, 0, 2, 0.0)]},
        ])
    );
    assert_eq!(served.read("/data/standings.json"), standings, "made once");
    let history = served.get("/data/history.json");
    assert_eq!(history.status, 200);
    assert_eq!(history.headers["content-type"], "application/json");
    assert_ne!(text(&history), "null");
}

#[test]
fn a_bots_page_has_its_opponents_faults_and_times() {
    let mut served = Served::new(&three_games());
    let bot = served.read("/data/bot/1.json");
    assert_eq!(bot["name"], TWO);
    assert_eq!([&bot["command"], &bot["versions"]], [&Value::Null; 2]);
    assert_eq!(bot["retired"], false);
    assert_eq!([&bot["score"]["drawn"], &bot["score"]["lost"]], [1, 2]);
    assert_eq!(bot["opponents"].as_array().unwrap().len(), 1);
    assert_eq!(bot["opponents"][0]["name"], ONE);
    assert_eq!(bot["opponents"][0]["by_seat"][1]["lost"], 2);
    assert_eq!(
        bot["faults"],
        json!([{
            "id": 3, "opponents": [ONE], "termination": "illegal-reply", "reason": "why 3", "words": {"text": "word 1"},
        }])
    );
    assert_eq!([&bot["timed_games"], &bot["times"]["answers"]], [3, 3]);
    assert_eq!(bot["times"]["median_us"], 10);

    let other = served.read("/data/bot/0.json");
    assert_eq!(other["faults"], json!([]));
    assert_eq!(other["times"]["median_us"], 10);
    for none in ["9.json", "1.html", "1", "one.json"] {
        let (status, why) = served.refused(&format!("/data/bot/{none}"));
        assert_eq!(
            (status, &*why),
            (404, "there is nothing with this name"),
            "{none}"
        );
    }
}

#[test]
fn only_answers_that_have_a_time_count_among_a_bots_times() {
    let mut lines = three_games();
    let mut late = record(3, [ONE, TWO], &["C3D4", "B6A5"], json!([1, 0]), "timeout");
    late["turns"] = json!([
        {"player": 1, "reply": "B6A5", "us": 0},
        {"player": 0, "reply": "A3B4", "us": 7},
        {"player": 1, "reply": null, "us": 100_000},
    ]);
    lines[3] = late.to_string();
    let mut served = Served::new(&lines);
    let bot = served.read("/data/bot/1.json");
    assert_eq!([&bot["timed_games"], &bot["times"]["answers"]], [3, 2]);
}

#[test]
fn a_game_is_its_record_with_its_moves_and_is_analysed() {
    let lines = three_games();
    let mut served = Served::new(&lines);
    let game = served.read("/data/game/1.json");
    assert_eq!([&game["id"], &game["line"]], [&json!(1), &json!(lines[0])]);
    assert_eq!(game["plies"].as_array().unwrap().len(), 3);
    assert_eq!(game["fault"], Value::Null);
    assert_eq!(served.read("/data/game/3.json")["fault"], 0);
    let analysis = served.read("/data/analysis/1.json");
    assert_eq!(analysis["chances"].as_array().unwrap().len(), 3);
    for none in ["4.json", "x.json", "1.txt", "1"] {
        for what in ["game", "analysis"] {
            assert_eq!(served.refused(&format!("/data/{what}/{none}")).0, 404);
        }
    }
}

#[test]
fn all_games_are_listed_with_what_a_page_selects_them_by() {
    let mut served = Served::new(&three_games());
    let contents = served.read("/data/contents.json");
    assert_eq!([&contents["lists"], &contents["edition"]], [1, 0]);
    assert_eq!(contents["openings"], json!(["A3B4", "C3D4"]));
    let list = served.read("/data/list/0.json");
    assert_eq!(list.as_array().unwrap().len(), 3);
    let last = json!([3, [0, 1], [1.0, 0.0], [], "illegal-reply", 2, 1, false]);
    assert_eq!(list[2], last);
    for none in ["1.json", "x.json", "0"] {
        assert_eq!(served.refused(&format!("/data/list/{none}")).0, 404);
    }
}

#[test]
fn a_command_that_a_file_of_games_cannot_serve_is_refused() {
    let mut served = Served::new(&three_games());
    assert_eq!(served.refused("/viewer/00/core.js").0, 404);
    let (status, why) = served.refused("/data/live");
    assert_eq!(status, 404);
    assert!(why.starts_with("no game is under way:"), "{why}");
    let events = served.get("/data/events");
    assert_eq!(events.headers["content-type"], "text/event-stream");
}

#[test]
fn games_of_three_are_ordered_by_points() {
    let record = external_record();
    let line = serde_json::to_string(&record).unwrap();
    let mut served = Served::new(&[&line, &line]);
    let about = served.read("/data/site.json");
    assert_eq!(
        [&about["players"], &about["is_external"]],
        [&json!(3), &json!(true)]
    );
    let standings = served.read("/data/standings.json");
    let rows = standings["rows"].as_array().unwrap();
    let order: Vec<[&Value; 3]> = rows
        .iter()
        .map(|row| [&row["rank"], &row["name"], &row["points"]])
        .collect();
    assert_eq!(
        json!(order),
        json!([[1, "<b>b</b>", 2.0], [2, "a", 1.0], [3, "c", 0.0]])
    );
    let remarks = standings["remarks"].to_string();
    assert!(remarks.contains("instead of ratings"), "{remarks}");
    let game = served.read("/data/game/3.json");
    assert_eq!([&game["id"], &game["fault"]], [3, 2]);
    assert_eq!([game.get("plies"), game.get("pdn")], [None; 2]);
    assert!(game["viewer"]["why"].is_string(), "{game}");
    assert_eq!(served.refused("/data/analysis/3.json").0, 404);
    let bot = served.read("/data/bot/2.json");
    assert_eq!(bot["faults"][0]["opponents"], json!(["a", "<b>b</b>"]));
}
