//! Rows and names of moves.

use super::layout::is_playing_square;
use super::moves::CheckersMove;
use super::position::{Checkers, Piece};
use super::rules;
use crate::board::{Side, Square};
use crate::notation::{Notation, PositionError, Rows};
use crate::rules::RuleBook;

impl Notation for Checkers {
    const NAME: &'static str = "checkers";
    const RULE_BOOKS: &'static [RuleBook] = &[rules::CONTEST, rules::CLASSROOM];

    /// `b` and `r` (statement of the contest).
    fn side_letter(side: Side) -> char {
        match side {
            Side::Black => 'b',
            Side::White => 'r',
        }
    }

    /// `b` and `r` are men, `B` and `R` kings, `.` is empty (statement of the contest).
    fn rows(&self) -> Rows {
        Square::all()
            .filter_map(|square| Some((square, piece_letter(self.piece_at(square)?))))
            .collect()
    }

    /// Discs: ⛂ and ⛃ for black's men and kings, ⛀ and ⛁ for red's.
    fn symbol(letter: u8) -> Option<(Side, char)> {
        let Piece { side, king } = piece_of_letter(letter)?;
        let symbol = match (side, king) {
            (Side::Black, false) => '⛂',
            (Side::Black, true) => '⛃',
            (Side::White, false) => '⛀',
            (Side::White, true) => '⛁',
        };
        Some((side, symbol))
    }

    /// The squares of A1's colour.
    fn is_playing_square(square: Square) -> bool {
        is_playing_square(square)
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Checkers, PositionError> {
        let pieces = rows.pieces(piece_of_letter, "b B r R", Self::square_name)?;
        Checkers::from_pieces(pieces, side_to_move)
    }

    fn move_name(&self, mv: CheckersMove) -> String {
        mv.to_string()
    }

    fn move_squares(&self, mv: CheckersMove) -> Vec<Square> {
        mv.squares().collect()
    }
}

fn piece_letter(piece: Piece) -> u8 {
    match (piece.side, piece.king) {
        (Side::Black, false) => b'b',
        (Side::Black, true) => b'B',
        (Side::White, false) => b'r',
        (Side::White, true) => b'R',
    }
}

fn piece_of_letter(letter: u8) -> Option<Piece> {
    let (side, king) = match letter {
        b'b' => (Side::Black, false),
        b'B' => (Side::Black, true),
        b'r' => (Side::White, false),
        b'R' => (Side::White, true),
        _ => return None,
    };
    Some(Piece { side, king })
}

impl std::fmt::Debug for Checkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} to move{:?}", self.side_to_move, self.rows())
    }
}
