//! Positions set up piece by piece, and why some are refused.

use super::piece::{Piece, PieceKind};
use super::position::Chess;
use super::rules;
use crate::board::{Bitboard, Side, Square};
use crate::notation::PositionErrorKind::{Misplaced, Pieces, TwoPieces, Unreachable};
use crate::notation::{ensure, ensure_none, PositionError};

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
            ensure(
                !position.occupied().contains(square),
                TwoPieces(square.into()),
                || format!("two pieces on {square:#}"),
            )?;
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
            let (count, kind) = (self.pieces_of_kind(side, kind).count(), kind.name());
            ensure(count <= most, Pieces(side), || {
                format!("{side_name} has {count} {kind}s; a side never has more than {most}")
            })?;
        }
        let kings = self.pieces_of_kind(side, PieceKind::King);
        ensure(!kings.is_empty(), Pieces(side), || {
            format!("{side_name} has no king")
        })?;
        let bishops = self.pieces_of_kind(side, PieceKind::Bishop);
        let alike = (bishops & DARK).count() == 2 || (bishops & !DARK).count() == 2;
        ensure(!alike, Pieces(side), || {
            format!(
                "both bishops of {side_name} are on squares of the same colour, \
                 where only one ever goes"
            )
        })?;
        let behind_start = match side {
            Side::Black => Bitboard(0xff << 56),
            Side::White => Bitboard(0xff),
        };
        let pawns = self.pieces_of_kind(side, PieceKind::Pawn) & behind_start;
        ensure_none(pawns.squares(), Misplaced, |square| {
            format!("a pawn of {side_name} on {square:#}, behind the row it starts on")
        })
    }

    fn check_kings(&self) -> Result<(), PositionError> {
        let (mover, moved) = (self.side_to_move, self.side_to_move.opponent());
        let attackers = self.attackers(mover, self.king(moved), self.occupied());
        ensure(attackers.is_empty(), Unreachable(mover), || {
            let (mover, moved) = (name(mover), name(moved));
            format!("{mover} is to move, but the king of {moved} is under attack; no move ends so")
        })?;
        let checkers = self.checkers().count();
        ensure(checkers <= 2, Unreachable(mover), || {
            let mover = name(mover);
            format!(
                "{checkers} pieces attack the king of {mover}; one move never uncovers more than 2"
            )
        })
    }
}

fn name(side: Side) -> &'static str {
    rules::TWO_PLAYER.side_name(side)
}
