//! A game of one's own, as a user writes it: `referee new`, the commands that it prints, and `referee check`.

use super::{crownhead, referee};
use crate::common::TestWorkspace;
use crate::common::skip::is_there;
use predicates::prelude::*;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A language, what it needs, and the referee's file, how it is compiled, and how it is started.
struct Language {
    name: &'static str,
    needs: Option<&'static str>,
    file: &'static str,
    build: Option<&'static str>,
    start: &'static [&'static str],
}

const LANGUAGES: [Language; 4] = [
    Language {
        name: "python",
        needs: Some("python3"),
        file: "referee.py",
        build: None,
        start: &["python3", "referee.py"],
    },
    Language {
        name: "javascript",
        needs: Some("node"),
        file: "referee.js",
        build: None,
        start: &["node", "referee.js"],
    },
    Language {
        name: "rust",
        needs: None,
        file: "referee.rs",
        build: Some("rustc --edition 2024 -O referee.rs"),
        start: &["./referee"],
    },
    Language {
        name: "cpp",
        needs: Some("c++"),
        file: "referee.cpp",
        build: Some("g++ -std=c++17 -O2 -Wall -Wextra -Werror referee.cpp -o referee"),
        start: &["./referee"],
    },
];

impl Language {
    /// Its game in a new folder of the workspace; `None` where its tools are not there.
    fn game(&self, workspace: &TestWorkspace) -> Option<PathBuf> {
        if !self.needs.is_none_or(is_there) {
            return None;
        }
        let folder = workspace.path(self.name);
        let mut new = crownhead();
        new.args(["referee", "new", "--lang", self.name])
            .arg(&folder);
        new.assert().success();
        Some(folder)
    }
}

/// Runs a command line of the README in its folder, and gives what it printed.
fn typed(command: &str, folder: &Path) -> String {
    let program = assert_cmd::cargo::cargo_bin!("crownhead");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut shell = Command::new("sh");
    let output = shell
        .args(["-ec", command])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    assert!(output.status.success(), "{command}: {printed}");
    printed
}

/// Runs all commands of the README, with fewer games and with time for a busy machine, and checks the games.
fn follow_readme(language: &Language) {
    let workspace = TestWorkspace::new();
    let Some(folder) = language.game(&workspace) else {
        return;
    };
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for command in readme.lines().filter_map(|line| line.strip_prefix("$ ")) {
        match command.split_once(' ').unwrap() {
            ("crownhead", told) if told.starts_with("referee check") => {
                let printed = typed(&format!("{command} --games 2"), &folder);
                assert!(printed.contains("No fault was found.\n"), "{printed}");
            }
            ("crownhead", told) if told.starts_with("match") => {
                let command = command.replace("--games 20", "--games 4");
                typed(&format!("{command} --time 10s --first-turn 30s"), &folder);
            }
            ("crownhead", _) => {
                let printed = typed(command, &folder);
                assert!(
                    printed.contains("The referee says: four in a line"),
                    "{printed}"
                );
            }
            _ => drop(typed(command, &folder)),
        }
    }
    let games = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let games: Vec<Value> = games
        .lines()
        .map(|game| serde_json::from_str(game).unwrap())
        .collect();
    assert_eq!(games.len(), 4);
    let won = games.iter().filter(|game| {
        let players = game["players"].as_array().unwrap().iter();
        let starter = players.map(|player| player["name"].as_str().unwrap());
        let starter = starter
            .clone()
            .position(|name| name.contains("starter"))
            .unwrap();
        assert!(
            game["referee"]["failed"]
                .as_array()
                .is_none_or(Vec::is_empty),
            "{game:#}"
        );
        game["scores"][starter] == 1.0
    });
    let won = won.count();
    assert!(
        won >= 2,
        "the starter bot has won {won} of 4 games with the random bot"
    );
}

#[test]
fn the_readmes_example_in_python_works_unchanged() {
    follow_readme(&LANGUAGES[0]);
}

#[test]
fn the_readmes_example_in_javascript_works_unchanged() {
    follow_readme(&LANGUAGES[1]);
}

#[test]
fn the_readmes_example_in_rust_works_unchanged() {
    follow_readme(&LANGUAGES[2]);
}

#[test]
fn the_readmes_example_in_cpp_works_unchanged() {
    follow_readme(&LANGUAGES[3]);
}

