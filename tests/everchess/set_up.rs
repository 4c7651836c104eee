//! Rows that are no position of the game.

use crate::support::drawn::assert_refused;
use crownhead::board::{Bitboard, Side};
use crownhead::games::everchess::EverChess;

#[test]
fn rows_that_no_play_can_reach_are_refused_with_the_reason() {
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
        (
            "......../......../...p..../......../......../......../....M.../........",
            Side::White,
            "the pawn on e2 cannot have captured there this turn",
        ),
        (
            "......../......../...p..../......../....M.../...P.P../......../........",
            Side::White,
            "the pawn on e4 cannot have captured there this turn",
        ),
        (
            "....M.../......../...p..../......../......../......../......../........",
            Side::White,
            "the pawn on e8 cannot have captured there this turn",
        ),
        (
            "......../pppppp.p/......../..M.M.../......../......../PPP...PP/........",
            Side::White,
            "2 pawns of white have captured this turn, but black has lost 1",
        ),
        (
            "P......./......../......../......../......../......../......../.p......",
            Side::White,
            "both sides have a pawn on the far row; the first to get there ends the game",
        ),
        (
            "P..P..../......../......../....p.../......../......../......../........",
            Side::Black,
            "white has more than one pawn on the far row; the first to get there ends the game",
        ),
        (
            "......../......../......../....P.../......../......../......../p......p",
            Side::White,
            "black has more than one pawn on the far row; the first to get there ends the game",
        ),
        (
            "P......./......../......../....p.../......../......../......../........",
            Side::White,
            "white is to move, but its pawn on a8 has already won",
        ),
        (
            "P......./......../......../....m.../......../......../......../........",
            Side::Black,
            "a pawn has moved this turn, but the game had ended before it",
        ),
        (
            "......../pppppppp/......../......../......../......../PPPPPPPP/........",
            Side::Black,
            "black is to move, but no pawn of white can have made the step before",
        ),
        (
            // The pawn on a8 must have made the step, and its square is not empty.
            "P......./P......./......../....p.../......../......../......../........",
            Side::Black,
            "black is to move, but no pawn of white can have made the step before",
        ),
        (
            "......../......../......../....p.../......../......../......../........",
            Side::Black,
            "black is to move, but no pawn of white can have made the step before",
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
