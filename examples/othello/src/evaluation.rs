//! What a position is worth: corners, the squares beside them, and how many moves each side has. And what a network
//! that is to tell it instead, fitted by `train fit`, would see.

use crate::{Othello, OthelloMove};
use crownhead::evaluate::NetworkInputs;
use crownhead::network::{Inputs, Network};
use crownhead::{Bitboard, Evaluate, Position, Side};

/// Corners are never turned again; a disc diagonally beside an empty corner gives it away; who has few moves must make
/// bad ones.
#[derive(Clone, Copy, Default, Debug)]
pub struct OthelloEvaluation;

/// A corner, and the squares beside it on the edges and on the diagonal.
const CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 1 | 1 << 8, 1 << 9),
    (1 << 7, 1 << 6 | 1 << 15, 1 << 14),
    (1 << 56, 1 << 57 | 1 << 48, 1 << 49),
    (1 << 63, 1 << 62 | 1 << 55, 1 << 54),
];

const CORNER: i32 = 100;
const BESIDE_ON_EDGE: i32 = -20;
const BESIDE_ON_DIAGONAL: i32 = -50;
const MOVE: i32 = 8;

fn worth(position: &Othello, side: Side) -> i32 {
    let own = position.discs(side).0;
    let taken = own | position.discs(side.opponent()).0;
    let count = |squares: u64| (own & squares).count_ones() as i32;
    let corners = CORNERS.iter().map(|&(corner, edge, diagonal)| {
        if taken & corner != 0 {
            CORNER * count(corner)
        } else {
            BESIDE_ON_EDGE * count(edge) + BESIDE_ON_DIAGONAL * count(diagonal)
        }
    });
    corners.sum::<i32>() + MOVE * position.targets(side).count() as i32
}

impl Evaluate<Othello> for OthelloEvaluation {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &Othello) -> i32 {
        let side = position.side_to_move();
        worth(position, side) - worth(position, side.opponent())
    }

    fn network_inputs(position: &Othello) -> Option<NetworkInputs> {
        Network::network_inputs(position)
    }
}

/// What a network sees that `train fit` makes. To play by it, give its file as `WEIGHTS`, and list the game with
/// `Network<Othello>` as its evaluation.
impl Inputs for Othello {
    type Words = [u64; 2];

    /// Positions of up to 8, 16, 24 and so on to 64 discs.
    const BUCKETS: usize = 8;

    /// The discs of the side to move by their squares; in the second word the other side's.
    fn inputs(&self) -> [u64; 2] {
        let side = self.side_to_move();
        [side, side.opponent()].map(|side| self.discs(side).0)
    }

    fn bucket(&self) -> usize {
        let [own, other] = Side::BOTH.map(|side| self.discs(side).count());
        (own + other - 1) as usize / 8
    }
}

/// What a move is worth for a search's order of moves.
pub(crate) fn move_score(mv: OthelloMove) -> i32 {
    let OthelloMove::Place(square) = mv else {
        return 0;
    };
    let on = |squares: u64| Bitboard(squares).contains(square);
    let of = |&(corner, edge, diagonal): &(u64, u64, u64)| match () {
        () if on(corner) => CORNER,
        () if on(edge) => BESIDE_ON_EDGE,
        () if on(diagonal) => BESIDE_ON_DIAGONAL,
        () => 0,
    };
    CORNERS.iter().map(of).sum()
}
