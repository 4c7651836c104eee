//! Positions set up pawn by pawn, and why some are refused.

use super::moves::square_name;
use super::position::{far_row, forward, EverChess};
use super::rules;
use crate::board::{Bitboard, Side};
use crate::notation::{PositionError, PositionErrorKind};
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
        if let Some(square) = (self.pawns[0] & self.pawns[1]).squares().next() {
            return refuse(
                PositionErrorKind::TwoPieces(square),
                format!("two pawns on {}", square_name(square)),
            );
        }
        for side in Side::BOTH {
            let (name, count) = (name(side), self.pawns(side).count());
            if count > PAWNS_A_SIDE {
                return refuse(
                    PositionErrorKind::Pieces(side),
                    format!("{name} has {count} pawns; a side never has more than {PAWNS_A_SIDE}"),
                );
            }
            let behind_start = self.pawns(side) & far_row(side.opponent());
            if let Some(square) = behind_start.squares().next() {
                return refuse(
                    PositionErrorKind::Misplaced(square),
                    format!(
                        "a pawn of {name} on {}, behind the row it starts on",
                        square_name(square)
                    ),
                );
            }
        }
        Ok(())
    }

    fn check_moved(&self) -> Result<(), PositionError> {
        let side = self.side_to_move;
        let own = self.pawns(side);
        if let Some(square) = (self.moved & !own).squares().next() {
            return refuse(
                PositionErrorKind::Misplaced(square),
                format!(
                    "the pawn on {} cannot have moved this turn: {} is to move",
                    square_name(square),
                    name(side)
                ),
            );
        }
        for square in self.moved.squares() {
            // A capture comes from diagonally behind, and what was left there stays empty during the turn.
            let back = -forward(side);
            let came_from = [-1, 1]
                .into_iter()
                .filter_map(|columns| square.offset(columns, back))
                .any(|from| {
                    self.owner_at(from).is_none() && !far_row(side.opponent()).contains(from)
                });
            // No opponent's pawn ever stands on the row behind the one it starts on.
            if !came_from || far_row(side).contains(square) {
                return refuse(
                    PositionErrorKind::Misplaced(square),
                    format!(
                        "the pawn on {} cannot have captured there this turn",
                        square_name(square)
                    ),
                );
            }
        }
        let lost = PAWNS_A_SIDE - self.pawns(side.opponent()).count();
        if self.moved.count() > lost {
            return refuse(
                PositionErrorKind::Unreachable(side),
                format!(
                    "{} pawns of {} have captured this turn, but {} has lost {lost}",
                    self.moved.count(),
                    name(side),
                    name(side.opponent()),
                ),
            );
        }
        Ok(())
    }

    fn check_far_rows(&self) -> Result<(), PositionError> {
        let [black, white] = Side::BOTH.map(|side| self.pawns(side) & far_row(side));
        let arrived = black.count() + white.count();
        if arrived > 1 {
            let who = match (black.is_empty(), white.is_empty()) {
                (false, false) => "both sides have a pawn",
                (true, _) => "white has more than one pawn",
                (_, true) => "black has more than one pawn",
            };
            return refuse(
                PositionErrorKind::Unreachable(self.side_to_move),
                format!("{who} on the far row; the first to get there ends the game"),
            );
        }
        let own = self.pawns(self.side_to_move) & far_row(self.side_to_move);
        if let Some(square) = own.squares().next() {
            return refuse(
                PositionErrorKind::Misplaced(square),
                format!(
                    "{} is to move, but its pawn on {} has already won",
                    name(self.side_to_move),
                    square_name(square)
                ),
            );
        }
        if arrived == 1 && !self.moved.is_empty() {
            return refuse(
                PositionErrorKind::Unreachable(self.side_to_move),
                "a pawn has moved this turn, but the game had ended before it",
            );
        }
        Ok(())
    }

    /// Every turn ends with a step, and leaves the square behind it empty.
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
            from.is_some_and(|from| {
                self.owner_at(from).is_none() && !far_row(stepper.opponent()).contains(from)
            })
        });
        if may_have_stepped {
            return Ok(());
        }
        refuse(
            PositionErrorKind::Unreachable(self.side_to_move),
            format!(
                "{} is to move, but no pawn of {} can have made the step before",
                name(self.side_to_move),
                name(stepper)
            ),
        )
    }
}

fn name(side: Side) -> &'static str {
    rules::STANDARD.side_name(side)
}

fn refuse(kind: PositionErrorKind, reason: impl Into<String>) -> Result<(), PositionError> {
    Err(PositionError::new(kind, reason))
}
