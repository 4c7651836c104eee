//! Why a move is refused: every sentence there is.

use super::board::{draw, stuck};
use super::reference::random_position;
use crownhead::board::Side::{Black, White};
use crownhead::board::Square;
use crownhead::explain::Explain;
use crownhead::games::checkers::rules::{CLASSROOM, CONTEST};
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead::position::Position;
use rand::SeedableRng;
use rand_pcg::Pcg32;
use std::collections::HashSet;

/// What the contest's referee says of `text`, which must not be legal.
fn refusal(position: &Checkers, text: &str) -> String {
    assert!(position.parse_move(text).is_err(), "{text} is legal");
    position.refusal(text, &CONTEST).clause
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
fn a_move_of_nothing_or_of_the_opponents_piece_is_explained() {
    assert_eq!(refusal(&start(), "D4E5"), "there is no piece on D4");
    assert_eq!(refusal(&start(), "B6A5"), "the piece on B6 is red's");
    let white_first = Checkers::start(&CLASSROOM);
    assert_eq!(
        white_first.refusal("A3B4", &CLASSROOM).clause,
        "the piece on A3 is black's"
    );
    assert_eq!(
        start().refusal("B6A5", &CLASSROOM).clause,
        "the piece on B6 is white's"
    );
}

#[test]
fn a_step_to_no_neighbour_or_an_occupied_one_is_explained() {
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
fn a_jump_over_nothing_is_explained() {
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
        position.refusal("H6G5", &CONTEST).advice,
        "you must capture: E5C3 or A5C3"
    );
}

#[test]
fn many_captures_are_named_by_a_few_of_them() {
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
fn a_side_without_a_legal_move_is_explained() {
    assert_eq!(refusal(&stuck(), "A5B6"), "it has no legal move");
}

#[test]
fn any_two_or_three_squares_get_a_true_reason() {
    let mut rng = Pcg32::seed_from_u64(3);
    let mut reasons = HashSet::new();
    let third = ["", "A1", "D4", "E5", "H8"];
    for _ in 0..30 {
        let position = random_position(&mut rng);
        for from in Square::all() {
            for (to, third) in Square::all().flat_map(|to| third.map(|third| (to, third))) {
                let text = format!("{from}{to}{third}");
                if position.parse_move(&text).is_err() {
                    let reason = position.refusal(&text, &CONTEST).clause;
                    let kind = true_kind(&reason, &position);
                    assert!(kind.is_some(), "{reason} of {text} in {position:?}");
                    reasons.insert(kind);
                }
            }
        }
    }
    assert!(
        reasons.len() >= 8,
        "random boards give few reasons: {reasons:?}"
    );
}

/// What kind of reason it is; `None` unless `position` is as it says.
fn true_kind(reason: &str, position: &Checkers) -> Option<&'static str> {
    let legal: Vec<String> = position
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    let words = reason.split_whitespace();
    let squares: Vec<Square> = words.filter_map(|word| word.parse().ok()).collect();
    let piece = squares
        .first()
        .and_then(|&square| position.piece_at(square));
    let is_not_movers = piece.is_some_and(|piece| piece.side != position.side_to_move());
    let are_captures = |moves: &str| {
        let mut names = moves.split(", ").flat_map(|names| names.split(" or "));
        names.all(|name| {
            let capture = |mv| position.captures(mv) > 0;
            name == "among others" || position.parse_move(name).is_ok_and(capture)
        })
    };
    let apart = |from: Square, to: Square| {
        let columns = from.column().abs_diff(to.column());
        (columns, from.row().abs_diff(to.row())) != (1, 1)
    };
    let (kind, holds) = match reason.split_once(": ") {
        Some((kind @ ("it must capture" | "that jump must go on"), moves)) => (
            if kind.starts_with("it") {
                "capture"
            } else {
                "go on"
            },
            are_captures(moves),
        ),
        _ => match (reason, &squares[..]) {
            ("it has no legal move", _) => ("stuck", legal.is_empty()),
            ("there is nothing to capture that way", _) => ("nothing", !legal.is_empty()),
            (_, &[to, from]) => ("step", apart(from, to)),
            (_, &[square]) if reason.starts_with("no piece ever") => {
                ("square", (square.column() + square.row()) % 2 == 1)
            }
            (_, [_]) if reason.starts_with("there is no piece") => ("empty", piece.is_none()),
            (_, [_]) if reason.ends_with("'s") => ("other", is_not_movers),
            (_, [_]) if reason.ends_with("occupied") => ("occupied", piece.is_some()),
            (_, [_]) => ("man", piece.is_some_and(|piece| !piece.king)),
            _ => return None,
        },
    };
    holds.then_some(kind)
}
