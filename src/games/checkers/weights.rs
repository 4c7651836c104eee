//! The weights of [`Positional`](super::Positional), all in one place.
//!
//! Each has two values, for a full board and for an empty one, in hundredths of a man; positions between
//! take their share of both.

use super::layout::{bit_of, turned};
use crate::board::Square;

/// A weight on a full board and on an empty one, in the upper and lower half of one number, so that adding
/// weights adds both values.
#[derive(Clone, Copy)]
pub(super) struct Weight(pub(super) i32);

/// Every weight, by what it counts. A side's own first row is row 1.
pub(super) struct Weights {
    /// A man, by its square.
    pub(super) man: Places,
    /// A king, by its square.
    pub(super) king: Places,
    /// A man with no opponent ahead of it, by its square.
    pub(super) free_man: Places,
    /// A step that a man could make, for each.
    pub(super) man_step: Weight,
    /// A step that a king could make, for each.
    pub(super) king_step: Weight,
    /// A man or king with one of its own behind it, for each.
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
    man: Places::of(
        [
            [100, 100, 100, 100],
            [118, 116, 116, 116],
            [112, 112, 112, 112],
            [108, 110, 110, 106],
            [104, 108, 108, 106],
            [104, 104, 104, 104],
            [102, 102, 102, 102],
            [108, 102, 108, 102],
        ],
        [
            [100, 100, 100, 100],
            [130, 130, 130, 130],
            [122, 122, 122, 122],
            [116, 118, 118, 116],
            [110, 112, 112, 110],
            [106, 106, 106, 106],
            [102, 102, 102, 102],
            [100, 100, 100, 100],
        ],
    ),
    king: Places::of(
        [
            [140, 140, 140, 140],
            [140, 144, 144, 144],
            [144, 148, 148, 142],
            [142, 150, 150, 146],
            [146, 150, 150, 142],
            [142, 148, 148, 144],
            [144, 144, 144, 140],
            [140, 140, 140, 140],
        ],
        [
            [136, 134, 132, 126],
            [136, 140, 140, 132],
            [134, 144, 144, 136],
            [134, 146, 146, 138],
            [138, 146, 146, 134],
            [136, 144, 144, 134],
            [132, 140, 140, 136],
            [126, 132, 134, 136],
        ],
    ),
    free_man: Places::of(
        [
            [0, 0, 0, 0],
            [20, 20, 20, 20],
            [16, 16, 16, 16],
            [12, 12, 12, 12],
            [8, 8, 8, 8],
            [4, 4, 4, 4],
            [2, 2, 2, 2],
            [0, 0, 0, 0],
        ],
        [
            [0, 0, 0, 0],
            [30, 30, 30, 30],
            [24, 24, 24, 24],
            [18, 18, 18, 18],
            [12, 12, 12, 12],
            [8, 8, 8, 8],
            [4, 4, 4, 4],
            [2, 2, 2, 2],
        ],
    ),
    man_step: Weight::of(1, 1),
    king_step: Weight::of(2, 2),
    supported: Weight::of(2, 1),
    bridge: Weight::of(4, 6),
    to_move: Weight::of(3, 2),
    the_move: Weight::of(0, 6),
    exchange: 200,
    chase_pieces: 8,
    chasing: 4,
    double_corner: 12,
};

impl Weight {
    const fn of(full: i32, empty: i32) -> Weight {
        Weight((full << 16) + empty)
    }

    /// The sum of weights with each counted so many times, for a board with so many pieces.
    #[inline(always)]
    pub(super) fn blend(sum: i32, pieces: i32) -> i32 {
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

/// A weight for each square, summed a byte of the board at a time.
pub(super) struct Places {
    /// For the side whose first row is row 1, and for the other.
    sums: [[[i32; 256]; 4]; 2],
}

/// Rows from the top, as a board is drawn, with the four squares that are played on in each.
type Rows = [[i32; 4]; 8];

impl Places {
    const fn of(full: Rows, empty: Rows) -> Places {
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
        Places {
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
