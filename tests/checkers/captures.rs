//! What may be moved, and what must be captured.

use super::board::{draw, moves, play};
use crownhead::board::Side::{Black, White};
use crownhead::board::Square;
use crownhead::games::checkers::{Checkers, Piece};
use crownhead::position::Position;
use std::collections::HashSet;

#[test]
fn men_step_forward_and_kings_both_ways() {
    let black = draw(
        Black,
        "
        5  . . . . . . R .
        3  . . b . . . . .
        2  . . . . . B . .
           A B C D E F G H",
    );
    assert_eq!(
        moves(&black),
        ["C3B4", "C3D4", "F2E1", "F2E3", "F2G1", "F2G3"]
    );
    let white = draw(
        White,
        "
        7  . . . . . . B .
        6  . . . r . . . .
           A B C D E F G H",
    );
    assert_eq!(moves(&white), ["D6C5", "D6E5"]);
}

#[test]
fn a_capture_is_mandatory() {
    let position = draw(
        Black,
        "
        4  . r . . . . . .
        3  b . b . . . b .
           A B C D E F G H",
    );
    assert!(position.must_capture());
    assert_eq!(moves(&position), ["A3C5", "C3A5"]);
}

#[test]
fn men_do_not_capture_backwards() {
    let position = draw(
        Black,
        "
        5  . . b . . . . .
        4  . . . r . . . .
           A B C D E F G H",
    );
    assert!(!position.must_capture());
    assert_eq!(moves(&position), ["C5B6", "C5D6"]);
}

#[test]
fn nothing_is_captured_at_the_edge_or_with_another_piece_behind_it() {
    let position = draw(
        Black,
        "
        5  . . . . r . r .
        4  . . . . . r . r
        3  . . . . b . b .
           A B C D E F G H",
    );
    assert_eq!(moves(&position), ["E3D4"]);
}

#[test]
fn any_of_the_captures_may_be_chosen_not_only_the_longest() {
    let position = draw(
        Black,
        "
        6  . . . r . . . .
        4  . r . . . r . .
        3  b . . . b . . .
           A B C D E F G H",
    );
    assert_eq!(moves(&position), ["A3C5E7", "E3G5"]);
}

#[test]
fn a_jump_goes_on_for_as_long_as_it_can() {
    let position = draw(
        Black,
        "
        6  . . . r . . . .
        4  . r . r . . . .
        3  b . . . . . . .
           A B C D E F G H",
    );
    assert_eq!(moves(&position), ["A3C5E7"]);
    let after = play(&position, "A3C5E7");
    assert_eq!(
        after,
        draw(
            White,
            "
            7  . . . . b . . .
            4  . . . r . . . .
               A B C D E F G H",
        )
    );
}

#[test]
fn a_king_may_circle_and_come_back_to_its_square_by_either_way() {
    let position = draw(
        Black,
        "
        5  . . r . r . . .
        3  . . r . r . . .
        2  . . . B . . . .
           A B C D E F G H",
    );
    assert_eq!(moves(&position), ["D2B4D6F4D2", "D2F4D6B4D2"]);
    let emptied = draw(
        White,
        "
        2  . . . B . . . .
           A B C D E F G H",
    );
    assert_eq!(play(&position, "D2B4D6F4D2"), emptied);
    assert_eq!(play(&position, "D2F4D6B4D2"), emptied);
}

#[test]
fn a_king_may_pass_the_square_it_started_from() {
    let position = draw(
        Black,
        "
        6  . . . . . . . .
        5  . . r . r . r .
        4  . . . B . . . .
        3  . . . . r . r .
           A B C D E F G H",
    );
    assert_eq!(
        moves(&position),
        ["D4B6", "D4F2H4F6D4B6", "D4F6H4F2D4B6"],
        "round the four on the right and over C5 as well, or over C5 alone"
    );
}

#[test]
fn no_piece_is_jumped_twice() {
    let position = draw(
        Black,
        "
        3  . . r . . . . .
        2  . . . B . . . .
           A B C D E F G H",
    );
    assert_eq!(moves(&position), ["D2B4"]);
}

#[test]
fn crowning_ends_a_jump_that_a_king_would_carry_on() {
    let jump = "
        7  . . r . r . . .
        6  . b . . . . . .
           A B C D E F G H";
    let man = draw(Black, jump);
    assert_eq!(moves(&man), ["B6D8"]);
    let after = play(&man, "B6D8");
    let crowned = "
        8  . . . B . . . .
        7  . . . . r . . .
           A B C D E F G H";
    assert_eq!(after, draw(White, crowned));
    let king = draw(Black, &jump.replace('b', "B"));
    assert_eq!(moves(&king), ["B6D8F6"]);
}

