//! Positions set up pawn by pawn, and why some are refused.

use super::position::{far_row, EverChess};
use super::rules;
use crate::board::{Bitboard, Side};
use crate::notation::PositionErrorKind::{Misplaced, Pieces, TwoPieces};
use crate::notation::{ensure, ensure_none, PositionError};

/// Pawns a side begins with: the most it can have.
const PAWNS_A_SIDE: u32 = 8;

impl EverChess {
    /// A position set up from the pawns of each side (black's first, [`Side::index`]) and those that have
    /// moved this turn.
    ///
    /// # Errors
    /// When there are too many pawns, a pawn is behind the row it starts on, or one is marked as moved whose side is not
    /// to move.
    pub fn from_pawns(
        pawns: [Bitboard; 2],
        moved: Bitboard,
        side_to_move: Side,
    ) -> Result<EverChess, PositionError> {
        let position = EverChess {
            pawns,
            moved,
            side_to_move,
        };
        position.check()?;
        Ok(position)
    }

    fn check(&self) -> Result<(), PositionError> {
        let shared = self.pawns[0] & self.pawns[1];
        ensure_none(shared.squares(), TwoPieces, |square| {
            format!("two pawns on {square:#}")
        })?;
        for side in Side::BOTH {
            let (name, count) = (name(side), self.pawns(side).count());
            ensure(count <= PAWNS_A_SIDE, Pieces(side), || {
                format!("{name} has {count} pawns; a side never has more than {PAWNS_A_SIDE}")
            })?;
            let behind_start = self.pawns(side) & far_row(side.opponent());
            ensure_none(behind_start.squares(), Misplaced, |square| {
                format!("a pawn of {name} on {square:#}, behind the row it starts on")
            })?;
        }
        let not_own = self.moved & !self.pawns(self.side_to_move);
        ensure_none(not_own.squares(), Misplaced, |square| {
            let mover = name(self.side_to_move);
            format!("the pawn on {square:#} cannot have moved this turn: {mover} is to move")
        })
    }
}

fn name(side: Side) -> &'static str {
    rules::STANDARD.side_name(side)
}
