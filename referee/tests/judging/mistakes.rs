//! Bots with the mistakes that beginners make, each in a language that it is made in: what `match` prints is enough to
//! find it. A bot whose interpreter or compiler is not on this machine is skipped, and that is said.

#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::{TestWorkspace, match_of};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How long a bot may take for its first turn: long enough for any interpreter to start, and short for a bot that
/// never answers.
const FIRST_TURN: &str = "3s";

fn source(file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judging/programs");
    folder.join(file)
}

fn is_there(program: &str) -> bool {
    let mut version = Command::new(program);
    let version = version.arg("--version").stdout(Stdio::null());
    let found = version.stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        crate::common::skip_for_want_of(program);
    }
    found
}

/// The words of a bot that is run, or made, by the program that its kind of file needs.
fn words(workspace: &TestWorkspace, file: &str) -> Option<String> {
    let path = source(file);
    let (_, kind) = file.rsplit_once('.').unwrap();
    let program = match kind {
        "py" => "python3",
        "js" => "node",
        "cpp" => "c++",
        _ => return Some(format!("sh '{}'", path.display())),
    };
    if !is_there(program) {
        return None;
    }
    if kind != "cpp" {
        return Some(format!("{program} '{}'", path.display()));
    }
    let made = workspace.path("bot");
    let mut compile = Command::new(program);
    let done = compile.arg("-o").arg(&made).arg(path).status();
    assert!(done.unwrap().success());
    Some(made.to_str().unwrap().into())
}

/// What `match` prints below the heading `faults` of one game in which the bot in `file` plays black.
fn faults(file: &str) -> Option<String> {
    let workspace = TestWorkspace::new();
    let bot = words(&workspace, file)?;
    let output = match_of(&bot, "random", 1, 2)
        .args(["--name", "bot", "--time", "2s", "--first-turn", FIRST_TURN])
        .env_remove("PYTHONUNBUFFERED")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, faults) = text.split_once("\nfaults\n").expect("a fault");
    Some(faults.to_string())
}

/// Asserts that all of `parts` stand there.
fn tells(file: &str, parts: &[&str]) {
    let Some(faults) = faults(file) else { return };
    for part in parts {
        assert!(faults.contains(part), "{file}: no {part:?} in\n{faults}");
    }
}

macro_rules! mistakes {
    ($($name:ident: $file:literal => $parts:expr;)*) => { $(
        #[test]
        fn $name() {
            tells($file, &$parts);
        }
    )* };
}

mistakes! {
    output_that_is_not_flushed: "no_flush.py" => [
        "game 1, turn 1 (bot): black did not answer within 3s: it worked",
        "It had written `C3B4` without flushing; flush after every line",
    ];
    output_that_is_not_flushed_in_cpp: "no_flush.cpp" => [
        "It had written `C3B4` without flushing; flush after every line",
    ];
    reading_to_the_end_of_input: "reads_to_end.py" => [
        "and was idle for ",
        "It answered `C3B4` only when its input had ended: it reads to the end of input",
    ];
    reading_to_the_end_of_input_in_javascript: "reads_to_end.js" => [
        "It answered `C3B4` only when its input had ended: it reads to the end of input",
    ];
    reading_one_line_too_many: "one_line_more.py" => [
        "It answered `C3B4` once one line more had come: it waits for a line that is not sent",
    ];
    reading_a_part_of_the_list: "part_of_list.cpp" => [
        "game 1, turn 3 (bot): black's bot was killed by signal 11",
        "It reads 6 of the 7 moves of a list: the next line, `E3F4`, is still there when it reads its next turn",
    ];
    leaving_lines_in_the_pipe: "first_move_only.sh" => [
        "game 1, turn 3 (bot): black answered",
        // As its pipe shows, or as trying does where the bot was quick to read on.
        "read the whole list\n",
    ];
    taking_the_colour_line_at_every_turn: "colour_every_turn.py" => [
        "ValueError: invalid literal for int() with base 10: ",
        "(colour_every_turn.py, line 5: `moves = ",
        "for the number of moves: it is one line ahead, as a bot that reads the colour line at every turn",
    ];
    taking_the_colour_line_at_every_turn_in_javascript: "colour_every_turn.js" => [
        "black answered `undefined` but that is not a move",
        "With the colour line before this turn too it answers: it reads that line at every turn",
    ];
    loading_for_too_long: "slow_start.py" => [
        "black did not answer within 3s: it worked",
        "what it loads or computes at its start takes too long",
    ];
    an_exception: "index_error.py" => [
        "ended with exit status 1 instead of answering: IndexError: list index out of range (index_error.py, line 6: \
         `best = moves[6]`)\n",
        "      |     best = moves[6]\n",
        "      | IndexError: list index out of range\n",
    ];
    an_exception_in_javascript: "type_error.js" => [
        "TypeError: Cannot read properties of undefined (reading 'trim') (type_error.js:10:20)\n",
        "      |   console.log(jump.trim());\n",
    ];
    an_assertion: "assertion.cpp" => [
        "was killed by signal 6 (SIGABRT, an abort): ",
        "assertion.cpp:17: int main(): Assertion `count == 7' failed.\n",
    ];
}
