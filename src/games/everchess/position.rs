//! An EverChess position: the pawns, those that have moved this turn, and whose move it is.
//!
//! Its legal moves are captures where there are any, steps where there are none. Whole sets of pawns are tried at once,
//! by shifting what they go to onto where they stand.

use super::rules;
use crate::board::{Bitboard, CoordinateMove, Side, Square};
use crate::hash::fold;
use crate::notation::{ensure, refuse, PositionError};
use crate::position::{Outcome, Position};
use crate::rules::{RuleBook, Stuck};

/// Pawns a side begins with: the most it can have.
const PAWNS_A_SIDE: u32 = 8;

pub(super) const COLUMN_A: u64 = 0x0101_0101_0101_0101;
pub(super) const COLUMN_H: u64 = COLUMN_A << 7;

/// A position of EverChess.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct EverChess {
    /// The pawns of each side, by [`Side::index`].
    pub(super) pawns: [Bitboard; 2],
    /// Pawns of the side to move that have captured this turn.
    pub(super) moved: Bitboard,
    pub(super) side_to_move: Side,
}

impl EverChess {
    /// The pawns of `side`.
    pub fn pawns(&self, side: Side) -> Bitboard {
        self.pawns[side.index()]
    }

    /// The pawns of the side to move that have moved this turn, each with a capture. They may not
    /// move again until the turn is over. Empty between turns.
    pub fn moved_pawns(&self) -> Bitboard {
        self.moved
    }

    /// Whose pawn stands on `square`.
    pub fn owner_at(&self, square: Square) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.pawns(*side).contains(square))
    }

    /// A position set up from the pawns of each side (black's first, [`Side::index`]) and those that have
    /// moved this turn.
    ///
    /// # Errors
    /// When there are too many pawns or two on a square, a pawn is behind the row it starts on, or one is marked as moved
    /// whose side is not to move.
    pub fn from_pawns(
        pawns: [Bitboard; 2],
        moved: Bitboard,
        side_to_move: Side,
    ) -> Result<EverChess, PositionError> {
        let position = EverChess {
            pawns,
            moved,
            side_to_move,
        };
        if let Some(square) = (pawns[0] & pawns[1]).squares().next() {
            return refuse(format!("two pawns on {square:#}"));
        }
        for side in Side::BOTH {
            let (name, count) = (name(side), position.pawns(side).count());
            ensure(count <= PAWNS_A_SIDE, || {
                format!("{name} has {count} pawns; a side never has more than {PAWNS_A_SIDE}")
            })?;
            let behind_start = position.pawns(side) & far_row(side.opponent());
            if let Some(square) = behind_start.squares().next() {
                return refuse(format!(
                    "a pawn of {name} on {square:#}, behind the row it starts on"
                ));
            }
        }
        let not_own = moved & !position.pawns(side_to_move);
        if let Some(square) = not_own.squares().next() {
            let mover = name(side_to_move);
            return refuse(format!(
                "the pawn on {square:#} cannot have moved this turn: {mover} is to move"
            ));
        }
        Ok(position)
    }

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
}

fn name(side: Side) -> &'static str {
    rules::STANDARD.side_name(side)
}

/// The row where a pawn of `side` wins.
#[inline(always)]
pub(super) const fn far_row(side: Side) -> Bitboard {
    match side {
        Side::Black => Bitboard(0xff),
        Side::White => Bitboard(0xff << 56),
    }
}

/// The direction in which the rows of `side`'s pawns change.
#[inline(always)]
pub(super) const fn forward(side: Side) -> i8 {
    match side {
        Side::Black => -1,
        Side::White => 1,
    }
}

impl Position for EverChess {
    type Move = CoordinateMove;

    fn start(rules: &RuleBook) -> EverChess {
        EverChess {
            pawns: [Bitboard(0xff << 48), Bitboard(0xff << 8)],
            moved: Bitboard::EMPTY,
            side_to_move: rules.moves_first,
        }
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// Pawn by pawn from a1 to h8, each from left to right.
    #[inline]
    fn each_move(&self, mut visit: impl FnMut(CoordinateMove)) {
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

    #[inline(always)]
    fn play_unchecked(&self, mv: CoordinateMove) -> EverChess {
        let side = self.side_to_move;
        let (from, to) = (Bitboard::of(mv.from), Bitboard::of(mv.to));
        let mut pawns = self.pawns;
        pawns[side.index()] = pawns[side.index()] & !from | to;
        let (moved, side_to_move) = if self.captures(mv) > 0 {
            pawns[side.opponent().index()] = pawns[side.opponent().index()] & !to;
            (self.moved | to, side)
        } else {
            (Bitboard::EMPTY, side.opponent())
        };
        EverChess {
            pawns,
            moved,
            side_to_move,
        }
    }

    /// A capture changes the column.
    #[inline(always)]
    fn captures(&self, mv: CoordinateMove) -> u32 {
        u32::from(mv.from.column() != mv.to.column())
    }

    /// There are only pawns.
    fn is_zeroing(&self, _mv: CoordinateMove) -> bool {
        true
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        let [black, white] = self.pawns.map(|pawns| pawns.0);
        // The far row never holds a pawn that has moved this turn: its lowest bit is free for the side.
        let turn = self.moved.0 ^ self.side_to_move.index() as u64;
        fold(fold(black, white), turn)
    }

    /// A pawn on the far row has won.
    #[inline(always)]
    fn ended(&self) -> Option<Outcome> {
        let arrived = |&side: &Side| !(self.pawns(side) & far_row(side)).is_empty();
        Side::BOTH.into_iter().find(arrived).map(Outcome::Win)
    }

    fn without_moves(&self, rules: &RuleBook) -> Outcome {
        if self.pawns(self.side_to_move).is_empty() || rules.stuck == Stuck::Loses {
            Outcome::Win(self.side_to_move.opponent())
        } else {
            Outcome::Draw
        }
    }
}
