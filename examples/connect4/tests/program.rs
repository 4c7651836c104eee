//! The program with Connect Four: a match of real processes, its records and its boards.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn run(arguments: &[&str]) -> String {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("connect4"));
    let command = command
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .args(arguments);
    let done = command.assert().success();
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

#[test]
fn alphabeta_beats_random_20_to_0_and_the_last_disc_is_marked_where_it_landed() {
    let flags =
        "--games 20 --seed 1 --time 10s --json --force --openings none --record connect4.jsonl -q";
    let bots = ["match", "alphabeta --nodes 1000", "random"];
    let arguments: Vec<&str> = bots.into_iter().chain(flags.split(' ')).collect();
    let result: Value = serde_json::from_str(&run(&arguments)).unwrap();
    assert_eq!(result["bots"][0]["score"]["score"], 1.0, "{result:#}");

    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("connect4.jsonl");
    let games = std::fs::read_to_string(file).unwrap();
    assert!(
        games
            .lines()
            .all(|game| game.contains(" has four in a row\""))
    );
    let replayed = run(&["replay", "connect4.jsonl", "--game", "1", "--ascii"]);
    assert!(
        replayed.contains("[r]") && !replayed.contains("[.]"),
        "{replayed}"
    );
}

#[test]
fn the_board_has_seven_columns_and_six_rows_and_a_move_is_a_column() {
    let empty = ".......\n".repeat(6);
    assert_eq!(
        run(&["show", "--protocol"]),
        format!("r\n{empty}7\nD\nC\nE\nB\nF\nA\nG\n")
    );
}
