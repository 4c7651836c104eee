//! What an EverChess position is worth: pawns, how far they have come, and which side still has moves.

use super::position::EverChess;
use crate::board::{Bitboard, Side, Square};
use crate::evaluate::Evaluate;
use crate::position::Position;

/// Counts pawns, and prefers those that have advanced, that cannot be stopped, and that can step.
///
/// All weights are in hundredths of a pawn and chosen by hand, not measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Advancement;

const PAWN: i32 = 100;
/// By the rows a pawn has moved; on the far row the game is over.
const ADVANCE: [i32; 7] = [0, 2, 6, 12, 20, 30, 0];
/// For a runner (no pawn of the opponent can ever block or capture it), by the rows it has moved.
const RUNNER: [i32; 7] = [0, 40, 60, 90, 140, 220, 0];
/// For each pawn with an empty square ahead: a side without steps has lost.
const STEP: i32 = 10;

impl Evaluate<EverChess> for Advancement {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &EverChess) -> i32 {
        let side = position.side_to_move();
        worth(position, side) - worth(position, side.opponent())
    }
}

fn worth(position: &EverChess, side: Side) -> i32 {
    let pawns = position.pawns(side);
    let other = position.pawns(side.opponent());
    let mut worth = STEP * position.steppers(side).count() as i32;
    for pawn in pawns.squares() {
        let moved = rows_moved(pawn, side);
        worth += PAWN + ADVANCE[moved];
        if (span_ahead(pawn, side) & other).is_empty() {
            worth += RUNNER[moved];
        }
    }
    worth
}

/// How many rows a pawn of `side` has come, standing on `square`; 6 on the far row.
fn rows_moved(square: Square, side: Side) -> usize {
    let row = usize::from(square.row());
    match side {
        Side::White => row - 1,
        Side::Black => 6 - row,
    }
}

/// The squares ahead of `square` in its own column and the two beside it: where an opponent's pawn would
/// have to be to meet a pawn of `side`.
fn span_ahead(square: Square, side: Side) -> Bitboard {
    const COLUMN_A: u64 = 0x0101_0101_0101_0101;
    let (column, row) = (square.column(), square.row());
    let mut columns = COLUMN_A << column;
    if column > 0 {
        columns |= COLUMN_A << (column - 1);
    }
    if column < 7 {
        columns |= COLUMN_A << (column + 1);
    }
    // Two shifts each: one shift by all 64 bits would overflow.
    let rows = match side {
        Side::White => u64::MAX << (8 * row) << 8,
        Side::Black => u64::MAX >> (8 * (7 - row)) >> 8,
    };
    Bitboard(columns & rows)
}
