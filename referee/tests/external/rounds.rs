//! Ladders whose games have three players: a real referee, real bots, and runs that are killed.

use super::{AMPLE, bot, crownhead, names, referee};
use crate::common::TestWorkspace;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A ladder of these bots under this referee, made by `ladder new`.
pub(super) struct Ladder {
    pub(super) place: TestWorkspace,
}

pub(super) const FOUR: [&str; 4] = ["best", "worst", "random --seed 4", "random --seed 5"];

impl Ladder {
    pub(super) fn new(referee: &str, settings: &str, bots: &[&str]) -> Ladder {
        Ladder::with(&[], referee, settings, bots)
    }

    /// The same with these options.
    pub(super) fn with(options: &[&str], referee: &str, settings: &str, bots: &[&str]) -> Ladder {
        let ladder = Ladder {
            place: TestWorkspace::new(),
        };
        let made = ["new", "--referee", referee, "--players", "3"];
        let (status, told) = ladder.run(&[&made, options].concat());
        assert_eq!(status, Some(0), "{told}");
        let path = ladder.place.path("night/ladder.toml");
        let mut text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\nplayers = 3\n") && text.contains("openings = \"seeds\""));
        for (key, value) in settings.lines().filter_map(|line| line.split_once(" = ")) {
            let line = text
                .lines()
                .find(|line| line.starts_with(&format!("{key} =")));
            let line = line.unwrap().to_string();
            text = text.replace(&line, &format!("{key} = {value}"));
        }
        for how in bots {
            let name = how.rsplit(' ').next().unwrap();
            text += &format!("[[bot]]\nname = \"{name}\"\ncommand = '{}'\n", bot(how));
        }
        std::fs::write(path, text).unwrap();
        ladder
    }

    /// A command of ladders in its folder: its status and all that it says.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = crownhead();
        command.current_dir(self.place.path(""));
        command.args(["ladder", arguments[0], "night"]);
        let output = command.args(&arguments[1..]).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    }

    /// The same of a command that succeeds.
    pub(super) fn says(&self, arguments: &[&str]) -> String {
        let (status, told) = self.run(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {told}");
        told
    }

    pub(super) fn standings(&self) -> Value {
        serde_json::from_str(&self.says(&["standings", "--json"])).unwrap()
    }

    /// All games in the order of their numbers.
    pub(super) fn games(&self) -> Vec<Value> {
        let told = self.says(&["export", "-"]);
        let games = told.lines().map(|line| serde_json::from_str(line).unwrap());
        games.collect()
    }

    fn database(&self) -> Connection {
        Connection::open(self.place.path("night/games.db")).unwrap()
    }
}

