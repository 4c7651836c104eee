//! What the network sees of a position, and what runners are worth beside it.

use super::position::{EverChess, COLUMN_A, COLUMN_H};
use crate::board::{Bitboard, Side, Square};
use crate::network::Inputs;

/// Positions of up to 2, 4, 6 and so on to 16 pawns.
const PAWNS_A_BUCKET: usize = 2;

impl Inputs for EverChess {
    type Words = [u64; 2];

    const BUCKETS: usize = 8;
    const WEIGHTS: &'static str = include_str!("weights.txt");

    /// The pawns of the side to move by their squares; in the second word the other side's.
    #[inline(always)]
    fn inputs(&self) -> [u64; 2] {
        let [Bitboard(black), Bitboard(white)] = self.pawns;
        match self.side_to_move {
            Side::White => [white, black],
            // Black's row 8 is its first.
            Side::Black => [black.swap_bytes(), white.swap_bytes()],
        }
    }

    #[inline(always)]
    fn bucket(&self) -> usize {
        let [black, white] = self.pawns.map(Bitboard::count);
        ((black + white).max(1) - 1) as usize / PAWNS_A_BUCKET
    }

    /// The pawns that cannot be stopped: positions of few pawns are rare in games, and the network alone misjudges them.
    #[inline]
    fn beside_network(&self) -> i32 {
        runners(self, self.side_to_move) - runners(self, self.side_to_move.opponent())
    }
}

/// For a runner (no pawn of the opponent can ever block or capture it), by the rows it has moved; on the far row the
/// game is over. In hundredths of a pawn, chosen by hand.
const RUNNER: [i32; 7] = [0, 120, 180, 270, 420, 660, 0];

/// What the runners of `side` are worth.
fn runners(position: &EverChess, side: Side) -> i32 {
    let other = position.pawns(side.opponent());
    let mut worth = 0;
    for pawn in position.pawns(side).squares() {
        if (span_ahead(pawn, side) & other).is_empty() {
            worth += RUNNER[rows_moved(pawn, side)];
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
    let row = square.row();
    let column = COLUMN_A << square.column();
    let columns = column | (column & !COLUMN_A) >> 1 | (column & !COLUMN_H) << 1;
    // Two shifts each: one shift by all 64 bits would overflow.
    let rows = match side {
        Side::White => u64::MAX << (8 * row) << 8,
        Side::Black => u64::MAX >> (8 * (7 - row)) >> 8,
    };
    Bitboard(columns & rows)
}

#[cfg(test)]
mod tests {
    use super::super::rules;
    use super::*;
    use crate::evaluate::Evaluate;
    use crate::network::Network;
    use crate::position::Position;

    #[test]
    fn the_colours_make_no_difference_and_every_number_of_pawns_has_a_bucket() {
        let start = EverChess::start(&rules::STANDARD);
        let [black, white] = start.pawns;
        let network = Network::default();
        for pawns in 1..=8 {
            // Columns from A on.
            let few = 0x0101_0101_0101_0101 * (u64::from(u8::MAX) >> (8 - pawns));
            let of_white = EverChess {
                pawns: [black, Bitboard(white.0 & few)],
                side_to_move: Side::White,
                ..start
            };
            let of_black = EverChess {
                pawns: [Bitboard(black.0 & few), white],
                side_to_move: Side::Black,
                ..start
            };
            assert_eq!(of_white.inputs(), of_black.inputs());
            assert_eq!(network.evaluate(&of_white), network.evaluate(&of_black));
            assert_eq!(of_white.bucket(), (pawns + 8 - 1) / 2);
        }
    }
}
