//! Rows and names of moves.

use super::layout::is_playing_square;
use super::moves::CheckersMove;
use super::position::{Checkers, Piece};
use super::rules;
use crate::board::{Cell, Side, Square};
use crate::notation::{Notation, PositionError, Rows};
use crate::rules::RuleBook;

impl Notation for Checkers {
    const NAME: &'static str = "checkers";
    const ABOUT: &'static str = "English draughts";
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
        let symbols = [['⛂', '⛃'], ['⛀', '⛁']];
        Some((side, symbols[side.index()][usize::from(king)]))
    }

    /// The squares of A1's colour.
    fn is_playing_square(square: Cell) -> bool {
        Square::try_from(square).is_ok_and(is_playing_square)
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Checkers, PositionError> {
        let pieces = rows.pieces(piece_of_letter, "b B r R", Self::square_name)?;
        Checkers::from_pieces(pieces, side_to_move)
    }

    fn move_name(&self, mv: CheckersMove) -> String {
        mv.to_string()
    }

    fn move_squares(&self, mv: CheckersMove) -> Vec<Cell> {
        mv.squares().map(Cell::from).collect()
    }
}

fn piece_letter(piece: Piece) -> u8 {
    let letter = Checkers::side_letter(piece.side) as u8;
    if piece.king {
        letter.to_ascii_uppercase()
    } else {
        letter
    }
}

fn piece_of_letter(letter: u8) -> Option<Piece> {
    let side = match letter.to_ascii_lowercase() {
        b'b' => Side::Black,
        b'r' => Side::White,
        _ => return None,
    };
    let king = letter.is_ascii_uppercase();
    Some(Piece { side, king })
}

impl std::fmt::Debug for Checkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} to move{:?}", self.side_to_move, self.rows())
    }
}