#[test]
fn three_players_meet_in_rounds_with_seats_rotated_and_everything_shows_them() {
    let ladder = Ladder::new(
        &referee("lines", "--legal"),
        "pairs = 3\ntime = \"10s\"",
        &FOUR,
    );
    let shown = ladder.says(&["run"]);
    assert!(shown.contains("6 rounds finished, 0 left"), "{shown}");
    let games = ladder.games();
    assert_eq!(games.len(), 18);
    for (round, games) in games.chunks(3).enumerate() {
        let numbers = games.iter().map(|game| game["number"].as_u64().unwrap());
        assert!(numbers.eq(3 * round as u64 + 1..3 * round as u64 + 4));
        let seed = |game: &Value| game["referee"]["seed"].clone();
        assert!(games.iter().all(|game| seed(game) == seed(&games[0])));
        for seat in 0..3 {
            let in_seat: BTreeSet<_> = games.iter().map(|game| names(game)[seat]).collect();
            assert_eq!(in_seat.len(), 3, "each bot has each seat");
        }
    }
    let standings = ladder.standings();
    assert_eq!(
        (&standings["players"], &standings["pairs"]),
        (&json!(3), &json!(6))
    );
    let rows = standings["rows"].as_array().unwrap();
    let order = [&rows[0]["bot"], &rows[3]["bot"]];
    assert_eq!(order, ["best", "worst"], "{standings:#}");
    assert!(
        rows.iter()
            .all(|row| row["draws"].is_null() && row["rating"].is_number())
    );
    let place = |row: &Value| row["mean_place"].as_f64().unwrap();
    assert!(
        place(&rows[0]) < 1.5 && place(&rows[3]) > 2.0,
        "{standings:#}"
    );
    let pairs = rows.iter().map(|row| row["pairs"].as_u64().unwrap());
    assert_eq!(pairs.sum::<u64>(), 18, "three bots in each of six rounds");

    let table = ladder.says(&["standings"]);
    assert!(
        table.contains("rounds") && table.contains("mean place"),
        "{table}"
    );
    let cross = ladder.says(&["standings", "--crosstable"]);
    let best = cross.lines().find(|line| line.contains("best")).unwrap();
    let cells = best
        .split_whitespace()
        .filter(|cell| cell.starts_with("1."));
    assert_eq!(
        cells.count(),
        3,
        "its mean place among those of each other: {cross}"
    );
    let csv = ladder.says(&["standings", "--csv"]);
    assert!(csv.lines().nth(1).unwrap().starts_with("1,best,"), "{csv}");
    let checked = ladder.says(&["check"]);
    assert_eq!(checked, "4 bots and 18 games checked: no problems\n");
    let mut replay = crownhead();
    let replay = replay
        .args(["replay", "--number", "17"])
        .arg(ladder.place.path("night"));
    let told = String::from_utf8(replay.output().unwrap().stdout).unwrap();
    assert!(told.contains("Game 17: "), "{told}");

    // The rest of the pages is tested where they are made.
    let pages = ladder.place.path("pages");
    let mut export = crownhead();
    export
        .args(["export", "site"])
        .arg(ladder.place.path("night"))
        .arg(&pages);
    assert!(export.output().unwrap().status.success());
    let read = |name: &str| -> Value {
        let text = std::fs::read_to_string(pages.join("data").join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(read("site.json")["players"], 3);
    assert_eq!(read("list/0.json").as_array().unwrap().len(), 18);
    let standings = read("standings.json");
    assert_eq!(standings["pairs"], 6);
    assert!(standings["rows"][0]["rating"].is_number(), "{standings:#}");
    assert!(read("history.json")["points"].as_array().unwrap().len() == 6);
}

#[test]
fn a_forged_summary_is_found_and_its_round_is_played_again() {
    let ladder = Ladder::new(
        &referee("lines", "--legal"),
        "pairs = 1\ntime = \"10s\"",
        &FOUR[..3],
    );
    ladder.says(&["run"]);
    let forged =
        "UPDATE game SET summary = json_set(summary, '$.points', json_array(0.0, 0.5, 1.0),
        '$.turns', 77) WHERE place = 2";
    ladder.database().execute(forged, ()).unwrap();
    let (status, told) = ladder.run(&["check"]);
    assert_eq!(status, Some(1), "{told}");
    let problem = "pair 1 has a record that says otherwise than its summary";
    assert!(told.contains(problem), "{told}");
    let repaired = ladder.says(&["check", "--repair"]);
    assert!(
        repaired.contains("1 problem fixed: none left"),
        "{repaired}"
    );
    assert_eq!(ladder.standings()["pairs"], 0);
    ladder.says(&["run"]);
    assert_eq!(ladder.games().len(), 3);
    assert!(ladder.says(&["check"]).contains("no problems"));
}

#[test]
fn a_bot_that_fails_in_rounds_is_disabled_and_a_ladder_says_how_many_bots_it_needs() {
    let bots = ["best", "worst", "crash"];
    let ladder = Ladder::new(&referee("engine", AMPLE), "pairs = 9", &bots);
    let told = ladder.says(&["run"]);
    let disabled = "crash is disabled: lost 15 of its last 15 games by faults: 15 crash. Fix it";
    assert_eq!(told.matches(disabled).count(), 1, "{told}");
    let (status, told) = ladder.run(&["run"]);
    assert_eq!(status, Some(2), "{told}");
    let needed = "has 2 bots to play; games of 3 players need at least 3 bots";
    assert!(told.contains(needed), "{told}");
}

#[test]
fn each_mistake_of_a_referee_is_reported_once_for_a_round_that_is_void() {
    for (kind, options, sentence) in [
        ("engine", "--fault scores", "scores"),
        ("lines", "--legal --fault missing", "###End"),
        (
            "engine",
            "--fault chance",
            "gives two results for the same seed and answers: first the scores",
        ),
    ] {
        let options = format!("{options} {}", if kind == "engine" { AMPLE } else { "" });
        let bots = ["best", "worst", "random --seed 4"];
        let bots = if kind == "engine" {
            &["best", "worst", "garbage"]
        } else {
            &bots
        };
        let ladder = Ladder::new(&referee(kind, &options), "pairs = 9", bots);
        let (status, told) = ladder.run(&["run"]);
        assert_eq!(status, Some(1), "{options}: {told}");
        let ended = "the referee failed in every game of 3 seeds in a row: the referee ";
        let ended = told.lines().find(|line| line.contains(ended));
        assert!(
            ended.is_some_and(|line| line.contains(sentence)),
            "{options}: {told}"
        );
        assert!(
            told.contains("a round is played again: "),
            "{options}: {told}"
        );
        assert_eq!(ladder.standings()["pairs"], 0);
    }
}