#[test]
fn a_man_of_either_side_is_crowned_on_its_far_row_by_a_step_too() {
    let black = draw(
        Black,
        "
        7  b . . . . . . .
        1  R . . . . . . .
           A B C D E F G H",
    );
    assert!(play(&black, "A7B8").kings().contains("B8".parse().unwrap()));
    let white = draw(
        White,
        "
        8  . . . . . B . .
        2  . . . . . . . r
           A B C D E F G H",
    );
    let crowned = play(&white, "H2G1");
    assert!(crowned.kings().contains("G1".parse().unwrap()));
    assert_eq!(crowned.kings().count(), 2);
}

#[test]
fn a_captured_king_takes_its_crown_off_the_board() {
    let position = draw(
        Black,
        "
        4  . R . . . . . .
        3  b . . . . . . .
           A B C D E F G H",
    );
    let after = draw(
        White,
        "
        5  . . b . . . . .
           A B C D E F G H",
    );
    assert_eq!(play(&position, "A3C5"), after);
}

#[test]
fn the_longest_jump_takes_nine_pieces() {
    let position = draw(
        Black,
        "
        6  . r . r . r . .
        4  . r . r . r . .
        2  . r . r . r . .
        1  B . . . . . . .
           A B C D E F G H",
    );
    let moves = position.legal_moves().into_iter();
    let longest = moves.max_by_key(|mv| mv.jumps()).unwrap();
    assert_eq!(longest.jumps(), 9);
    assert_eq!(longest.captured(), position.pieces(White));
    assert_eq!(longest.squares().count(), 10);
    let taken: HashSet<_> = longest.captured_squares().collect();
    assert_eq!(taken.len(), 9, "each piece is taken once");
    let after = position.play(longest).unwrap();
    assert!(after.pieces(White).is_empty());
    assert_eq!(after.count_moves(), 0);
}

/// The longest jump and the most jumps of one piece, on any board.
///
/// A king on a square of even column and row only ever lands on such squares and only ever jumps over the
/// nine odd ones inside the edge, and the other way round; a blocked landing is no better than nothing to
/// jump over. So every set of those nine, for every square of the king, is every case.
#[test]
fn no_piece_has_more_than_sixteen_complete_jumps_nor_one_of_more_than_nine() {
    let (mut most, mut longest) = (0, 0);
    every_jump_of_one(BLACK_KING, |position| {
        let jumps = position.legal_moves().into_iter().map(|mv| mv.jumps());
        let jumps: Vec<u32> = jumps.filter(|&jumps| jumps > 0).collect();
        most = most.max(jumps.len());
        longest = longest.max(jumps.into_iter().max().unwrap_or(0));
    });
    assert_eq!((most, longest), (16, 9));
}

#[test]
fn jumps_are_counted_as_they_are_listed_wherever_ways_part() {
    let mut most = [0; 2];
    for (piece, most) in [BLACK_MAN, BLACK_KING].into_iter().zip(&mut most) {
        every_jump_of_one(piece, |position| {
            let listed = position.legal_moves().len();
            assert_eq!(position.count_moves(), listed as u64, "{position:?}");
            *most = listed.max(*most);
        });
    }
    assert_eq!(most, [5, 16]);
}

/// Visits every set of men that `piece` may meet on its way, for every square of it.
fn every_jump_of_one(piece: Piece, mut visit: impl FnMut(&Checkers)) {
    let crowned_on = if piece.king { 8 } else { 7 };
    let squares = Square::all().filter(|square| square.row() < crowned_on);
    for from in squares.filter(|square| (square.column() + square.row()) % 2 == 0) {
        let victims: Vec<Square> = Square::all()
            .filter(|square| square.column() % 2 != from.column() % 2)
            .filter(|square| square.row() % 2 != from.row() % 2)
            .filter(|square| (1..7).contains(&square.column()) && (1..7).contains(&square.row()))
            .collect();
        assert_eq!(victims.len(), 9);
        for set in 1..1 << victims.len() {
            let victims = victims
                .iter()
                .enumerate()
                .filter(|&(n, _)| set >> n & 1 == 1);
            let men = victims.map(|(_, &square)| (square, WHITE_MAN));
            let position = Checkers::from_pieces(men.chain([(from, piece)]), Black).unwrap();
            visit(&position);
        }
    }
}

const WHITE_MAN: Piece = Piece {
    side: White,
    king: false,
};
const BLACK_MAN: Piece = Piece {
    side: Black,
    king: false,
};
const BLACK_KING: Piece = Piece {
    side: Black,
    king: true,
};
