//! Legal moves: captures where there are any, steps where there are none.
//!
//! Whole sets of pawns are tried at once, by shifting what they go to onto where they stand.

use super::position::{forward, EverChess};
use crate::board::{Bitboard, CoordinateMove, Side, Square};
use crate::position::Position;

pub(super) const COLUMN_A: u64 = 0x0101_0101_0101_0101;
pub(super) const COLUMN_H: u64 = COLUMN_A << 7;

impl EverChess {
    /// The pawns that the side to move may move now.
    pub fn movable_pawns(&self) -> Bitboard {
        let [capture_left, step, capture_right] = self.choices();
        capture_left | step | capture_right
    }

    /// Whether the side to move can, and therefore must, capture.
    pub fn must_capture(&self) -> bool {
        let [capture_left, _, capture_right] = self.choices();
        !(capture_left | capture_right).is_empty()
    }

    /// The pawns that may capture to the left, step, and capture to the right. Left is towards column a for both sides.
    #[inline(always)]
    pub(super) fn choices(&self) -> [Bitboard; 3] {
        if self.ended().is_some() {
            return [Bitboard::EMPTY; 3];
        }
        let side = self.side_to_move;
        let own = (self.pawns(side) & !self.moved).0;
        let other = self.pawns(side.opponent()).0;
        let empty = !(self.pawns[0] | self.pawns[1]).0;
        let (left, ahead, right) = match side {
            Side::White => (other >> 7, empty >> 8, other >> 9),
            Side::Black => (other << 9, empty << 8, other << 7),
        };
        let (left, right) = (own & !COLUMN_A & left, own & !COLUMN_H & right);
        let step = if left | right == 0 { own & ahead } else { 0 };
        [left, step, right].map(Bitboard)
    }

    /// Pawn by pawn from a1 to h8, each from left to right.
    #[inline(always)]
    pub(super) fn generate(&self, mut visit: impl FnMut(CoordinateMove)) {
        let choices = self.choices();
        let ahead = 8 * forward(self.side_to_move);
        for from in (choices[0] | choices[1] | choices[2]).squares() {
            for (pawns, distance) in choices.into_iter().zip([ahead - 1, ahead, ahead + 1]) {
                if pawns.contains(from) {
                    let to = Square::from_index(from.index().wrapping_add_signed(distance));
                    visit(CoordinateMove { from, to });
                }
            }
        }
    }
}
