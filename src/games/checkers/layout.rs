//! Where the 32 playing squares lie in a 32-bit word.
//!
//! The squares are numbered so that a step in one direction is the same rotation of the word everywhere on
//! the board. Going up right adds 1 to a square's bit, going up left adds 7, both modulo 32:
//!
//! ```text
//! 8     25    19    13    07
//! 7  24    18    12    06            +7    +1
//! 6     17    11    05    31           \  /
//! 5  16    10    04    30               ()
//! 4     09    03    29    23           /  \
//! 3  08    02    28    22            -1    -7
//! 2     01    27    21    15
//! 1  00    26    20    14
//!    A  B  C  D  E  F  G  H
//! ```
//!
//! So one rotation moves a whole set of pieces a step, and one mask drops those that fell over the edge.
//! (The numbering is found in A. Bik, "Computing Deep Perft and Divide Numbers for Checkers", ICGA Journal
//! 35(4), 2012.) A *board* below is a `u32` with a bit for each playing square.

use crate::board::Square;
use Direction::{DownLeft, DownRight, UpLeft, UpRight};

/// A step to a neighbouring square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Direction {
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
}

/// All four directions.
pub(super) const ALL: [Direction; 4] = [UpLeft, UpRight, DownLeft, DownRight];
/// Where black's men go.
pub(super) const UPWARDS: [Direction; 2] = [UpLeft, UpRight];
/// Where white's men go.
pub(super) const DOWNWARDS: [Direction; 2] = [DownLeft, DownRight];
/// By [`Direction`], how columns and rows change with a step.
const STEPS: [(i8, i8); 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];

/// The squares of row 1, where white men are crowned.
pub(super) const ROW_1: u32 = row_mask(0);
/// The squares of row 8, where black men are crowned.
pub(super) const ROW_8: u32 = row_mask(7);

impl Direction {
    #[inline(always)]
    const fn rotation(self) -> u32 {
        match self {
            UpLeft => 7,
            UpRight => 1,
            DownLeft => 32 - 1,
            DownRight => 32 - 7,
        }
    }

    /// The direction numbered `index`, by its lowest two bits.
    pub(super) const fn from_index(index: u32) -> Direction {
        ALL[(index & 3) as usize]
    }

    /// Every bit of `board` one step further. Bits that fall over an edge come back elsewhere: the caller
    /// masks with [`room`](Direction::room) before or with what stands on the board after.
    #[inline(always)]
    pub(super) const fn step(self, board: u32) -> u32 {
        board.rotate_left(self.rotation())
    }

    /// Every bit of `board` one step back; the reverse of [`step`](Direction::step).
    #[inline(always)]
    pub(super) const fn back(self, board: u32) -> u32 {
        board.rotate_right(self.rotation())
    }

    /// The bit number `steps` steps further than `bit`.
    #[inline(always)]
    pub(super) const fn advance(self, bit: u32, steps: u32) -> u32 {
        (bit + self.rotation() * steps) % 32
    }

    /// The squares from which one step stays on the board.
    #[inline(always)]
    pub(super) const fn room(self) -> u32 {
        const ROOM: [u32; 4] = room_table(1);
        ROOM[self as usize]
    }

    /// The squares from which two steps (a jump) stay on the board.
    #[inline(always)]
    pub(super) const fn room_to_jump(self) -> u32 {
        const ROOM: [u32; 4] = room_table(2);
        ROOM[self as usize]
    }
}

/// The board turned by half a turn: what one side sees of it becomes what the other sees.
pub(super) const fn turned(board: u32) -> u32 {
    // A1 and H8 are bits 0 and 7, and every other pair of squares adds up to 7 as well, modulo 32.
    board.reverse_bits().rotate_left(8)
}

/// Whether pieces may ever stand on `square`: those of A1's colour.
pub(super) const fn is_playing_square(square: Square) -> bool {
    (square.column() + square.row()).is_multiple_of(2)
}

/// The bit number of a playing square.
pub(super) const fn bit_of(square: Square) -> u32 {
    debug_assert!(is_playing_square(square));
    // 29 is -3 modulo 32: a column to the right is half of (+1 and -7), a row up half of (+1 and +7).
    (4 * square.row() as u32 + 29 * square.column() as u32) % 32
}

/// The playing square of a bit number below 32.
pub(super) const fn square_of(bit: u32) -> Square {
    const SQUARES: [Square; 32] = square_table();
    SQUARES[bit as usize]
}

const fn square_table() -> [Square; 32] {
    let mut squares = [Square::new(0, 0); 32];
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        if is_playing_square(square) {
            squares[bit_of(square) as usize] = square;
        }
        index += 1;
    }
    squares
}

const fn row_mask(row: u8) -> u32 {
    let mut mask = 0;
    let mut bit = 0;
    while bit < 32 {
        if square_of(bit).row() == row {
            mask |= 1 << bit;
        }
        bit += 1;
    }
    mask
}

const fn room_table(steps: i8) -> [u32; 4] {
    let mut table = [0; 4];
    let mut index = 0;
    while index < 4 {
        let (columns, rows) = STEPS[index];
        let mut bit = 0;
        while bit < 32 {
            let landing = square_of(bit).offset(columns * steps, rows * steps);
            if landing.is_some() {
                table[index] |= 1 << bit;
            }
            bit += 1;
        }
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_playing_square_has_a_bit_of_its_own() {
        let mut seen = 0u32;
        for square in Square::all().filter(|&square| is_playing_square(square)) {
            let bit = bit_of(square);
            assert_eq!(square_of(bit), square);
            seen |= 1 << bit;
        }
        assert_eq!(seen, u32::MAX);
    }

    #[test]
    fn a_rotation_is_a_step_wherever_there_is_room_for_it() {
        for bit in 0..32 {
            for direction in ALL {
                let (columns, rows) = STEPS[direction as usize];
                let beside = square_of(bit).offset(columns, rows);
                let beyond = square_of(bit).offset(2 * columns, 2 * rows);
                assert_eq!(direction.room() >> bit & 1 == 1, beside.is_some());
                assert_eq!(direction.room_to_jump() >> bit & 1 == 1, beyond.is_some());
                if let Some(square) = beside {
                    assert_eq!(direction.step(1 << bit), 1 << bit_of(square));
                    assert_eq!(direction.back(1 << bit_of(square)), 1 << bit);
                    assert_eq!(direction.advance(bit, 1), bit_of(square));
                }
            }
        }
    }

    #[test]
    fn a_turned_board_has_every_square_opposite() {
        for bit in 0..32 {
            let square = square_of(bit);
            let opposite = Square::new(7 - square.column(), 7 - square.row());
            assert_eq!(turned(1 << bit), 1 << bit_of(opposite));
        }
    }

    #[test]
    fn the_far_rows_hold_the_squares_of_their_rows() {
        let row = |mask: u32| {
            crate::board::bits(mask.into())
                .map(square_of)
                .map(|s| s.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(row(ROW_1), ["A1", "G1", "E1", "C1"]);
        assert_eq!(row(ROW_8), ["H8", "F8", "D8", "B8"]);
    }
}
