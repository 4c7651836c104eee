//! The weights of [`Positional`](super::Positional), all in one place.
//!
//! Each has two values, for a full board and for an empty one, in hundredths of a man; the evaluation is
//! tapered between them by the pieces on the board (Chess Programming Wiki, "Tapered Eval").
//!
//! All were fitted to 310,000 positions of games of the search with itself, but `chasing`, which matches
//! chose (`bots/EXPERIMENTS.md`, "Evaluation"), and `chase_pieces`, which is chosen by hand.

use super::layout::{bit_of, turned};
use crate::board::Square;

/// A weight on a full board and on an empty one, in the upper and lower half of one number, so that adding
/// weights adds both values.
#[derive(Clone, Copy)]
pub(super) struct Weight(pub(super) i32);

/// Every weight, by what it counts. A side's own first row is row 1.
pub(super) struct Weights {
    /// A man, by its square.
    pub(super) man: PieceSquareTable,
    /// A king, by its square.
    pub(super) king: PieceSquareTable,
    /// A man with no opponent ahead of it, by its square.
    pub(super) free_man: PieceSquareTable,
    /// A step that a man could make, for each.
    pub(super) man_step: Weight,
    /// A step that a king could make, for each.
    pub(super) king_step: Weight,
    /// A piece of its own side behind a man, for each.
    pub(super) supported: Weight,
    /// Men on both C1 and G1: with these two a side keeps single kings from being crowned.
    pub(super) bridge: Weight,
    /// Being to move.
    pub(super) to_move: Weight,
    /// Having the move, or opposition.
    pub(super) the_move: Weight,
    /// A piece more than the opponent, divided by the number of pieces on the board.
    pub(super) exchange: i32,
    /// From so many pieces on down, the side with more of them goes after the kings of the other.
    pub(super) chase_pieces: i32,
    /// A king of the chasing side within two steps of a chased one, for each.
    pub(super) chasing: i32,
    /// A chased king in a double corner, for each.
    pub(super) double_corner: i32,
}

pub(super) static WEIGHTS: Weights = Weights {
    man: PieceSquareTable::of(
        [
            [105, 105, 105, 105],
            [103, 101, 104, 88],
            [97, 98, 105, 142],
            [120, 90, 93, 103],
            [75, 99, 80, 115],
            [120, 81, 93, 89],
            [87, 98, 105, 114],
            [96, 96, 146, 117],
        ],
        [
            [118, 118, 118, 118],
            [102, 116, 116, 108],
            [109, 123, 123, 121],
            [120, 104, 106, 112],
            [105, 102, 96, 113],
            [108, 98, 97, 96],
            [99, 97, 99, 91],
            [100, 111, 115, 115],
        ],
    ),
    king: PieceSquareTable::of(
        [
            [149, 150, 153, 131],
            [145, 142, 143, 134],
            [136, 138, 133, 134],
            [145, 134, 130, 127],
            [131, 129, 128, 133],
            [135, 130, 132, 136],
            [131, 132, 139, 136],
            [134, 133, 134, 130],
        ],
        [
            [152, 164, 160, 123],
            [150, 159, 134, 122],
            [147, 133, 117, 121],
            [157, 127, 127, 110],
            [117, 127, 134, 129],
            [128, 121, 135, 143],
            [122, 125, 145, 136],
            [131, 133, 131, 123],
        ],
    ),
    free_man: PieceSquareTable::of(
        [
            [19, 19, 19, 19],
            [24, 12, 18, 1],
            [11, 11, 7, 12],
            [11, 6, 9, 10],
            [9, 4, 7, 6],
            [7, 6, 5, 5],
            [2, 3, 2, -1],
            [-1, -0, 0, 0],
        ],
        [
            [26, 26, 26, 26],
            [24, 20, 23, 15],
            [19, 20, 18, 21],
            [13, 10, 13, 15],
            [12, 6, 10, 6],
            [10, 10, 7, 8],
            [4, 5, 3, -3],
            [1, -1, 0, 1],
        ],
    ),
    man_step: Weight::of(19, 35),
    king_step: Weight::of(19, 13),
    supported: Weight::of(24, 9),
    bridge: Weight::of(17, 26),
    to_move: Weight::of(5, -1),
    the_move: Weight::of(-4, 10),
    exchange: 253,
    chase_pieces: 8,
    chasing: 16,
    double_corner: 66,
};

impl Weight {
    const fn of(full: i32, empty: i32) -> Weight {
        Weight((full << 16) + empty)
    }

    /// A sum of weights as one value, for a board with so many pieces.
    #[inline(always)]
    pub(super) fn taper(sum: i32, pieces: i32) -> i32 {
        /// A full board.
        const MOST: i32 = 24;
        let empty = i32::from(sum as i16);
        let full = (sum - empty) >> 16;
        (full * pieces + empty * (MOST - pieces)) / MOST
    }

    #[inline(always)]
    pub(super) const fn times(self, count: i32) -> i32 {
        self.0 * count
    }
}

/// A weight for each square, looked up a byte of the board at a time.
pub(super) struct PieceSquareTable {
    /// For the side whose first row is row 1, and for the other.
    sums: [[[i32; 256]; 4]; 2],
}

/// Rows from the top, as a board is drawn, with the four squares that are played on in each.
type Rows = [[i32; 4]; 8];

impl PieceSquareTable {
    const fn of(full: Rows, empty: Rows) -> PieceSquareTable {
        let mut weights = [[0; 32]; 2];
        let mut place = 0;
        while place < 32 {
            let (line, column) = (place / 4, place % 4);
            let row = 7 - line as u8;
            // A1's colour: the even columns of row 1, the odd ones of row 2.
            let square = Square::new(2 * column as u8 + row % 2, row);
            let bit = bit_of(square);
            let weight = Weight::of(full[line][column], empty[line][column]).0;
            weights[0][bit as usize] = weight;
            weights[1][turned(1 << bit).trailing_zeros() as usize] = weight;
            place += 1;
        }
        PieceSquareTable {
            sums: [sums(&weights[0]), sums(&weights[1])],
        }
    }

    /// The weights of the squares in `board`, which `UP` sees with its first row at the bottom.
    #[inline(always)]
    pub(super) fn sum<const UP: bool>(&self, board: u32) -> i32 {
        let sums = &self.sums[if UP { 0 } else { 1 }];
        let [first, second, third, fourth] = board.to_le_bytes();
        sums[0][usize::from(first)]
            + sums[1][usize::from(second)]
            + sums[2][usize::from(third)]
            + sums[3][usize::from(fourth)]
    }
}

const fn sums(weights: &[i32; 32]) -> [[i32; 256]; 4] {
    let mut sums = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 4 {
        let mut set = 1;
        while set < 256 {
            // The sum without the lowest square is known already.
            let lowest = (set as u32).trailing_zeros() as usize;
            sums[byte][set] = sums[byte][set & (set - 1)] + weights[8 * byte + lowest];
            set += 1;
        }
        byte += 1;
    }
    sums
}
