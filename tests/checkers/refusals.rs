//! Why a move is refused: every sentence there is.

use super::board::{draw, stuck};
use super::reference::random_position;
use crownhead::board::Side::{Black, White};
use crownhead::board::Square;
use crownhead::explain::{Explain, Refusal};
use crownhead::games::checkers::rules::{CLASSROOM, CONTEST};
use crownhead::games::checkers::{Checkers, CheckersRefusal};
use crownhead::notation::Notation;
use crownhead::position::Position;
use rand::SeedableRng;
use rand_pcg::Pcg32;
use std::collections::HashSet;
use std::mem::discriminant;

/// What the contest's referee says of `text`, which must not be legal.
fn refusal(position: &Checkers, text: &str) -> String {
    assert!(position.parse_move(text).is_err(), "{text} is legal");
    position.refusal(text).clause(&CONTEST)
}

fn start() -> Checkers {
    Checkers::start(&CONTEST)
}

#[test]
fn text_that_is_no_move_is_told_what_a_move_is() {
    for text in [
        "", "hello", "A3", "A3B", "A3B4C", "A9B8", "A3 B4", "Ä3B4", "🦀",
    ] {
        assert_eq!(
            refusal(&start(), text),
            "that is not a move; a move is the squares it visits, such as A3B4 or A3C5A7",
            "{text:?}"
        );
    }
}

#[test]
fn a_move_over_squares_never_used_is_told_which() {
    assert_eq!(refusal(&start(), "A3A4"), "no piece ever stands on A4");
    assert_eq!(refusal(&start(), "b3b4"), "no piece ever stands on B3");
    assert_eq!(refusal(&start(), "A3B4B5"), "no piece ever stands on B5");
}

#[test]
fn a_move_of_nothing_or_of_the_opponents_piece_is_told_so() {
    assert_eq!(refusal(&start(), "D4E5"), "there is no piece on D4");
    assert_eq!(refusal(&start(), "B6A5"), "the piece on B6 is red's");
    let white_first = Checkers::start(&CLASSROOM);
    assert_eq!(
        white_first.refusal("A3B4").clause(&CLASSROOM),
        "the piece on A3 is black's"
    );
    assert_eq!(
        start().refusal("B6A5").clause(&CLASSROOM),
        "the piece on B6 is white's"
    );
}

#[test]
fn a_step_to_no_neighbour_or_an_occupied_one_is_told_so() {
    assert_eq!(
        refusal(&start(), "A3E5"),
        "E5 is not one step along a diagonal from A3"
    );
    assert_eq!(
        refusal(&start(), "A3A3"),
        "A3 is not one step along a diagonal from A3"
    );
    assert_eq!(refusal(&start(), "A1B2"), "B2 is occupied");
}

#[test]
fn a_jump_over_nothing_is_told_so() {
    let nothing = "there is nothing to capture that way";
    assert_eq!(refusal(&start(), "A3C5"), nothing);
    assert_eq!(refusal(&start(), "A3C5A7"), nothing);
    assert_eq!(refusal(&start(), "A3B4C5"), nothing);
    assert_eq!(
        refusal(&start(), "A1C3"),
        nothing,
        "over a piece of one's own"
    );
}

#[test]
fn a_man_that_goes_back_is_told_that_it_is_no_king() {
    let position = draw(
        White,
        "
        5  . . . . . . r .
        3  b . . . . . . .
           A B C D E F G H",
    );
    assert_eq!(
        refusal(&position, "G5H6"),
        "the man on G5 is no king and only moves forward"
    );
}

#[test]
fn a_move_that_does_not_capture_is_told_which_do() {
    let position = draw(
        White,
        "
        6  . . . . . . . r
        5  r . . . r . . .
        4  . b . b . . . .
           A B C D E F G H",
    );
    for text in ["H6G5", "A5B4", "E5F4", "A5E5", "A5C3E1", "H6D2"] {
        assert_eq!(
            refusal(&position, text),
            "it must capture: E5C3 or A5C3",
            "{text}"
        );
    }
    assert_eq!(
        position.refusal("H6G5").advice(&CONTEST),
        "you must capture: E5C3 or A5C3"
    );
}

