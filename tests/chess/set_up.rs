//! Rows that are no position of the game.

use crate::support::drawn::assert_refused;
use crownhead::board::Side;
use crownhead::games::chess::{Chess, Piece, PieceKind};

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
            "rnbqkbnr/pppppppp/p......./......../......../......../......../....K...",
            Side::White,
            "black has 17 pieces; a side never has more than 16",
        ),
        (
            "....k..k/......../......../......../......../......../......../....K...",
            Side::Black,
            "black has 2 kings; a side has exactly one",
        ),
        (
            "....k.../......../......../......../......../......../......../........",
            Side::Black,
            "white has 0 kings; a side has exactly one",
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
}
