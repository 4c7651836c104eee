//! Rows that are no position of the game.

use crate::support::drawn::assert_refused;
use crownhead::board::{Bitboard, Side};
use crownhead::games::everchess::EverChess;

#[test]
fn rows_that_are_no_position_are_refused_with_the_reason() {
    // The rows (see `assert_refused`), the side to move, and the reason.
    let refused = [
        (
            "......../ppppxppp/......../......../......../......../PPPPPPPP/........",
            Side::White,
            "'x' on e7; expected one of . P p M m",
        ),
        (
            "......../pppppppp/...p..../......../......../......../PPPPPPPP/........",
            Side::White,
            "black has 9 pawns; a side never has more than 8",
        ),
        (
            "......../......../......../....p.../......../......../......../P.......",
            Side::Black,
            "a pawn of white on a1, behind the row it starts on",
        ),
        (
            "...p..../......../......../......../......../....P.../......../........",
            Side::Black,
            "a pawn of black on d8, behind the row it starts on",
        ),
        (
            "......../......../......../...m..../......../......../....P.../........",
            Side::White,
            "the pawn on d5 cannot have moved this turn: white is to move",
        ),
    ];
    for (drawing, side_to_move, reason) in refused {
        assert_refused::<EverChess>(drawing, side_to_move, reason);
    }
}

#[test]
fn two_pawns_on_one_square_are_refused() {
    let e4 = Bitboard(1 << 28);
    let error = EverChess::from_pawns([e4, e4], Bitboard::EMPTY, Side::White).unwrap_err();
    assert_eq!(error.to_string(), "two pawns on e4");
}
