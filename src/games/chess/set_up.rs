//! Positions set up piece by piece, and why some are refused.

use super::moves::square_name;
use super::piece::{Piece, PieceKind};
use super::position::Chess;
use super::rules;
use crate::board::{Bitboard, Side, Square};
use crate::notation::{PositionError, PositionErrorKind};

/// How many of each kind a side begins with: the most it can have, as there is no promotion.
const MOST: [u32; 6] = [8, 2, 2, 2, 1, 1];

/// The squares of A1's colour.
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

impl Chess {
    /// A position set up piece by piece.
    ///
    /// # Errors
    /// When no play can reach it, as far as the board shows: two pieces on a square, more of a kind than
    /// there are, two bishops of a side on squares of one colour, a pawn behind the row it starts on, a
    /// side without a king, a side that has left its king under attack, or three attackers of one king.
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        side_to_move: Side,
    ) -> Result<Chess, PositionError> {
        let mut position = Chess {
            kinds: [Bitboard::EMPTY; 6],
            sides: [Bitboard::EMPTY; 2],
            side_to_move,
        };
        for (square, piece) in pieces {
            if position.occupied().contains(square) {
                return refuse(
                    PositionErrorKind::TwoPieces(square),
                    format!("two pieces on {}", square_name(square)),
                );
            }
            position.put(square, piece);
        }
        for side in Side::BOTH {
            position.check_pieces(side)?;
        }
        position.check_kings()?;
        Ok(position)
    }

    fn check_pieces(&self, side: Side) -> Result<(), PositionError> {
        let side_name = name(side);
        for (kind, most) in PieceKind::ALL.into_iter().zip(MOST) {
            let count = self.pieces_of_kind(side, kind).count();
            if count > most {
                return refuse(
                    PositionErrorKind::Pieces(side),
                    format!(
                        "{side_name} has {count} {}s; a side never has more than {most}",
                        kind.name()
                    ),
                );
            }
        }
        if self.pieces_of_kind(side, PieceKind::King).is_empty() {
            return refuse(
                PositionErrorKind::Pieces(side),
                format!("{side_name} has no king"),
            );
        }
        let bishops = self.pieces_of_kind(side, PieceKind::Bishop);
        if (bishops & DARK).count() == 2 || (bishops & !DARK).count() == 2 {
            return refuse(PositionErrorKind::Pieces(side), format!(
                "both bishops of {side_name} are on squares of the same colour, where only one ever goes"
            ));
        }
        let behind_start = match side {
            Side::Black => Bitboard(0xff << 56),
            Side::White => Bitboard(0xff),
        };
        let pawns = self.pieces_of_kind(side, PieceKind::Pawn) & behind_start;
        if let Some(square) = pawns.squares().next() {
            return refuse(
                PositionErrorKind::Misplaced(square),
                format!(
                    "a pawn of {side_name} on {}, behind the row it starts on",
                    square_name(square)
                ),
            );
        }
        Ok(())
    }

    fn check_kings(&self) -> Result<(), PositionError> {
        let (mover, moved) = (self.side_to_move, self.side_to_move.opponent());
        if !self
            .attackers(mover, self.king(moved), self.occupied())
            .is_empty()
        {
            return refuse(
                PositionErrorKind::Unreachable(mover),
                format!(
                    "{} is to move, but the king of {} is under attack; no move ends so",
                    name(mover),
                    name(moved)
                ),
            );
        }
        let checkers = self.checkers().count();
        if checkers > 2 {
            return refuse(
                PositionErrorKind::Unreachable(mover),
                format!(
                    "{checkers} pieces attack the king of {}; one move never uncovers more than 2",
                    name(mover)
                ),
            );
        }
        Ok(())
    }
}

fn name(side: Side) -> &'static str {
    rules::TWO_PLAYER.side_name(side)
}

fn refuse<T>(kind: PositionErrorKind, reason: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError::new(kind, reason))
}
