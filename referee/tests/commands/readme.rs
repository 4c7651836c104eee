//! The sample outputs of README.md: what the commands print today has their shape.

use crate::common::ladder::{Ladder, THREE};
use crate::common::{TestWorkspace, crownhead};
use std::path::Path;

const README: &str = include_str!("../../../README.md");

/// What README.md shows of this command.
fn sample(command: &str) -> Vec<String> {
    let typed = format!("$ crownhead {command}");
    let mut lines = README.lines().skip_while(|line| *line != typed);
    assert!(lines.next().is_some(), "README.md shows `{typed}`");
    let ends = |line: &&str| !line.starts_with("$ ") && !line.starts_with("```");
    lines
        .take_while(ends)
        .map(shape)
        .filter(|line| !line.is_empty())
        .collect()
}

/// A line without its numbers, moves, pieces and spaces.
fn shape(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().map(kind).collect();
    words.dedup();
    words.join(" ")
}

/// A word, or what all words of its kind stand for.
fn kind(word: &str) -> &str {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_square = |two: &[u8]| matches!(two, [b'A'..=b'H', b'1'..=b'8']);
    let squares = bare.as_bytes().chunks(2);
    if !bare.is_empty() && squares.clone().count() > 1 && squares.clone().all(is_square) {
        "MOVE"
    } else if word.contains(|letter: char| letter.is_ascii_digit()) || bare == "inf" {
        "NUMBER"
    } else if ["µs", "ms", "s"].contains(&bare) {
        "UNIT"
    } else if word.contains(['⛀', '⛁', '⛂', '⛃', '·']) {
        "PIECE"
    } else {
        // One or many of them.
        let counted = ["inaccurac", "mistake", "blunder"];
        counted
            .into_iter()
            .find(|one| word.starts_with(one))
            .unwrap_or(word)
    }
}

/// Whether a line tells only of the machine, which may be busy: a turn was given back the time for which it waited.
fn tells_of_the_machine(line: &str) -> bool {
    line.trim_start().starts_with("given back")
}

/// What a command prints in this folder, as [`sample`] gives it.
fn printed(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = crownhead()
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .filter(|line| !tells_of_the_machine(line))
        .map(shape)
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn a_match_prints_what_the_readme_shows() {
    let workspace = TestWorkspace::new();
    let arguments = [
        "match",
        "alphabeta",
        "greedy",
        "--games",
        "2",
        "--seed",
        "1",
    ];
    let now = printed(&workspace.path(""), &arguments);
    assert_eq!(now, sample("match alphabeta greedy --games 10 --seed 1"));
}

#[test]
fn a_game_is_searched_for_mistakes_asked_about_and_shown_as_the_readme_shows() {
    let workspace = TestWorkspace::new();
    let folder = workspace.path("");
    let play = [
        "match",
        "greedy",
        "alphabeta --depth 3",
        "--games",
        "2",
        "--seed",
        "1",
    ];
    let record = ["--record", "games.jsonl"];
    printed(&folder, &[&play[..], &record].concat());
    let blunder = ["replay", "games.jsonl", "--game", "1", "--blunder"];
    let (now, shown) = (
        printed(&folder, &blunder),
        sample("replay games.jsonl --game 1 --blunder"),
    );
    assert_eq!(now[0], shown[0], "the head of the table");
    assert_eq!(
        now[now.len() - 2..],
        shown[shown.len() - 2..],
        "the shares of best moves"
    );
    assert_eq!(now[1].split(' ').next(), shown[1].split(' ').next());

    let ask = [
        "ask",
        "games.jsonl",
        "--game",
        "1",
        "--turn",
        "5",
        "greedy",
        "--against",
        "alphabeta",
    ];
    let (now, shown) = (
        printed(&folder, &ask),
        sample("ask games.jsonl --game 1 --turn 5 greedy --against alphabeta"),
    );
    let board = 11;
    assert_eq!(now[..board], shown[..board]);
    // Whether it answers as before, and well, is the game's to tell.
    for line in &now[board..] {
        let begin = line.split_inclusive(' ').take(3).collect::<String>();
        assert!(
            shown[board..].iter().any(|shown| shown.starts_with(&begin)),
            "{line}: {shown:?}"
        );
    }

    let replay = printed(&folder, &["replay", "games.jsonl", "--game", "1"]);
    let shown = sample("replay games.jsonl --game 1");
    for line in &shown {
        let words = line.split(' ').count();
        let same = |now: &&String| {
            now.split(' ').next() == line.split(' ').next() && now.split(' ').count() == words
        };
        assert!(
            words > 6 || replay.iter().any(|now| same(&now)),
            "{line}: {replay:?}"
        );
    }
}

#[test]
fn the_table_of_a_ladder_has_the_columns_that_the_readme_shows() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    let table = printed(&ladder.folder, &["ladder", "standings", "."]);
    let shown = README
        .lines()
        .skip_while(|line| !line.starts_with("#  bot "));
    let shown: Vec<String> = shown.take(3).map(shape).collect();
    // The names of columns may be broken into other lines.
    let words = |lines: &[String]| {
        let mut words: Vec<String> = lines.join(" ").split(' ').map(String::from).collect();
        words.sort();
        words
    };
    let rows = table
        .iter()
        .take_while(|line| !line.starts_with("NUMBER"))
        .count();
    let head: Vec<String> = table[..rows]
        .iter()
        .filter(|line| !line.contains(':'))
        .cloned()
        .collect();
    assert_eq!(words(&head), words(&shown));
}
