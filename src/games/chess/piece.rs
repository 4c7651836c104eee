//! The pieces of chess: what kinds there are, and whose a piece is.

use crate::board::Side;
use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum PieceKind {
    /// One square straight ahead, two from the row it starts on; captures diagonally ahead.
    Pawn,
    /// Two squares one way and one across; it jumps.
    Knight,
    /// Along diagonals.
    Bishop,
    /// Along rows and columns.
    Rook,
    /// Along diagonals, rows and columns.
    Queen,
    /// One square in any direction.
    King,
}

impl PieceKind {
    /// Every kind, in the order of their numbers.
    pub const ALL: [PieceKind; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

    /// "knight", say.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }
}

/// What may stand on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: PieceKind,
}
