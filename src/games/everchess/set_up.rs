//! Positions set up pawn by pawn, and why some are refused.

use super::position::{far_row, forward, EverChess};
use super::rules;
use crate::board::{Bitboard, Side, Square};
use crate::notation::PositionErrorKind::{Misplaced, Pieces, TwoPieces, Unreachable};
use crate::notation::{ensure, ensure_none, PositionError};
use crate::position::Position;

/// Pawns a side begins with: the most it can have.
const PAWNS_A_SIDE: u32 = 8;

impl EverChess {
    /// A position set up from the pawns of each side (black's first, [`Side::index`]) and those that have
    /// moved this turn.
    ///
    /// # Errors
    /// When no play can reach it, as far as the board shows: too many pawns, a pawn behind
    /// the row it starts on, a pawn marked as moved that cannot have moved, or no pawn that can have made the step
    /// before.
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
        position.check_pawns()?;
        position.check_moved()?;
        position.check_far_rows()?;
        position.check_last_step()?;
        Ok(position)
    }

    fn check_pawns(&self) -> Result<(), PositionError> {
        let shared = self.pawns[0] & self.pawns[1];
        ensure_none(shared.squares(), TwoPieces, |square| {
            format!("two pawns on {square:#}")
        })?;
        for side in Side::BOTH {
            let (name, count) = (name(side), self.pawns(side).count());
            ensure(count <= PAWNS_A_SIDE, Pieces(side), || {
                format!("{name} has {count} pawns; a side never has more than {PAWNS_A_SIDE}")
            })?;
            let behind_start = self.pawns(side) & far_row(side.opponent());
            ensure_none(behind_start.squares(), Misplaced, |square| {
                format!("a pawn of {name} on {square:#}, behind the row it starts on")
            })?;
        }
        Ok(())
    }

    fn check_moved(&self) -> Result<(), PositionError> {
        let side = self.side_to_move;
        let (own, other) = (name(side), name(side.opponent()));
        let not_own = self.moved & !self.pawns(side);
        ensure_none(not_own.squares(), Misplaced, |square| {
            format!("the pawn on {square:#} cannot have moved this turn: {own} is to move")
        })?;
        // A capture comes from diagonally behind. No opponent's pawn ever stands on this side's far row.
        let captured_there = |square: &Square| {
            let behind = [-1, 1].map(|columns| square.offset(columns, -forward(side)));
            let mut behind = behind.into_iter().flatten();
            behind.any(|from| self.may_have_left(side, from)) && !far_row(side).contains(*square)
        };
        let mut moved = self.moved.squares();
        let stray = moved.find(|square| !captured_there(square));
        ensure_none(stray, Misplaced, |square| {
            format!("the pawn on {square:#} cannot have captured there this turn")
        })?;
        let lost = PAWNS_A_SIDE - self.pawns(side.opponent()).count();
        let moved = self.moved.count();
        ensure(moved <= lost, Unreachable(side), || {
            format!("{moved} pawns of {own} have captured this turn, but {other} has lost {lost}")
        })
    }

    fn check_far_rows(&self) -> Result<(), PositionError> {
        let mover = self.side_to_move;
        let arrived = Side::BOTH.map(|side| (self.pawns(side) & far_row(side)).count());
        let who = match arrived {
            [0, _] => "white has more than one pawn",
            [_, 0] => "black has more than one pawn",
            _ => "both sides have a pawn",
        };
        let arrived = arrived[0] + arrived[1];
        ensure(arrived <= 1, Unreachable(mover), || {
            format!("{who} on the far row; the first to get there ends the game")
        })?;
        let own = self.pawns(mover) & far_row(mover);
        ensure_none(own.squares(), Misplaced, |square| {
            let name = name(mover);
            format!("{name} is to move, but its pawn on {square:#} has already won")
        })?;
        let going_on = arrived == 0 || self.moved.is_empty();
        ensure(going_on, Unreachable(mover), || {
            "a pawn has moved this turn, but the game had ended before it".into()
        })
    }

    /// Every turn ends with a step.
    fn check_last_step(&self) -> Result<(), PositionError> {
        let stepper = self.side_to_move.opponent();
        // In the middle of a turn the pawn that stepped may have been captured already; before the first turn there
        // is no step.
        if !self.moved.is_empty() || *self == EverChess::start(&rules::STANDARD) {
            return Ok(());
        }
        let arrived = self.pawns(stepper) & far_row(stepper);
        let candidates = if arrived.is_empty() {
            self.pawns(stepper)
        } else {
            arrived
        };
        let may_have_stepped = candidates.squares().any(|square| {
            let from = square.offset(0, -forward(stepper));
            from.is_some_and(|from| self.may_have_left(stepper, from))
        });
        ensure(may_have_stepped, Unreachable(self.side_to_move), || {
            let (mover, stepper) = (name(self.side_to_move), name(stepper));
            format!("{mover} is to move, but no pawn of {stepper} can have made the step before")
        })
    }

    /// Whether a pawn of `side` may have been on `square` until this turn: what it left stays empty.
    fn may_have_left(&self, side: Side, square: Square) -> bool {
        self.owner_at(square).is_none() && !far_row(side.opponent()).contains(square)
    }
}

fn name(side: Side) -> &'static str {
    rules::STANDARD.side_name(side)
}
