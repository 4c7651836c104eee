//! Rows that are no position of the game.

use crate::support::drawn::assert_refused;
use crownhead::board::Side;
use crownhead::games::chess::{Chess, Piece, PieceKind};
use crownhead::notation::PositionErrorKind;

#[test]
fn rows_that_no_play_can_reach_are_refused_with_the_reason() {
    // The rows (see `assert_refused`), the side to move, and the reason.
    let refused = [
        (
            "....k.../......../......../......../x......./......../......../....K...",
            Side::White,
            "'x' on a4; expected one of . P N B R Q K p n b r q k",
        ),
        (
            "....k.../pppppppp/p......./......../......../......../......../....K...",
            Side::White,
            "black has 9 pawns; a side never has more than 8",
        ),
        (
            "....k.../......../......../......../QQ....../......../......../....K...",
            Side::Black,
            "white has 2 queens; a side never has more than 1",
        ),
        (
            "....k..k/......../......../......../......../......../......../....K...",
            Side::Black,
            "black has 2 kings; a side never has more than 1",
        ),
        (
            "....k.../......../......../......../......../......../......../........",
            Side::Black,
            "white has no king",
        ),
        (
            "....k.../......../......../......../......../B.B...../......../....K...",
            Side::White,
            "both bishops of white are on squares of the same colour, where only one ever goes",
        ),
        (
            "....k.../......../......../......../......../......../......../P...K...",
            Side::White,
            "a pawn of white on a1, behind the row it starts on",
        ),
        (
            "p...k.../......../......../......../......../......../......../....K...",
            Side::White,
            "a pawn of black on a8, behind the row it starts on",
        ),
        (
            "....k.../......../......../......../....R.../......../......../K.......",
            Side::White,
            "white is to move, but the king of black is under attack; no move ends so",
        ),
        (
            "......../......../......../...k..../...K..../......../......../........",
            Side::Black,
            "black is to move, but the king of white is under attack; no move ends so",
        ),
        (
            "....k.../......../...N..../.B....../....R.../......../......../K.......",
            Side::Black,
            "3 pieces attack the king of black; one move never uncovers more than 2",
        ),
    ];
    for (drawing, side_to_move, reason) in refused {
        assert_refused::<Chess>(drawing, side_to_move, reason);
    }
}

#[test]
fn two_pieces_on_one_square_are_refused() {
    let e4 = "e4".parse().unwrap();
    let king = |side| Piece {
        side,
        kind: PieceKind::King,
    };
    let kings = Side::BOTH.map(|side| (e4, king(side)));
    let error = Chess::from_pieces(kings, Side::White).unwrap_err();
    assert_eq!(error.to_string(), "two pieces on e4");
    assert_eq!(error.kind(), PositionErrorKind::TwoPieces(e4.into()));
}
