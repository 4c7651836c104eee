//! Positions set up pawn by pawn, and why some are refused.

use super::position::{far_row, EverChess};
use super::rules;
use crate::board::{Bitboard, Side};
use crate::notation::{ensure, refuse, PositionError};

/// Pawns a side begins with: the most it can have.
const PAWNS_A_SIDE: u32 = 8;

impl EverChess {
    /// A position set up from the pawns of each side (black's first, [`Side::index`]) and those that have
    /// moved this turn.
    ///
    /// # Errors
    /// When there are too many pawns or two on a square, a pawn is behind the row it starts on, or one is marked as moved
    /// whose side is not to move.
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
        if let Some(square) = (pawns[0] & pawns[1]).squares().next() {
            return refuse(format!("two pawns on {square:#}"));
        }
        for side in Side::BOTH {
            let (name, count) = (name(side), position.pawns(side).count());
            ensure(count <= PAWNS_A_SIDE, || {
                format!("{name} has {count} pawns; a side never has more than {PAWNS_A_SIDE}")
            })?;
            let behind_start = position.pawns(side) & far_row(side.opponent());
            if let Some(square) = behind_start.squares().next() {
                return refuse(format!(
                    "a pawn of {name} on {square:#}, behind the row it starts on"
                ));
            }
        }
        let not_own = moved & !position.pawns(side_to_move);
        if let Some(square) = not_own.squares().next() {
            let mover = name(side_to_move);
            return refuse(format!(
                "the pawn on {square:#} cannot have moved this turn: {mover} is to move"
            ));
        }
        Ok(position)
    }
}

fn name(side: Side) -> &'static str {
    rules::STANDARD.side_name(side)
}
