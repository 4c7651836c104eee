//! Rows and names of moves.

use super::piece::{Piece, PieceKind};
use super::position::Chess;
use super::rules;
use crate::board::{Cell, CoordinateMove, Side, Square};
use crate::notation::{Notation, PositionError, Rows};
use crate::rules::RuleBook;

/// By [`PieceKind`].
const LETTERS: [u8; 6] = *b"pnbrqk";
/// By [`Side::index`] and [`PieceKind`].
const SYMBOLS: [[char; 6]; 2] = [
    ['♟', '♞', '♝', '♜', '♛', '♚'],
    ['♙', '♘', '♗', '♖', '♕', '♔'],
];

impl Notation for Chess {
    const NAME: &'static str = "chess";
    const ABOUT: &'static str = "Chess without castling, promotion and en passant";
    const RULE_BOOKS: &'static [RuleBook] = &[rules::TWO_PLAYER];

    /// `P N B R Q K` are white's pieces, `p n b r q k` are black's, `.` is empty.
    fn rows(&self) -> Rows {
        Square::all()
            .filter_map(|square| Some((square, piece_letter(self.piece_at(square)?))))
            .collect()
    }

    /// ♔ to ♙ for white's pieces, ♚ to ♟ for black's.
    fn symbol(letter: u8) -> Option<(Side, char)> {
        let Piece { side, kind } = piece_of_letter(letter)?;
        Some((side, SYMBOLS[side.index()][kind as usize]))
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Chess, PositionError> {
        let letters = "P N B R Q K p n b r q k";
        let pieces = rows.pieces(piece_of_letter, letters, Self::square_name)?;
        Chess::from_pieces(pieces, side_to_move)
    }

    fn move_name(&self, mv: CoordinateMove) -> String {
        mv.to_string()
    }

    fn move_squares(&self, mv: CoordinateMove) -> Vec<Cell> {
        vec![mv.from.into(), mv.to.into()]
    }

    /// In lower case.
    fn square_name(square: Cell) -> String {
        format!("{square:#}")
    }
}

fn piece_letter(piece: Piece) -> u8 {
    let letter = LETTERS[piece.kind as usize];
    match piece.side {
        Side::Black => letter,
        Side::White => letter.to_ascii_uppercase(),
    }
}

fn piece_of_letter(letter: u8) -> Option<Piece> {
    let is_white = letter.is_ascii_uppercase();
    let side = if is_white { Side::White } else { Side::Black };
    let mut kinds = PieceKind::ALL.into_iter();
    let kind = kinds.find(|&kind| LETTERS[kind as usize] == letter.to_ascii_lowercase())?;
    Some(Piece { side, kind })
}

impl std::fmt::Debug for Chess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} to move{:?}", self.side_to_move, self.rows())
    }
}
