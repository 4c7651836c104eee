//! `match` and `sprt` with `--resume`: they continue as if they had not been interrupted, or say why they cannot.

use super::kept::{interrupted, plays_one_game};
use crate::common::{AMPLE_TIME, TestWorkspace, crownhead};
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

fn run(words: &[&str], record: &Path) -> assert_cmd::assert::Assert {
    let mut command = crownhead();
    command.args(words).args(AMPLE_TIME);
    command.args(["--concurrency", "2"]);
    command.arg("--record").arg(record).assert()
}

/// The games of a record by their numbers: who played, and what was answered.
fn games(record: &Path) -> Vec<(u64, String)> {
    let text = std::fs::read_to_string(record).unwrap();
    let game = |line: &str| {
        let game: Value = serde_json::from_str(line).unwrap();
        let turns = game["turns"].as_array().unwrap().iter();
        let replies: Vec<&Value> = turns.map(|turn| &turn["reply"]).collect();
        let told = format!(
            "{} {} {replies:?}",
            game["seed"], game["players"][0]["name"]
        );
        (game["number"].as_u64().unwrap(), told)
    };
    let mut games: Vec<_> = text.lines().map(game).collect();
    games.sort();
    games
}

/// Leaves this many lines of a record, and what a kill leaves of the next.
fn kill_after(lines: usize, record: &Path) {
    let text = std::fs::read_to_string(record).unwrap();
    let whole: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    std::fs::write(record, &text[..whole + 100]).unwrap();
}

#[test]
fn a_match_that_was_killed_continues_as_if_it_was_not() {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games.jsonl");
    let words = ["match", "random", "greedy", "random", "--games", "4"];
    let whole = run(&words, &record).success();
    let played = games(&record);
    assert_eq!(played.len(), 12);
    kill_after(5, &record);
    let resumed = run(&[&words[..], &["--resume"]].concat(), &record)
        .success()
        .stderr(predicate::str::contains("ends with half a game"));
    assert_eq!(games(&record), played, "the seed is that of the file");
    let [whole, resumed] = [whole, resumed].map(|done| {
        let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
        let table = text.split("answered in").next();
        table.unwrap().to_string()
    });
    assert_eq!(resumed, whole);
    // A file whose last line lost its end, and more games than before.
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, text.trim_end()).unwrap();
    let more = [
        "match", "random", "greedy", "random", "--games", "6", "--resume",
    ];
    run(&more, &record).success();
    let all = games(&record);
    assert_eq!((&all[..12], all.len()), (&played[..], 18));
}

#[test]
fn a_test_that_was_killed_gives_the_verdict_of_the_whole() {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games.jsonl");
    let words = ["sprt", "greedy", "random", "--max-pairs", "6", "--json"];
    let verdict = |words: &[&str]| {
        let done = run(words, &record).code(3);
        let result: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
        assert_eq!(result["pairs"], 6, "{result}");
        ["log_likelihood_ratio", "terminations"].map(|key| result[key].clone())
    };
    let whole = verdict(&words);
    let played = games(&record);
    // Of one pair a game is left.
    kill_after(5, &record);
    let resumed = [&words[..], &["--resume"]].concat();
    assert_eq!(verdict(&resumed), whole);
    assert_eq!(games(&record), played);
    // One that is over says its verdict again, and plays nothing.
    assert_eq!(verdict(&resumed), whole);
    assert_eq!(games(&record), played);
}

#[test]
fn an_interrupted_match_names_the_command_that_continues_it() {
    for command in ["match", "sprt"] {
        let workspace = TestWorkspace::new();
        let (bot, record) = (plays_one_game(&workspace), workspace.path("games.jsonl"));
        let (_, told) = interrupted(&[command], &bot, &record);
        let (_, named) = told.split_once("Continue with `").expect(&told);
        let named = named.split_once('`').unwrap().0;
        assert!(named.ends_with("games.jsonl --resume"), "{named}");
        assert_eq!(games(&record).len(), 1);
        // The bot plays on in a game that begins anew.
        std::fs::write(
            &bot,
            std::fs::read_to_string(&bot).unwrap().replace("600", "0"),
        )
        .unwrap();
        std::fs::remove_dir(format!("{bot}.second")).unwrap();
        let words = shlex::split(named).unwrap();
        assert_eq!(words[1..3], [command, &bot]);
        let refused = crownhead().args(&words[1..]).assert().code(2);
        refused.stderr(predicate::str::contains("the files of once have changed"));
    }
}

#[test]
fn another_match_is_refused_with_what_differs() {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games.jsonl");
    let script = workspace.bot("mine.sh", "while turn; do echo \"$move\"; done");
    let bot = format!("sh '{script}'");
    let words = ["match", &bot, "random", "--games", "2", "--seed", "1"];
    run(&words, &record).success();
    let before = std::fs::read(&record).unwrap();
    let refused = |words: &[&str], told: &str| {
        run(&[words, &["--resume"]].concat(), &record)
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(told));
        assert_eq!(std::fs::read(&record).unwrap(), before);
    };
    let and = |more: &[&'static str]| [&words[..], more].concat();
    refused(
        &and(&["--adjudicate", "9"]),
        "--adjudicate was none and is 9.",
    );
    refused(&and(&["--clock", "cpu"]), "--clock was wall and is cpu.");
    let colours = "--colour-line was r and is w.";
    refused(&and(&["--colour-line", "live"]), colours);
    let openings = "--openings were others, as game 1 shows.";
    refused(&and(&["--openings", "none"]), openings);
    refused(
        &[&words[..5], &["--seed", "2"]].concat(),
        "--seed was 1 and is 2.",
    );
    let names = "game 1 was between mine and random, and is between mine and greedy.";
    refused(&["match", &bot, "greedy", "--seed", "1"], names);
    let option = format!("{bot} fast");
    let command = "mine was started as `/";
    refused(&["match", &option, "random", "--seed", "1"], command);
    let test = "--elo0 was none and is 0.0, ";
    refused(&["sprt", &bot, "random", "--seed", "1"], test);
    std::fs::write(&script, "# another\nwhile turn; do echo \"$move\"; done\n").unwrap();
    refused(&words, "the files of mine have changed.");
}

#[test]
fn a_file_without_a_match_is_not_resumed() {
    let workspace = TestWorkspace::new();
    let damaged = workspace.path("damaged.jsonl");
    std::fs::write(&damaged, "{}\n").unwrap();
    let cases = [
        (
            workspace.path("games.pdn"),
            "Record JSON lines, such as games.jsonl",
        ),
        ("-".into(), "Name a file with --record"),
        ("/dev/null".into(), "Name a file with --record"),
        (damaged, "line 1 is no game's record"),
    ];
    for (record, told) in cases {
        run(&["match", "random", "greedy", "--resume"], &record)
            .code(2)
            .stderr(predicate::str::contains(told));
    }
    // A loop over a command need not know whether it is the first time.
    let new = workspace.path("games.jsonl");
    run(
        &["match", "random", "greedy", "--games", "2", "--resume"],
        &new,
    )
    .success()
    .stderr(predicate::str::contains(
        "--resume begins with the first game",
    ));
    assert_eq!(games(&new).len(), 2);
    // Nor may two runs write to one file.
    let file = std::fs::File::open(&new).unwrap();
    file.lock().unwrap();
    run(
        &["match", "random", "greedy", "--games", "4", "--resume"],
        &new,
    )
    .code(2)
    .stderr(predicate::str::contains("another run writes to"));
}
