//! Legal moves: captures where there are any, steps where there are none.
//!
//! Whole sets of pawns are tried at once, by shifting what they go to onto where they stand.

use super::position::EverChess;
use crate::board::{Bitboard, CoordinateMove, Side, Square};
use crate::position::Position;

/// The pawns that may move, by where they go. Left is towards column a for both sides.
pub(super) struct Choices {
    capture_left: Bitboard,
    step: Bitboard,
    capture_right: Bitboard,
}

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

impl Choices {
    const NONE: Choices = Choices {
        capture_left: Bitboard::EMPTY,
        step: Bitboard::EMPTY,
        capture_right: Bitboard::EMPTY,
    };

    fn pawns(&self) -> Bitboard {
        self.capture_left | self.step | self.capture_right
    }

    pub(super) fn count(&self) -> u64 {
        let sets = [self.capture_left, self.step, self.capture_right];
        sets.into_iter().map(|set| u64::from(set.count())).sum()
    }
}

impl EverChess {
    /// The pawns that the side to move may move now.
    pub fn movable_pawns(&self) -> Bitboard {
        self.choices().pawns()
    }

    /// Whether the side to move can, and therefore must, capture.
    pub fn must_capture(&self) -> bool {
        let choices = self.choices();
        !(choices.capture_left | choices.capture_right).is_empty()
    }

    /// The pawns of `side` that have an empty square ahead.
    #[inline(always)]
    pub(super) fn steppers(&self, side: Side) -> Bitboard {
        let empty = !(self.pawns[0] | self.pawns[1]).0;
        self.pawns(side)
            & match side {
                Side::White => Bitboard(empty >> 8),
                Side::Black => Bitboard(empty << 8),
            }
    }

    #[inline(always)]
    pub(super) fn choices(&self) -> Choices {
        if self.ended().is_some() {
            return Choices::NONE;
        }
        let side = self.side_to_move;
        let fresh = (self.pawns(side) & !self.moved).0;
        let other = self.pawns(side.opponent()).0;
        let (left, right) = match side {
            Side::White => (other >> 7, other >> 9),
            Side::Black => (other << 9, other << 7),
        };
        let capture_left = Bitboard(fresh & !COLUMN_A & left);
        let capture_right = Bitboard(fresh & !COLUMN_H & right);
        let step = if (capture_left | capture_right).is_empty() {
            self.steppers(side) & !self.moved
        } else {
            Bitboard::EMPTY
        };
        Choices {
            capture_left,
            step,
            capture_right,
        }
    }

    /// Pawn by pawn from a1 to h8, each from left to right.
    #[inline(always)]
    pub(super) fn generate(&self, mut visit: impl FnMut(CoordinateMove)) {
        let choices = self.choices();
        let ahead: i8 = match self.side_to_move {
            Side::White => 8,
            Side::Black => -8,
        };
        let ways = [
            (choices.capture_left, ahead - 1),
            (choices.step, ahead),
            (choices.capture_right, ahead + 1),
        ];
        for from in choices.pawns().squares() {
            for (pawns, distance) in ways {
                if pawns.contains(from) {
                    let to = Square::from_index(from.index().wrapping_add_signed(distance));
                    visit(CoordinateMove { from, to });
                }
            }
        }
    }
}
