//! Rows and names of moves.

use super::layout::is_playing_square;
use super::moves::CheckersMove;
use super::position::{Checkers, Piece};
use super::rules;
use crate::board::{Side, Square};
use crate::notation::{Notation, PositionError, Rows};
use crate::rules::RuleBook;

/// An empty square in rows, also one never used (statement of the contest).
const EMPTY: u8 = b'.';

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
        let mut rows = Rows::filled(EMPTY);
        for square in Square::all() {
            if let Some(piece) = self.piece_at(square) {
                rows.put(square, piece_letter(piece));
            }
        }
        rows
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
        let mut pieces = Vec::with_capacity(24);
        for square in Square::all() {
            let letter = rows.at(square);
            match piece_of_letter(letter) {
                Some(piece) => pieces.push((square, piece)),
                None if letter == EMPTY => {}
                None => {
                    return Err(PositionError::new(format!(
                        "{:?} on {square}; expected one of . b B r R",
                        char::from(letter)
                    )));
                }
            }
        }
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