/// What a referee says that is given all answers at once.
fn said(language: &Language, folder: &Path, told: &str) -> String {
    let mut referee = Command::new(folder.join(language.start[0]));
    if language.build.is_none() {
        referee = Command::new(language.start[0]);
    }
    let mut referee = referee
        .args(&language.start[1..])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // One that ends before it has read all closes its input.
    let _ = referee.stdin.take().unwrap().write_all(told.as_bytes());
    String::from_utf8(referee.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn the_game_is_the_same_in_each_language() {
    let workspace = TestWorkspace::new();
    let folders = LANGUAGES.iter().map(|language| {
        let folder = language.game(&workspace)?;
        language.build.map(|build| typed(build, &folder));
        Some((language, folder))
    });
    let folders: Vec<(&Language, PathBuf)> = folders.flatten().collect();
    // Every column in turn, six times; a column of its own; what is no column; what cannot be played; nothing.
    let answers = [
        "0 1 2 3 4 5 6 ".repeat(6),
        "0 2 4 6 1 3 5 ".repeat(6),
        "3 3 3 3 3 3 2 ".repeat(6),
        "6 0 5 0 4 1 3 2 ".repeat(5),
        "4 0 5 1 2 2 1 3 0 3 3 4 6 6 5 ".repeat(3),
        "0 0 1 1 3 3 2 2".into(),
        "0 seven".into(),
        "0 10".into(),
        "1 ".into(),
        "é\u{1b}[2J\t".into(),
    ];
    let mut ends = std::collections::BTreeSet::new();
    // Each seed with the first answers, and each answer with one of the seeds.
    let seeds = [0, 1, 66, 2400, i64::MAX];
    let firsts = seeds.iter().map(|seed| (seed, &answers[0]));
    let others = seeds.iter().cycle().zip(&answers[1..]);
    for (seed, answers) in firsts.chain(others) {
        let lines = answers.replace(' ', "\n");
        let told = format!("###Seed {seed}\n###Start 2\n{lines}\n");
        let games = folders
            .iter()
            .map(|(language, folder)| (language.name, said(language, folder, &told)));
        let games: Vec<(&str, String)> = games.collect();
        for two in games.windows(2) {
            assert_eq!(
                two[0].1, two[1].1,
                "{} and {}, seed {seed}, {answers}",
                two[0].0, two[1].0
            );
        }
        ends.extend(games.iter().flat_map(|(_, said)| {
            said.lines()
                .rfind(|line| line.starts_with("###Reason"))
                .map(String::from)
        }));
    }
    assert!(folders.is_empty() || ends.len() >= 2, "{ends:?}");
}

#[test]
fn a_referee_to_begin_with_has_60_lines_of_code_at_most() {
    let workspace = TestWorkspace::new();
    for language in &LANGUAGES {
        let Some(folder) = language.game(&workspace) else {
            continue;
        };
        let text = std::fs::read_to_string(folder.join(language.file)).unwrap();
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let lines = text.lines().filter(is_code).count();
        assert!(lines <= 60, "{} has {lines}", language.file);
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.lines().count() <= 12, "{readme}");
    }
}

#[test]
fn a_folder_that_holds_files_is_left_alone() {
    let workspace = TestWorkspace::new();
    let folder = workspace.path("mine");
    std::fs::create_dir(&folder).unwrap();
    let new = || {
        let mut command = crownhead();
        command
            .args(["referee", "new", "--lang", "cpp"])
            .arg(&folder);
        command
    };
    std::fs::write(folder.join("notes"), "mine").unwrap();
    let refused = predicate::str::contains("mine` is not empty. Name a new folder");
    new().assert().code(2).stdout("").stderr(refused);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_file(folder.join("notes")).unwrap();
    let told = predicate::str::contains("holds README.md, referee.cpp, ")
        .and(predicate::str::contains("\nNext:\n  cd "));
    new().assert().success().stdout(told);
    let file = folder.join("README.md");
    let mut into_file = crownhead();
    into_file
        .args(["referee", "new", "--lang", "rust"])
        .arg(&file);
    into_file
        .assert()
        .code(2)
        .stderr(predicate::str::contains("is a file. Name a folder"));
}

/// `referee check` of the test referee that has this fault.
fn check_of(fault: &str) -> assert_cmd::Command {
    let mut command = crownhead();
    command.args(["referee", "check", "--games", "3"]);
    command.arg(referee("faulty", fault));
    command
}

#[test]
fn faults_are_status_1_with_what_was_seen_and_a_fix() {
    let printed = predicate::str::contains("fault: its game breaks when a player answers garbage")
        .and(predicate::str::contains(
            "\n  seen: player 0, in turn 1: the referee faulty ended with exit status 1",
        ))
        .and(predicate::str::contains(
            "\n  fix: compare the answer with the legal ones",
        ))
        .and(predicate::str::contains("\nFound 1 fault.\n"));
    check_of("dies").assert().code(1).stdout(printed);
}

#[test]
fn a_sound_referee_is_status_0() {
    let sound = "No fault was found.\n";
    check_of("").assert().code(0).stdout(sound);
}

#[test]
fn a_program_that_does_not_speak_is_a_fault_and_one_that_is_not_there_a_usage_error() {
    let check = |command: &str| {
        let mut program = crownhead();
        program.args(["referee", "check", command]);
        program.assert()
    };
    let silent = predicate::str::contains("fault: it does not speak")
        .and(predicate::str::contains(
            "the referee false ended with exit status 1",
        ))
        .and(predicate::str::contains("`crownhead referee new` writes"));
    check("false").code(1).stdout(silent);
    check("./no_such_referee")
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("there is no program"));
}
