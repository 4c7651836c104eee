//! README.md shows what a user gets. Its blocks of commands are run, each in a folder that has the bots and the files
//! that they name, and what a block shows is what they print, but for what varies: `lasting` leaves that out.

mod lasting;
mod stage;

use crate::common::{AMPLE_TIME, TestWorkspace};
use lasting::{lasting, was_kept_from_its_time, without_causes};
use stage::{
    can_be_started, faulty_bot, files_of_the_repository, five_mistakes, ladder_and_games,
    output_of, own_bots, quicken,
};
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

const README: &str = include_str!("../../../../README.md");

/// Blocks that are not run, each by its first line, with the reason.
const NOT_RUN: [(&str, &str); 4] = [
    (
        "$ cargo test --workspace --all-features",
        "this test is a part of it",
    ),
    (
        "$ crownhead match ./my_bot ./other --referee SpringChallenge2023 --league 4 --record games.jsonl",
        "the referee of that contest has to be downloaded and built",
    ),
    (
        "fn main() -> std::process::ExitCode {",
        "a program and no command; examples/othello/src/main.rs is such a one",
    ),
    (
        "$ cargo run --release -p othello -- match alphabeta random",
        "programs of other packages, which run them: examples/othello/tests, examples/connect4/tests",
    ),
];

/// The block that shows the standings of a ladder, without a command.
const STANDINGS: &str =
    "#  bot          rating    ±  stronger  pairs   score   draws  time used  faults";

/// A test for each block that is run, or for some that are run in one folder; they are named by their first lines, and
/// `$prepare` makes the files that they name.
macro_rules! blocks_that_are_run {
    ($($(#[$only:meta])? $name:ident after $prepare:ident: $($first:literal),+;)*) => {
        const RUN: &[&str] = &[STANDINGS, $($($first),+),*];
        $(
            #[test]
            $(#[$only])?
            fn $name() {
                let workspace = TestWorkspace::new();
                $prepare(&workspace);
                $(Block::beginning($first).run(&workspace);)+
            }
        )*
    };
}

blocks_that_are_run! {
    the_first_commands after own_bots:
        "$ cargo run --release -- match alphabeta greedy --games 10";
    a_match after own_bots:
        "$ crownhead match alphabeta greedy --games 10 --seed 1";
    faults_of_a_match after faulty_bot:
        "$ crownhead match ./my_bot greedy --games 2 --openings none";
    why_a_bot_lost after five_mistakes:
        "$ crownhead match \"python3 a.py\" random --games 1 --openings none";
    mistakes_of_a_game_and_its_turns after own_bots:
        "$ crownhead match greedy \"alphabeta --depth 3\" --games 2 --seed 1 --record games.jsonl",
        "$ crownhead replay games.jsonl --game 1";
    whether_one_is_better after own_bots:
        "$ cargo run --release -- sprt ./new ./old --elo0 0 --elo1 10";
    a_ladder after own_bots:
        "$ crownhead ladder new night";
    #[cfg(feature = "browser")]
    in_the_browser after ladder_and_games:
        "$ crownhead serve night --open                     # a ladder, live while it runs";
    a_starter after files_of_the_repository:
        "$ cargo run --release -- match \"python3 bots/starters/starter.py\" random";
    four_games after files_of_the_repository:
        "$ crownhead match ./my_bot alphabeta               # 1. the contest's checkers, between bots:";
}

#[test]
fn every_block_is_run_or_listed_as_not_run() {
    let listed = NOT_RUN.iter().map(|(first, _)| *first);
    let mut known: Vec<&str> = RUN.iter().copied().chain(listed).collect();
    let mut there: Vec<&str> = blocks().iter().map(|block| block.lines[0]).collect();
    known.sort_unstable();
    there.sort_unstable();
    assert_eq!(there, known);
}

/// Only some shells split an unquoted variable of several words.
#[test]
fn commands_of_all_pages_mean_the_same_in_every_shell() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let docs = folder.join("docs").read_dir().unwrap();
    let pages = docs.map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    let mut commands = 0;
    for page in pages.chain([folder.join("README.md")]) {
        let text = std::fs::read_to_string(&page).unwrap();
        for command in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            commands += 1;
            let unquoted: String = command.split(['\'', '"']).step_by(2).collect();
            assert!(!unquoted.contains('$'), "{}: {command}", page.display());
        }
    }
    assert!(commands > 50, "{commands}");
}

#[test]
fn the_table_of_a_ladder_has_the_columns_that_the_readme_shows() {
    let workspace = TestWorkspace::new();
    ladder_and_games(&workspace);
    let table = output_of("ladder standings night", &workspace);
    // A name is broken into lines where the cells below it are narrow.
    let names = |lines: &mut dyn Iterator<Item = &str>| {
        let below = |line: &&str| !line.starts_with("#  bot");
        let is_head = |line: &&str| !line.starts_with(|first: char| first.is_ascii_digit());
        let head = lines.skip_while(below).take_while(is_head);
        let mut names: Vec<String> = head
            .flat_map(str::split_whitespace)
            .map(String::from)
            .collect();
        names.sort();
        names
    };
    let shown = Block::beginning(STANDINGS).lines;
    assert_eq!(names(&mut table.lines()), names(&mut shown.iter().copied()));
}

/// The lines between two fences of README.md.
struct Block {
    /// `console` where only commands stand, and comments.
    kind: &'static str,
    lines: Vec<&'static str>,
}

/// A command of a block, and what the block shows of its output.
struct Step {
    typed: &'static str,
    shown: String,
}

fn blocks() -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in README.lines() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            inside = !inside;
            let lines = Vec::new();
            blocks.extend(inside.then_some(Block { kind, lines }));
        } else if let Some(block) = blocks.last_mut().filter(|_| inside) {
            block.lines.push(line);
        }
    }
    blocks
}

