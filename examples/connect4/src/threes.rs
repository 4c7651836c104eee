//! What a position is worth: lines of four squares in which only one side has discs.

use crate::{COLUMNS, ConnectFour, HEIGHT, ROWS, STEPS};
use crownhead::{Evaluate, Position};

/// Lines that may still become four in a row count by how many discs they have.
#[derive(Clone, Copy, Default, Debug)]
pub struct Threes;

/// What a line with so many discs of one side, and none of the other, is worth.
const WORTH: [i32; 5] = [0, 1, 6, 30, 0];

/// The squares of the board.
const BOARD: u64 = {
    let (mut board, mut column) = (0, 0);
    while column < COLUMNS {
        board |= ((1 << ROWS) - 1) << (column * HEIGHT);
        column += 1;
    }
    board
};

/// Every line of four squares.
fn lines() -> impl Iterator<Item = u64> {
    let squares = (0..u64::from(COLUMNS * HEIGHT)).map(|square| 1 << square);
    let lines = squares.flat_map(|first: u64| {
        STEPS.map(|step| first | first << step | first << (2 * step) | first << (3 * step))
    });
    lines.filter(|line| line & !BOARD == 0)
}

impl Evaluate<ConnectFour> for Threes {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &ConnectFour) -> i32 {
        let side = position.side_to_move();
        let [own, other] = [side, side.opponent()].map(|side| position.discs[side.index()]);
        let worth = |line: u64| match [line & own, line & other].map(u64::count_ones) {
            [discs, 0] => WORTH[discs as usize],
            [0, discs] => -WORTH[discs as usize],
            _ => 0,
        };
        lines().map(worth).sum()
    }
}
