//! `crownhead chess FILE`: the files that ship, and the messages about bad lines.

use crate::common::{TestWorkspace, crownhead};
use std::path::PathBuf;
use std::process::Output;

fn example(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../examples/chess", name]
        .iter()
        .collect()
}

/// Reads moves from standard input.
fn read(moves: &str, options: &[&str]) -> Output {
    let mut command = crownhead();
    command.args(["chess", "-"]).args(options);
    command.write_stdin(moves).output().unwrap()
}

/// What is printed of these moves, without the boards and blank lines.
fn told(moves: &str) -> Vec<String> {
    let output = read(moves, &[]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let is_board = |line: &&str| line.len() != 17 || !line.starts_with(char::is_numeric);
    let lines = text.lines().filter(is_board);
    let rest = lines.filter(|line| !line.is_empty() && *line != "  a b c d e f g h");
    rest.map(String::from).collect()
}

#[test]
fn the_files_that_ship_print_what_stands_beside_them() {
    for name in ["legal", "bad-moves", "mate"] {
        let file = example(&format!("{name}.txt"));
        let output = crownhead().arg("chess").arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}");
        let expected = std::fs::read_to_string(example(&format!("{name}.out"))).unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            expected,
            "{name}"
        );
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{name}");

        let moves = std::fs::read_to_string(&file).unwrap();
        let from_input = read(&moves, &[]).stdout;
        assert_eq!(
            String::from_utf8(from_input).unwrap(),
            expected,
            "{name} on -"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_page_that_cannot_be_written_is_a_failure() {
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let legal = example("legal.txt");
    for arguments in [
        &["chess", legal.to_str().unwrap()][..],
        &["play", "random", "random", "--seed", "1"],
        &["play", "random", "random", "--seed", "1", "--game", "chess"],
    ] {
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("crownhead"))
            .args(arguments)
            .stdout(full())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(error.contains("the disk is full"), "{arguments:?}: {error}");
    }
}

#[test]
fn the_legal_game_has_checks_no_bad_move_and_no_mate() {
    let legal = told(&std::fs::read_to_string(example("legal.txt")).unwrap());
    assert!(legal.iter().filter(|line| *line == "in check").count() >= 3);
    let bad = |line: &&String| line.starts_with("line ") || line.contains("mate");
    assert_eq!(legal.iter().find(bad), None);
}

#[test]
fn every_kind_of_bad_move_ships() {
    let bad = told(&std::fs::read_to_string(example("bad-moves.txt")).unwrap());
    for reason in [
        "no piece there: e3 is empty",
        "not yours: the piece on e7 is black's",
        "own piece in the way on a2",
        "path blocked at a2",
        "path blocked at h5: a pawn captures only diagonally",
        "that is no move; a move is two squares, such as e2e4",
        "a pawn moves diagonally only to capture, and f5 is empty",
        "a pawn moves two squares on its first move only",
        "a pawn on its far row has no move",
        "that ends where it begins",
        "a king is never captured",
        "leaves your king under attack",
        "that is not how a pawn moves",
        "that is not how a knight moves",
        "that is not how a bishop moves",
        "that is not how a rook moves",
        "that is not how a queen moves",
        "that is not how a king moves",
    ] {
        let ends_so = |line: &String| line.starts_with("line ") && line.ends_with(reason);
        assert!(bad.iter().any(ends_so), "{reason}");
    }
}

#[test]
fn the_starting_board_is_drawn_first() {
    let output = read("", &[]);
    let start = "\
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h
";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), start);
}

#[test]
fn a_bad_move_leaves_the_same_player_on_move() {
    assert_eq!(
        told("e2e5\ne7e5\ne2e4\n"),
        [
            "line 1: e2e5: that is not how a pawn moves",
            "line 2: e7e5: not yours: the piece on e7 is black's",
            "1. white e2e4",
        ]
    );
}

#[test]
fn spaces_carriage_returns_blank_lines_and_remarks_after_a_move_are_passed_over() {
    let plain = told("e2e4\ne7e5\n");
    assert_eq!(told("e2e4\r\n\r\ne7e5 \t\r\n"), plain);
    assert_eq!(told("\n  \nE2E4 the king's pawn\n\ne7e5"), plain);
}

#[test]
fn in_check_is_reported_once_below_the_board_of_the_move_that_gave_it() {
    // Check, two replies that leave it, and a line that reads like ours.
    let moves = "e2e4\nf7f6\nd1h5\na7a6\nb7b6\nin check\ng7g6\nh5g6\n";
    let output = String::from_utf8(read(moves, &[]).stdout).unwrap();
    assert_eq!(output.matches("in check").count(), 2);
    assert!(
        output.ends_with("  a b c d e f g h\nin check\n"),
        "also at the end of a file"
    );
    assert!(output.contains("  a b c d e f g h\nin check\nline 4: a7a6: leaves your king"));
}

#[test]
fn after_mate_every_move_is_refused() {
    let told = told("f2f3\ne7e5\ng2g4\nd8h4\na2a3\nhello\nh4h5\n");
    assert_eq!(
        told[4..],
        [
            "in check",
            "checkmate: black has won",
            "line 5: a2a3: the game is over: checkmate, white has lost",
            "line 6: that is no move; a move is two squares, such as e2e4",
            "line 7: h4h5: the game is over: checkmate, white has lost",
        ]
    );
}

/// The shortest stalemate known (S. Loyd), white's tenth move.
const STALEMATE: &str = "e2e3\na7a5\nd1h5\na8a6\nh5a5\nh7h5\nh2h4\na6h6\na5c7\nf7f6\nc7d7\n\
    e8f7\nd7b7\nd8d3\nb7b8\nd3h7\nb8c8\nf7g6\nc8e6\n";

#[test]
fn after_stalemate_every_move_is_refused() {
    let told = told(&format!("{STALEMATE}g6f7\ne6e7\n"));
    assert_eq!(
        told[told.len() - 4..],
        [
            "19. white c8e6",
            "stalemate: a draw",
            "line 20: g6f7: the game is over: stalemate, black has no legal move",
            "line 21: e6e7: the game is over: stalemate, black has no legal move",
        ]
    );
}

#[test]
fn a_game_of_any_length_is_read_to_its_end() {
    let there_and_back = "g1f3\ng8f6\nf3g1\nf6g8\n".repeat(60);
    let told = told(&format!("{there_and_back}e2e5\n"));
    assert_eq!(told.len(), 241);
    assert_eq!(
        told[239..],
        [
            "240. black f6g8",
            "line 241: e2e5: that is not how a pawn moves"
        ]
    );
}

#[test]
fn strict_stops_at_the_first_bad_line() {
    for bad in ["e2e4", "hello"] {
        let output = read(&format!("e2e4\n{bad}\nd7d5\n"), &["--strict"]);
        assert_eq!(output.status.code(), Some(1), "{bad}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.lines().last().unwrap().starts_with("line 2: "),
            "{text}"
        );
    }
    assert_eq!(read("e2e4\n\ne7e5\n", &["--strict"]).status.code(), Some(0));
}

#[test]
fn json_gives_one_object_a_move() {
    let output = read("e2e4\ne2e4\nhello\nf7f6\n\nd1h5\n", &["--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let objects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let field = |name: &str| -> Vec<_> { objects.iter().map(|object| &object[name]).collect() };
    assert_eq!(field("line"), [1, 2, 3, 4, 6]);
    assert_eq!(field("legal"), [true, false, false, true, true]);
    assert_eq!(objects[1]["reason"], "no piece there: e2 is empty");
    assert_eq!(objects[2]["reason"], "no move");
    assert_eq!(objects[4]["side"], "white");
    assert_eq!(objects[4]["move"], "d1h5");
    assert_eq!(objects[4]["check"], true);
    assert_eq!(objects[4]["board"][3], ".......Q");
    assert_eq!(objects[4]["end"], serde_json::Value::Null);

    let mate = read("f2f3\ne7e5\ng2g4\nd8h4\n", &["--json"]).stdout;
    let last = String::from_utf8(mate).unwrap();
    let last: serde_json::Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!(last["end"], "checkmate");
}

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    let workspace = TestWorkspace::new();
    let missing = workspace.path("missing.txt");
    for path in [missing, workspace.path("")] {
        let output = crownhead().arg("chess").arg(&path).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(path.to_str().unwrap()), "{error}");
    }
}

#[test]
fn lines_end_with_a_line_feed_and_perhaps_a_carriage_return_before_it() {
    let usual = read("e2e4\ne7e5\nxx\n", &[]).stdout;
    for moves in ["e2e4\r\ne7e5\r\nxx\r\n", "\u{feff}e2e4\ne7e5\nxx"] {
        let output = read(moves, &[]);
        assert_eq!(output.stdout, usual, "{moves:?}");
        assert_eq!(output.status.code(), Some(0), "{moves:?}");
    }
}

#[test]
fn a_file_in_utf16_is_reported() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("moves.txt");
    let units = "\u{feff}e2e4\r\ne7e5\r\n".encode_utf16();
    std::fs::write(&file, units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
    let output = crownhead().arg("chess").arg(&file).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    let told =
        "moves.txt: it is written in UTF-16; expected UTF-8: save it again with that encoding.\n";
    assert!(error.ends_with(told), "{error}");
}
