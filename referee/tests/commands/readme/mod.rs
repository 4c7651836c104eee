//! README.md shows what a user gets. Each of its blocks of commands is run in a folder with the bots and files that it
//! names, and prints what the block shows, except what varies: `lasting` leaves that out. So are the first steps of the
//! guide.

mod lasting;
mod stage;

use crate::common::skip::is_there;
use crate::common::{AMPLE_TIME, TestWorkspace};
use lasting::{lasting, was_kept_from_its_time, without_causes};
use stage::{can_be_started, own_bots, quicken, recorded_games, two_mistakes};
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

const README: &str = include_str!("../../../../README.md");
const FIRST_STEPS: &str = include_str!("../../../../docs/guide/five-minutes.md");

/// Blocks that are not run, each by its first line, with the reason.
const NOT_RUN: [(&str, &str); 6] = [
    (
        "$ crownhead init",
        "the first steps of the guide are the same",
    ),
    (
        "$ cargo test --workspace --all-features",
        "this test is a part of it",
    ),
    (
        "$ cargo install --locked --path referee",
        "it builds the program once more",
    ),
    (
        "$ docker build -t crownhead .",
        "it needs Docker, and builds the program once more",
    ),
    (
        "$ crownhead bundle --output submission.rs",
        "it needs a package, as the tests of `bundle` have",
    ),
    (
        "$ crownhead match ./my_bot ./other --referee SpringChallenge2023 --league 4",
        "the referee of that contest has to be downloaded and built",
    ),
];

/// A block that is run by a test of its own.
const LADDER: &str = "$ crownhead ladder new night";

