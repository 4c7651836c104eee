//! Tests of the referee: it is given all answers of a game, and what it says is looked at.

use std::io::Write;
use std::process::{Command, Stdio};

/// What the referee says. 66 = 3 + 2 * 7 + 1 * 7 * 7: the first discs fall into 3, 2, 1 and 0.
fn play(answers: &str) -> String {
    let mut command = Command::new("./referee");
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut referee = piped.spawn().expect("compile the referee before its tests");
    let told = format!("###Seed 66\n###Start 2\n{}\n", answers.replace(' ', "\n"));
    referee
        .stdin
        .take()
        .unwrap()
        .write_all(told.as_bytes())
        .unwrap();
    String::from_utf8(referee.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn the_seed_chooses_the_first_discs() {
    let board = format!("###Show\n{}1010...\n", ".......\n".repeat(5));
    assert!(play("").contains(&board));
}

#[test]
fn four_in_a_column_win() {
    assert!(play("3 4 3 4 3").ends_with("###End 0 1\n"));
}

#[test]
fn four_in_a_row_win() {
    assert!(play("4 0 5 1 4 2 5 3").ends_with("###End 1 0\n"));
}

#[test]
fn an_illegal_answer_loses_and_is_reported() {
    let said = play("3 seven");
    assert!(said.contains("answered `seven`, which is no free column\n"));
    assert!(said.ends_with("###End 0 1\n"));
}