impl Block {
    fn beginning(first: &str) -> Block {
        let block = blocks().into_iter().find(|block| block.lines[0] == first);
        block.unwrap_or_else(|| panic!("README.md has no block that begins with {first:?}"))
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for line in &self.lines {
            if let Some(typed) = line.strip_prefix("$ ") {
                let shown = String::new();
                steps.push(Step { typed, shown });
            } else if self.kind == "console" {
                assert!(line.trim_start().starts_with('#'), "no comment: {line}");
            } else {
                let step = steps.last_mut().expect("a command comes first");
                step.shown += line;
                step.shown.push('\n');
            }
        }
        steps
    }

    fn run(&self, workspace: &TestWorkspace) {
        for step in self.steps() {
            let words = step.words();
            if words.iter().any(|word| !can_be_started(word, workspace)) {
                continue;
            }
            if words
                .iter()
                .any(|word| word.trim_start_matches('-') == "serve")
            {
                serve(&words, workspace);
            } else {
                let output = start(&words, workspace).output().unwrap();
                step.compare(&output, workspace);
                quicken(workspace);
            }
        }
    }
}

impl Step {
    /// The arguments for the program that cargo has built: few games, short ones, and ample limits, as far as that
    /// changes nothing of what is shown.
    fn words(&self) -> Vec<String> {
        let own = ["crownhead ", "cargo run --release -- "];
        let arguments = own.iter().find_map(|own| self.typed.strip_prefix(own));
        let arguments = arguments.unwrap_or_else(|| panic!("no command of ours: {}", self.typed));
        // What follows ` #` is a comment.
        let mut words = shlex::split(arguments).expect("quotes in pairs");
        let mut set = |option: &str, value: &str| {
            let place = words.iter().position(|word| word == option);
            match place {
                Some(place) => words[place + 1] = value.into(),
                None => words.extend([option, value].map(String::from)),
            }
        };
        match arguments.split(' ').next() {
            Some("match") if !arguments.contains("--games 1 ") => set("--games", "2"),
            Some("match") => {}
            Some("sprt") => set("--max-pairs", "1"),
            _ => return words,
        }
        if self.shown.is_empty() && !arguments.contains("--record") {
            set("--max-turns", "8");
        }
        // A search uses what time it has.
        let searches = |word: &String| ["alphabeta", "contest"].contains(&word.as_str());
        if !self.shown.contains("did not answer within") && !words.iter().any(searches) {
            words.extend(AMPLE_TIME.map(String::from));
        }
        words
    }

    /// Asserts that this is what the command prints, and how it ends.
    fn compare(&self, output: &Output, workspace: &TestWorkspace) {
        let [printed, error] = [&output.stdout, &output.stderr].map(|text| {
            let text = String::from_utf8_lossy(text);
            text.replace(workspace.path("").to_str().unwrap(), "/home/anna/")
        });
        // One pair decides nothing.
        let status = if self.typed.contains("sprt ") { 3 } else { 0 };
        let told = format!("`{}`\n{printed}{error}", self.typed);
        assert_eq!(output.status.code(), Some(status), "{told}");
        let [mut shown, mut lasts] = [&self.shown, &printed].map(|text| lasting(text));
        if was_kept_from_its_time(&printed) {
            without_causes(&mut shown);
            without_causes(&mut lasts);
        }
        let is_all = shown.first() == lasts.first();
        let part_is_there = lasts.windows(shown.len().max(1)).any(|part| part == shown);
        let is_so = shown.is_empty()
            || if is_all {
                shown == lasts
            } else {
                part_is_there
            };
        assert!(is_so, "{told}\nREADME.md shows {shown:#?}, of {lasts:#?}");
    }
}

/// Serves until the page has an address, and a match until it is over; then it is interrupted.
fn serve(words: &[String], workspace: &TestWorkspace) {
    let mut command = start(words, workspace);
    // No browser is opened on the machine of those who run the tests.
    let mut process = command
        .env("PATH", workspace.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let address = lines.next();
    let is_page = address
        .as_ref()
        .is_some_and(|line| line.starts_with("http://127.0.0.1:"));
    let is_over = words[0] != "match" || lines.any(|line| line.starts_with("ended by "));
    let interrupted = rustix::process::kill_process(
        rustix::process::Pid::from_child(&process),
        rustix::process::Signal::INT,
    );
    let status = process.wait().unwrap();
    assert!(is_page && is_over, "{words:?}: {address:?}");
    assert_eq!((interrupted, status.code()), (Ok(()), Some(0)), "{words:?}");
}

/// The program, ready to be started where the files of a block are; nothing is typed for it.
fn start(words: &[String], workspace: &TestWorkspace) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("crownhead"));
    command.args(words).current_dir(workspace.path(""));
    command.stdin(Stdio::null());
    command
}
