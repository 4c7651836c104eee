//! An EverChess position: the pawns, those that have moved this turn, and whose move it is.

use crate::board::{Bitboard, CoordinateMove, Side, Square};
use crate::hash::fold;
use crate::position::{Outcome, Position};
use crate::rules::{RuleBook, Stuck};

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

    #[inline]
    fn each_move(&self, visit: impl FnMut(CoordinateMove)) {
        self.generate(visit);
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
