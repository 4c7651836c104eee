//! Every reason why a move is refused.

use super::{start, without_a_second_pawn};
use crate::support::drawn::{after, board};
use crownhead::board::Side;
use crownhead::explain::Explain;
use crownhead::games::everchess::{rules, EverChess};
use crownhead::notation::Notation;

/// `position` refuses `text` with this clause.
fn refuses(position: &EverChess, text: &str, clause: &str) {
    assert!(position.parse_move(text).is_err(), "{text}");
    assert_eq!(position.refusal(text, &rules::STANDARD).clause, clause);
}

#[test]
fn a_refused_move_is_told_why() {
    let start = start();
    let shape = "a pawn moves one square straight ahead, or diagonally ahead to capture";
    for text in ["", "e2", "e2e9", "i2i3", "e2-e3", "e2e3e4", "é2e3", "hello"] {
        refuses(
            &start,
            text,
            "that is not a move; a move is two squares, such as e2e3",
        );
    }
    refuses(&start, "E4E5", "there is no pawn on e4");
    refuses(&start, "e7e6", "the pawn on e7 is black's");
    refuses(&start, "e2d3", "there is nothing to capture on d3");
    for text in ["e2e2", "e2e4", "e2e1", "e2d2", "e2f1", "e2g3", "h2a3"] {
        refuses(&start, text, shape);
    }
    refuses(
        &after(start, "e2e3 a7a6"),
        "d2e3",
        "its own pawn stands on e3",
    );
    let face_to_face = after(start, "e2e3 e7e6 e3e4 e6e5");
    refuses(
        &face_to_face,
        "e4e5",
        "e5 is occupied, and a pawn only captures diagonally",
    );

    let one = after(face_to_face, "a2a3 d7d6 a3a4 d6d5");
    refuses(&one, "e4f5", "it must capture: e4d5");
    let two = after(one, "e4d5 a4a5 f7f6 c2c3 f6f5 c3c4 b7b6");
    refuses(&two, "h2h3", "it must capture: a5b6");
    let moved = after(two, "a5b6");
    refuses(
        &moved,
        "b6b7",
        "the pawn on b6 has already moved this turn; a different one must move now",
    );
}

#[test]
fn every_capture_on_offer_is_named() {
    let position = board::<EverChess>(
        "........
         .......p
         ........
         .p.p.p..
         ....P...
         ........
         .......P
         ........",
        Side::White,
    );
    refuses(&position, "h2h3", "it must capture: e4d5 or e4f5");
    let refusal = position.refusal("h2h3", &rules::STANDARD);
    assert_eq!(refusal.advice, "you must capture: e4d5 or e4f5");
    let position = board::<EverChess>(
        "........
         .......p
         ........
         .p.p.p..
         P...P...
         ........
         .......P
         ........",
        Side::White,
    );
    refuses(&position, "h2h3", "it must capture: a4b5, e4d5 or e4f5");
}

#[test]
fn a_move_after_the_end_is_told_that_there_is_none() {
    let position = board::<EverChess>(
        "........
         P......p
         ........
         ....p...
         ........
         ....P...
         .......P
         ........",
        Side::White,
    );
    let won = after(position, "a7a8");
    refuses(&won, "h7h6", "the game is over: a pawn has reached a8");

    let stuck = without_a_second_pawn();
    refuses(&stuck, "e5e6", "it has no legal move");
    let refusal = stuck.refusal("e5e6", &rules::STANDARD);
    assert_eq!(refusal.advice, "you have no legal move");
}
