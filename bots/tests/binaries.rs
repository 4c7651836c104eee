//! The thin binaries as a person or a referee meets them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Each binary with the words that tell it from the others.
const BINARIES: [(&str, &str); 3] = [
    (env!("CARGO_BIN_EXE_random"), "Play any legal move"),
    (env!("CARGO_BIN_EXE_greedy"), "Capture as many pieces"),
    (env!("CARGO_BIN_EXE_alphabeta"), "Search ahead"),
];

#[test]
fn help_says_what_the_bot_does_what_it_speaks_and_how_to_let_it_play() {
    for (program, about) in BINARIES {
        let output = run(program, &["--help"], "");
        assert!(output.status.success());
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.starts_with(about), "{help}");
        assert!(help.contains("protocol.md"), "{help}");
        assert!(help.contains("  crownhead match target/release/"), "{help}");
    }
}

#[test]
fn a_turn_is_answered_and_the_end_of_input_is_a_clean_exit() {
    // The last line has no line end, as in a file typed by hand.
    let turn = "w\n........\n..r.....\n.b......\n........\n........\n........\n........\n..R.....\n1\nC7A5";
    for (program, _) in BINARIES {
        let output = run(program, &[], turn);
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "C7A5\n");
        // Only a bot that searches has something to say about its move.
        let remark = String::from_utf8(output.stderr).unwrap();
        let expected = if program.ends_with("alphabeta") {
            "only move C7A5\n"
        } else {
            ""
        };
        assert_eq!(remark, expected, "{program}");
    }
}

#[test]
fn nonsense_is_one_line_on_standard_error_and_status_1() {
    for (program, _) in BINARIES {
        let output = run(program, &[], "hello\n");
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            said,
            "error: line 1: expected a colour, b, r or w; found \"hello\"\n"
        );
    }
}

#[test]
fn unusable_options_are_explained_with_status_2() {
    let alphabeta = BINARIES[2].0;
    for (options, explained) in [
        (["--rules", "chess"], "expected contest or classroom"),
        (
            ["--nodes", "0"],
            "`--nodes 0` is out of range. Expected a whole number from 1",
        ),
        (["--time", "soon"], "`--time soon`: expected"),
        (
            ["--deph", "3"],
            "`alphabeta` has no option `--deph`. Did you mean `--depth`?",
        ),
    ] {
        let output = run(alphabeta, &options, "");
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(explained), "{said}");
    }
}

fn run(program: &str, options: &[&str], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Fails where the program exits without reading, as it does after `--help`.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}
