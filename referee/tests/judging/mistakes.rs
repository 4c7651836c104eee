//! Bots with the mistakes that beginners make, each in a language that it is made in: what `match` prints is enough to
//! find it. A bot whose interpreter or compiler is not on this machine is skipped, and that is said.

#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::skip::is_there;
use crate::common::{TestWorkspace, match_of};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long a bot may take for its first turn: long enough for any interpreter to start, and short for a bot that
/// never answers.
const FIRST_TURN: &str = "3s";

fn source(file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judging/programs");
    folder.join(file)
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

/// What `match` prints below the heading `faults` of one game in which the bot in `file` plays this colour.
fn faults(file: &str, colour: &str) -> Option<String> {
    let workspace = TestWorkspace::new();
    let bot = words(&workspace, file)?;
    let (players, names) = match colour {
        "black" => ([&bot, "random"], &["--names", "bot"][..]),
        _ => (
            ["random", &bot],
            &["--name", "random", "--names", "bot"][..],
        ),
    };
    // One works for as long as it is let.
    let works_on = file == "slow_start.py";
    let first_turn = if works_on { "1s" } else { FIRST_TURN };
    let output = match_of(players[0], players[1], 1, 2)
        .args(["--time", "2s", "--first-turn", first_turn])
        .args(names)
        // A bot does not have it, and is judged as on the site.
        .env("PYTHONUNBUFFERED", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, faults) = text.split_once("\nfaults\n").expect("a fault");
    // Each cause has a line of its own.
    Some(faults.replace("\n    - ", ". "))
}

/// Asserts that all of `parts` stand there.
fn tells(file: &str, colour: &str, parts: &[&str]) {
    let Some(faults) = faults(file, colour) else {
        return;
    };
    for part in parts {
        assert!(faults.contains(part), "{file}: no {part:?} in\n{faults}");
    }
}

/// Words of the sentences that accuse a bot of a mistake in reading or writing, or that quote what it wrote at the end.
const ACCUSATIONS: [&str; 9] = [
    "t reads ",
    "t takes ",
    "t writes ",
    "t ended after ",
    "t grew ",
    "nswer the move ",
    "colour",
    "looks like",
    "EOFError",
];

/// Asserts that all of `parts` stand there, and no accusation.
fn accuses_of_nothing(file: &str, colour: &str, parts: &[&str]) {
    let Some(faults) = faults(file, colour) else {
        return;
    };
    for part in parts {
        assert!(faults.contains(part), "{file}: no {part:?} in\n{faults}");
    }
    for accusation in ACCUSATIONS {
        assert!(!faults.contains(accusation), "{file}:\n{faults}");
    }
}

macro_rules! mistakes {
    ($check:ident, $colour:literal: $($name:ident: $file:literal => $parts:expr;)*) => { $(
        #[test]
        fn $name() {
            $check($file, $colour, &$parts);
        }
    )* };
}

mistakes! {
    tells, "black":
    output_that_is_not_flushed: "no_flush.py" => [
        "game 1, turn 1 (bot): black did not answer within 3 s: it worked",
        "It had written `C3B4` without flushing; flush after every line",
    ];
    reading_to_the_end_of_input: "reads_to_end.py" => [
        "and was idle for ",
        "It answered `C3B4` only when its input had ended: it reads to the end of input",
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
    taking_the_colour_line_at_every_turn_in_javascript: "colour_every_turn.js" => [
        "black answered `undefined` but that is not a move",
        "With the colour line before this turn too it answers: it reads that line at every turn",
    ];
    loading_for_too_long: "slow_start.py" => [
        "black did not answer within 1 s: it worked",
        "what it loads or computes at its start takes too long",
    ];
    an_exception: "index_error.py" => [
        "ended with exit status 1 instead of answering: IndexError: list index out of range (index_error.py, line 6: \
         `best = moves[6]`)\n",
        "      |     best = moves[6]\n",
        "      | IndexError: list index out of range\n",
    ];
    memory_that_only_grows: "leaks.py" => [
        "black's bot used more than 768 MB of memory",
        "Its memory grew from turn to turn: ",
        "until the limit of 768 MB: it keeps what it no longer needs",
    ];
    not_reading_the_colour_line: "skips_colour.js" => [
        "black answered `undefined` but ",
        "Without the colour line it answers: it does not read that line, the first that it is sent",
    ];
    a_line_after_the_move: "line_after_move.py" => [
        "game 1, turn 3 (bot): black answered `depth 3`",
        "It writes more lines after its move, `depth 3` first, and the next line is the answer to its next turn",
    ];
    the_rest_of_a_line_for_the_first_move: "rest_of_count.cpp" => [
        "black answered an empty line",
        "It takes the rest of the line with the number of moves for the first move: after `std::cin >> n`, \
         `std::cin.ignore()`",
    ];
    reading_seven_rows: "seven_rows.cpp" => [
        "turn 1 (bot): black's bot was killed by signal 11",
        ". With a row less it answers: it reads 7 rows of the board, and there are 8\n",
    ];
    reading_the_board_upside_down: "upside_down.py" => [
        "game 1, turn 1 (bot): ",
        "With the rows in reverse order it answers: it reads the board upside down",
    ];
}

mistakes! {
    tells, "red":
    not_looking_at_the_colour: "blind_to_colour.py" => [
        "game 1, turn 2 (bot): red answered ",
        "Whatever colour it is told, it answers a move of its opponent's: it does not look at the colour line",
    ];
}

mistakes! {
    accuses_of_nothing, "black":
    a_bot_that_crashes_by_itself_is_not_said_to_misread: "own_segfault.cpp" => [
        "black's bot was killed by signal 11 (SIGSEGV, a segmentation fault). Its last line on standard error: `depth 3`\n",
    ];
    a_bot_that_stumbles_over_the_last_row_is_not_said_to_read_too_few: "row_too_far.py" => [
        "IndexError: list index out of range",
    ];
    a_bot_that_answers_by_chance_is_accused_of_nothing: "by_chance.py" => ["black answered "];
    a_complaint_that_the_input_has_ended_is_not_shown_as_the_cause: "complains_at_end.py" => [
        "black answered `A1A1` but ",
    ];
}

mistakes! {
    accuses_of_nothing, "red":
    a_bot_that_does_not_jump_is_accused_of_nothing_else: "never_jumps.py" => ["but it must capture: "];
}
