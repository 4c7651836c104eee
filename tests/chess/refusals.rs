//! Every reason why a move is refused, as records and people get it.

use super::start;
use crate::support::drawn::{after, board};
use crownhead::board::Side;
use crownhead::explain::{Explain, Refusal};
use crownhead::games::chess::{rules, Chess};
use crownhead::notation::Notation;

/// `position` refuses `text` with this clause, and says it so to a person.
fn refuses(position: &Chess, text: &str, clause: &str, to_mover: &str) {
    assert!(position.parse_move(text).is_err(), "{text}");
    let refusal = position.refusal(text, &rules::TWO_PLAYER);
    assert_eq!(refusal, Refusal::new(clause, to_mover));
}

/// The same if both get the same words.
fn refuses_plainly(position: &Chess, text: &str, clause: &str) {
    refuses(position, text, clause, clause);
}

#[test]
fn replies_that_are_no_moves_are_distinguished() {
    let clause = "that is not a move; a move is two squares, such as e2e4";
    for text in ["", "e2", "e2e9", "i2i3", "e2-e4", "e7e8q", "é2e3", "hello"] {
        refuses_plainly(&start(), text, clause);
    }
}

#[test]
fn the_squares_themselves_may_be_wrong() {
    let start = start();
    refuses(
        &start,
        "E4E5",
        "there is no piece on e4",
        "no piece there: e4 is empty",
    );
    refuses(
        &start,
        "e7e5",
        "the piece on e7 is black's",
        "not yours: the piece on e7 is black's",
    );
    refuses(
        &start,
        "d1d2",
        "its own piece is in the way on d2",
        "own piece in the way on d2",
    );
    refuses_plainly(&start, "d1d1", "that ends where it begins");
}

#[test]
fn every_kind_of_piece_is_held_to_its_own_way() {
    let wrong_ways = [
        ("pawn", "e2e5"),
        ("pawn", "e2g3"),
        ("knight", "b1b3"),
        ("bishop", "c1c3"),
        ("rook", "a1b3"),
        ("queen", "d1e3"),
        ("king", "e1e3"),
    ];
    for (kind, mv) in wrong_ways {
        refuses_plainly(&start(), mv, &format!("that is not how a {kind} moves"));
    }
    let backwards = after(start(), "e2e4 e7e5");
    refuses_plainly(&backwards, "e4e3", "that is not how a pawn moves");
}

#[test]
fn a_blocked_path_is_reported_with_the_first_piece_on_it() {
    let blocked = [("c1h6", "d2"), ("a1a5", "a2"), ("d1h5", "e2")];
    for (mv, square) in blocked {
        let (clause, to_mover) = (
            format!("the path is blocked at {square}"),
            format!("path blocked at {square}"),
        );
        refuses(&start(), mv, &clause, &to_mover);
    }
}

#[test]
fn a_pawn_is_told_its_own_reasons() {
    let position = after(start(), "e2e4 e7e5 f2f3 d8h4 g2g3 h4f4 a2a3 a7a6");
    refuses_plainly(
        &position,
        "a3a5",
        "a pawn moves two squares on its first move only",
    );
    refuses_plainly(
        &position,
        "e4d5",
        "a pawn moves diagonally only to capture, and d5 is empty",
    );
    refuses(
        &position,
        "e4e5",
        "the path is blocked at e5: a pawn captures only diagonally",
        "path blocked at e5: a pawn captures only diagonally",
    );

    let first_square = after(start(), "a2a3 e7e6 a3a4 d8g5 a4a5 g5g3");
    refuses(
        &first_square,
        "g2g4",
        "the path is blocked at g3",
        "path blocked at g3",
    );
    let second_square = after(first_square, "a5a6 g3g4");
    refuses(
        &second_square,
        "g2g4",
        "the path is blocked at g4: a pawn captures only diagonally",
        "path blocked at g4: a pawn captures only diagonally",
    );
}

#[test]
fn a_pawn_on_its_far_row_is_told_that_it_has_no_move() {
    let position = board::<Chess>(
        "P...k...
         ........
         ........
         ........
         ........
         ........
         ........
         ....K...",
        Side::White,
    );
    for mv in ["a8a7", "a8b7", "a8e1"] {
        refuses_plainly(&position, mv, "a pawn on its far row has no move");
    }
}

#[test]
fn a_move_may_not_leave_the_king_under_attack() {
    let clause = "that leaves its king under attack";
    let to_mover = "leaves your king under attack";
    let checked = after(start(), "e2e4 e7e5 f2f4 d8h4");
    for mv in ["a2a3", "e1f2"] {
        refuses(&checked, mv, clause, to_mover);
    }
    let pinned = after(start(), "d2d4 e7e6 c1d2 f8b4");
    assert!(pinned.parse_move("d2b4").is_ok());
    refuses(&pinned, "d2e3", clause, to_mover);
    // A king does not step back along the line that it is checked on.
    let along_the_line = board::<Chess>(
        "........
         ........
         ........
         ........
         .r..K..k
         ........
         ........
         ........",
        Side::White,
    );
    refuses(&along_the_line, "e4f4", clause, to_mover);
}

#[test]
fn a_king_is_never_captured() {
    let clause = "a king is never captured";
    let behind_a_pawn = after(start(), "e2e4 a7a6 d1h5 a6a5");
    refuses_plainly(&behind_a_pawn, "h5e8", clause);
    let ahead_of_a_pawn = board::<Chess>(
        "....k...
         ....P...
         ........
         ........
         ........
         ........
         ........
         ....K...",
        Side::White,
    );
    refuses_plainly(&ahead_of_a_pawn, "e7e8", clause);
}

#[test]
fn there_is_no_castling_and_no_capture_in_passing() {
    let castling = after(start(), "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    refuses_plainly(&castling, "e1g1", "that is not how a king moves");
    let in_passing = after(start(), "e2e4 a7a6 e4e5 d7d5");
    let clause = "a pawn moves diagonally only to capture, and d6 is empty";
    refuses_plainly(&in_passing, "e5d6", clause);
}

#[test]
fn after_the_end_every_move_is_told_that_the_game_is_over() {
    let mated = after(start(), "f2f3 e7e5 g2g4 d8h4");
    for mv in ["e1f2", "a2a3", "a7a6", "e4e5"] {
        refuses_plainly(&mated, mv, "the game is over: checkmate, white has lost");
    }
    let stalemated = board::<Chess>(
        ".......k
         .....Q..
         ........
         ........
         ........
         ........
         ........
         K.......",
        Side::Black,
    );
    let clause = "the game is over: stalemate, black has no legal move";
    refuses_plainly(&stalemated, "h8h7", clause);
}