#[test]
fn of_many_captures_a_few_are_named() {
    let six = "
        6  . r . r . r . .
        5  b . b . b . b .
           A B C D E F G H";
    let reason = refusal(&draw(Black, six), "A5B6");
    for name in ["A5C7", "C5A7", "C5E7", "E5C7", "E5G7", "G5E7"] {
        assert!(reason.contains(name), "{reason}");
    }
    assert!(!reason.contains("among others"), "{reason}");
    let seven = "
        6  . r . r . r . .
        5  b . b . b . b .
        3  . . r . . . . .
        2  . b . . . . . .
           A B C D E F G H";
    let reason = refusal(&draw(Black, seven), "A5B6");
    assert!(reason.ends_with(", among others"), "{reason}");
}

#[test]
fn a_jump_cut_short_is_told_how_it_goes_on() {
    let position = draw(
        Black,
        "
        6  . r . r . . . .
        4  . r . . . . . .
        3  b . . . . . . .
           A B C D E F G H",
    );
    assert_eq!(
        refusal(&position, "a3c5"),
        "that jump must go on: A3C5A7 or A3C5E7"
    );
    assert_eq!(
        refusal(&position, "A3C5G7"),
        "it must capture: A3C5A7 or A3C5E7"
    );
}

#[test]
fn a_side_without_a_legal_move_is_told_so() {
    assert_eq!(refusal(&stuck(), "A5B6"), "it has no legal move");
}

#[test]
fn whatever_two_or_three_squares_are_sent_there_is_a_true_reason() {
    let mut rng = Pcg32::seed_from_u64(3);
    let mut reasons = HashSet::new();
    let third = ["", "A1", "D4", "E5", "H8"];
    for _ in 0..30 {
        let position = random_position(&mut rng);
        for from in Square::all() {
            for (to, third) in Square::all().flat_map(|to| third.map(|third| (to, third))) {
                let text = format!("{from}{to}{third}");
                if position.parse_move(&text).is_err() {
                    let refusal = position.refusal(&text);
                    assert!(
                        is_true(&refusal, &position),
                        "{refusal:?} of {text} in {position:?}"
                    );
                    reasons.insert(discriminant(&refusal));
                }
            }
        }
    }
    assert!(
        reasons.len() >= 8,
        "random boards give few reasons: {reasons:?}"
    );
}

/// Whether `position` is as `refusal` says.
fn is_true(refusal: &CheckersRefusal, position: &Checkers) -> bool {
    let legal = position.legal_moves();
    let mover = position.side_to_move();
    let piece = |&square| position.piece_at(square);
    match refusal {
        CheckersRefusal::NotAMove => false,
        CheckersRefusal::NotAPlayingSquare(square) => (square.column() + square.row()) % 2 == 1,
        CheckersRefusal::NoPiece(square) => piece(square).is_none(),
        CheckersRefusal::NotYours(square, owner) => {
            *owner != mover && piece(square).is_some_and(|piece| piece.side == *owner)
        }
        CheckersRefusal::NoMoves => legal.is_empty(),
        CheckersRefusal::JumpGoesOn(moves) | CheckersRefusal::MustCapture(moves) => {
            let is_capture = |mv| legal.contains(mv) && position.captures(*mv) > 0;
            !moves.is_empty() && moves.iter().all(is_capture)
        }
        CheckersRefusal::NothingToCapture => !legal.is_empty(),
        CheckersRefusal::NotOneStep { from, to } => {
            let apart = (
                from.column().abs_diff(to.column()),
                from.row().abs_diff(to.row()),
            );
            apart != (1, 1)
        }
        CheckersRefusal::Occupied(square) => piece(square).is_some(),
        CheckersRefusal::ManGoesBack(square) => piece(square).is_some_and(|piece| !piece.king),
    }
}
