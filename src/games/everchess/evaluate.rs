//! What an EverChess position is worth: the judgement of a network that has learnt from games.

use super::position::EverChess;
use super::weights::{NETWORK, ROWS};
use crate::board::{Bitboard, Side};
use crate::evaluate::Evaluate;
use crate::network::{Accumulator, Inputs};

/// Positions of up to 2, 4, 6 and so on to 16 pawns.
const BUCKETS: usize = 8;
const PAWNS_A_BUCKET: usize = 2;

impl Inputs<2> for EverChess {
    const BUCKETS: usize = BUCKETS;

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
}

/// A judge of positions by a network that has learnt from games of the search with itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned;

impl Evaluate<EverChess> for Learned {
    type Accumulator = Accumulator<2, ROWS>;

    fn accumulator(&self) -> Self::Accumulator {
        NETWORK.accumulator()
    }

    fn evaluate(&self, position: &EverChess) -> i32 {
        NETWORK.evaluate(position)
    }

    #[inline]
    fn evaluate_near(&self, position: &EverChess, last: &mut Self::Accumulator) -> i32 {
        NETWORK.evaluate_near(position, last)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules;
    use super::*;
    use crate::position::Position;

    #[test]
    fn the_colours_make_no_difference_and_every_number_of_pawns_has_a_bucket() {
        let start = EverChess::start(&rules::STANDARD);
        let [black, white] = start.pawns;
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
            assert_eq!(Learned.evaluate(&of_white), Learned.evaluate(&of_black));
            assert_eq!(of_white.bucket(), (pawns + 8 - 1) / 2);
        }
    }
}
