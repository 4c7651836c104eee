//! A variant of Nim in which a side may move twice in a row.

use crownhead::board::Side;
use crownhead::evaluate::Evaluate;
use crownhead::hash::fold;
use crownhead::position::Position;
use crownhead::rules::RuleBook;

/// One heap. A move takes one, two or three stones; the side that takes two moves again; a side that is to move
/// at an empty heap has lost. Taking three counts as a capture.
///
/// Positions know how many moves were made, so that one is met at one depth only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Nim {
    left: u32,
    moves_made: u32,
    side_to_move: Side,
}

impl Nim {
    /// A heap of this many stones, black to move.
    pub(crate) fn heap(stones: u32) -> Nim {
        Nim {
            left: stones,
            moves_made: 0,
            side_to_move: Side::Black,
        }
    }

    fn mix(&self) -> u64 {
        let heap = u64::from(self.left) << 32 | u64::from(self.moves_made);
        fold(heap, self.side_to_move.index() as u64)
    }
}

impl Position for Nim {
    type Move = u32;

    fn start(_rules: &RuleBook) -> Nim {
        Nim::heap(12)
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn each_move(&self, visit: impl FnMut(u32)) {
        (1..=self.left.min(3)).for_each(visit);
    }

    fn play_unchecked(&self, taken: u32) -> Nim {
        let again = taken == 2;
        Nim {
            left: self.left - taken,
            moves_made: self.moves_made + 1,
            side_to_move: if again {
                self.side_to_move
            } else {
                self.side_to_move.opponent()
            },
        }
    }

    fn captures(&self, taken: u32) -> u32 {
        u32::from(taken == 3)
    }

    fn hash(&self) -> u64 {
        self.mix()
    }

    fn history_index(taken: u32) -> u16 {
        taken as u16
    }
}

/// A pseudo-random evaluation.
pub(crate) struct Noise;

impl Evaluate<Nim> for Noise {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &Nim) -> i32 {
        (position.mix() >> 40) as i32 % 200 - 100
    }
}