/// A test for each other block that is run, named by its first line; `$prepare` makes the files that it needs.
macro_rules! blocks_that_are_run {
    ($($(#[$only:meta])? $name:ident after $prepare:ident: $first:literal;)*) => {
        const RUN: &[&str] = &[$($first),*];
        $(
            #[test]
            $(#[$only])?
            fn $name() {
                let workspace = TestWorkspace::new();
                $prepare(&workspace);
                Block::beginning($first).run(&workspace);
            }
        )*
    };
}

blocks_that_are_run! {
    the_first_command after own_bots:
        "$ cargo run --release -- match alphabeta greedy --games 10";
    why_a_bot_lost after two_mistakes:
        "$ crownhead match \"python3 my_bot.py\" random --games 1 --openings none";
    mistakes_of_a_game_and_its_turns after own_bots:
        "$ crownhead match ./my_bot greedy --record games.jsonl";
    whether_one_is_better after own_bots:
        "$ crownhead sprt ./new ./old";
    watching_and_replaying after recorded_games:
        "$ crownhead replay games.jsonl --list";
    people_at_a_terminal after own_bots:
        "$ crownhead play";
}

#[test]
fn every_block_is_run_or_listed_as_not_run() {
    let listed = NOT_RUN.iter().map(|(first, _)| *first);
    let mut known: Vec<&str> = RUN.iter().copied().chain(listed).chain([LADDER]).collect();
    let mut there: Vec<&str> = blocks(README).iter().map(|block| block.lines[0]).collect();
    known.sort_unstable();
    there.sort_unstable();
    assert_eq!(there, known);
}

#[test]
fn a_ladder_prints_the_table_that_the_guide_explains() {
    let workspace = TestWorkspace::new();
    own_bots(&workspace);
    let printed = Block::beginning(LADDER).run(&workspace);
    assert_prints_heads(
        &printed,
        include_str!("../../../../docs/guide/ladder.md"),
        "#  bot ",
    );
}

#[test]
fn the_first_steps_of_the_guide_work_and_print_the_tables_that_it_explains() {
    if !is_there("python3") {
        return;
    }
    let workspace = TestWorkspace::new();
    let mut printed = String::new();
    let commands = blocks(FIRST_STEPS);
    let commands = commands.iter().filter(|block| block.kind == "console");
    // The third block asks for the contest's own limits, which a busy machine may not meet.
    for step in commands.take(2).flat_map(Block::steps) {
        let output = start(&step.words(), &workspace).output().unwrap();
        assert!(output.status.success(), "{}: {output:?}", step.typed);
        printed += &String::from_utf8_lossy(&output.stdout);
    }
    for head in ["bot ", "answered in "] {
        assert_prints_heads(&printed, FIRST_STEPS, head);
    }
}

/// Asserts that the lines of a page with these beginnings were printed, with any column widths.
fn assert_prints_heads(printed: &str, page: &str, beginning: &str) {
    fn words(line: &str) -> Vec<&str> {
        line.split_whitespace().collect()
    }
    let printed_lines: Vec<_> = printed.lines().map(words).collect();
    let mut heads = page
        .lines()
        .filter(|line| line.starts_with(beginning))
        .peekable();
    assert!(heads.peek().is_some(), "no line begins with {beginning}");
    for head in heads {
        assert!(
            printed_lines.contains(&words(head)),
            "{head} is not in\n{printed}"
        );
    }
}

/// The lines between two fences of a page.
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

fn blocks(page: &'static str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
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
        let block = blocks(README)
            .into_iter()
            .find(|block| block.lines[0] == first);
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

    /// Runs the commands, and gives what they have printed.
    fn run(&self, workspace: &TestWorkspace) -> String {
        let mut printed = String::new();
        for step in self.steps() {
            let words = step.words();
            if words.iter().any(|word| !can_be_started(word)) {
                continue;
            }
            if words[0] == "serve" {
                serve(&words, workspace);
            } else {
                let output = start(&words, workspace).output().unwrap();
                step.compare(&output);
                quicken(workspace);
                printed += &String::from_utf8_lossy(&output.stdout);
            }
        }
        printed
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
            Some("match" | "check") => {}
            Some("sprt") => set("--max-pairs", "1"),
            _ => return words,
        }
        if arguments.starts_with("match ") && self.shown.is_empty() {
            set("--max-turns", "10");
        }
        // A search uses what time it has.
        let searches = |word: &String| ["alphabeta", "contest"].contains(&word.as_str());
        if !self.shown.contains("did not answer within") && !words.iter().any(searches) {
            words.extend(AMPLE_TIME.map(String::from));
        }
        words
    }

    /// Asserts that this is what the command prints, and how it ends.
    fn compare(&self, output: &Output) {
        let [printed, error] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        // One pair decides nothing.
        let status = if self.typed.contains("sprt ") { 3 } else { 0 };
        let told = format!("`{}`\n{printed}{error}", self.typed);
        assert_eq!(output.status.code(), Some(status), "{told}");
        let [mut shown, mut lasts] = [&self.shown, &printed].map(|text| lasting(text));
        if was_kept_from_its_time(&printed) {
            without_causes(&mut shown);
            without_causes(&mut lasts);
        }
        let is_so = shown.is_empty() || shown == lasts;
        assert!(is_so, "{told}\nREADME.md shows {shown:#?}, of {lasts:#?}");
    }
}

/// Serves until the page has an address; then it is interrupted.
fn serve(words: &[String], workspace: &TestWorkspace) {
    let mut command = start(words, workspace);
    // No browser is opened on the machine of those who run the tests.
    let mut process = command
        .env("PATH", workspace.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    let has_address = lines.any(|line| line.starts_with("http://127.0.0.1:"));
    let interrupted = rustix::process::kill_process(
        rustix::process::Pid::from_child(&process),
        rustix::process::Signal::INT,
    );
    let status = process.wait().unwrap();
    assert!(has_address, "{words:?}");
    assert_eq!((interrupted, status.code()), (Ok(()), Some(0)), "{words:?}");
}

/// The program, ready to be started where the files of a block are; nothing is typed for it.
fn start(words: &[String], workspace: &TestWorkspace) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("crownhead"));
    command.args(words).current_dir(workspace.path(""));
    command.stdin(Stdio::null());
    command
}
