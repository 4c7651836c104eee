//! Positions set up piece by piece, and why some are refused.

use super::piece::{Piece, PieceKind};
use super::position::Chess;
use super::rules;
use crate::board::{Bitboard, Side, Square};
use crate::notation::{ensure, PositionError};

/// The pieces that a side begins with: the most it can have.
const PIECES_A_SIDE: u32 = 16;

impl Chess {
    /// A position set up piece by piece.
    ///
    /// # Errors
    /// When two pieces stand on a square, a side has too many pieces or not one king, or has left its king under attack.
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
            ensure(!position.occupied().contains(square), || {
                format!("two pieces on {square:#}")
            })?;
            position.put(square, piece);
        }
        for side in Side::BOTH {
            let (name, count) = (name(side), position.pieces(side).count());
            ensure(count <= PIECES_A_SIDE, || {
                format!("{name} has {count} pieces; a side never has more than {PIECES_A_SIDE}")
            })?;
            let kings = position.pieces_of_kind(side, PieceKind::King).count();
            ensure(kings == 1, || {
                format!("{name} has {kings} kings; a side has exactly one")
            })?;
        }
        let (mover, moved) = (side_to_move, side_to_move.opponent());
        let attackers = position.attackers(mover, position.king(moved), position.occupied());
        ensure(attackers.is_empty(), || {
            let (mover, moved) = (name(mover), name(moved));
            format!("{mover} is to move, but the king of {moved} is under attack; no move ends so")
        })?;
        Ok(position)
    }
}

fn name(side: Side) -> &'static str {
    rules::TWO_PLAYER.side_name(side)
}
