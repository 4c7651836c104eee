//! Why a move is refused.

use super::position::{far_row, forward, EverChess};
use crate::board::{Side, Square};
use crate::explain::{must_capture, Explain, Refusal};
use crate::notation::parse_squares;
use crate::position::Position;
use crate::rules::RuleBook;

impl Explain for EverChess {
    fn refusal(&self, text: &str, rules: &RuleBook) -> Refusal {
        let path = parse_squares(text).unwrap_or_default();
        let [from, to] = path[..] else {
            return "that is not a move; a move is two squares, such as e2e3".into();
        };
        let side = self.side_to_move;
        if let Some(square) = self.arrived() {
            return format!("the game is over: a pawn has reached {square:#}").into();
        }
        let moves = self.legal_moves();
        if moves.is_empty() {
            return Refusal::new("it has no legal move", "you have no legal move");
        }
        match self.owner_at(from) {
            None => return format!("there is no pawn on {from:#}").into(),
            Some(owner) if owner != side => {
                return format!("the pawn on {from:#} is {}'s", rules.side_name(owner)).into();
            }
            Some(_) if self.moved.contains(from) => {
                return format!(
                    "the pawn on {from:#} has already moved this turn; a different one must move now"
                )
                .into();
            }
            Some(_) => {}
        }
        if self.must_capture() {
            return must_capture(&moves, usize::MAX);
        }
        let ahead = |columns| from.offset(columns, forward(side)) == Some(to);
        let diagonal = ahead(-1) || ahead(1);
        if !ahead(0) && !diagonal {
            return "a pawn moves one square straight ahead, or diagonally ahead to capture".into();
        }
        match self.owner_at(to) {
            Some(owner) if owner == side => Refusal::new(
                format!("its own pawn stands on {to:#}"),
                format!("your own pawn stands on {to:#}"),
            ),
            Some(_) => format!("{to:#} is occupied, and a pawn only captures diagonally").into(),
            None => {
                debug_assert!(diagonal, "{text} is refused without a reason");
                format!("there is nothing to capture on {to:#}").into()
            }
        }
    }

    /// Which pawns may still move this turn.
    fn note(&self, rules: &RuleBook) -> Option<String> {
        let pawns = self
            .movable_pawns()
            .squares()
            .map(|pawn| format!("{pawn:#}"));
        let pawns: Vec<String> = pawns.collect();
        let mover = rules.side_name(self.side_to_move);
        let must = if self.must_capture() {
            "must capture with"
        } else {
            "may move"
        };
        (!pawns.is_empty()).then(|| format!("{mover} {must} {}", pawns.join(" ")))
    }
}

impl EverChess {
    /// The pawn that has reached its far row.
    fn arrived(&self) -> Option<Square> {
        let arrived = |side| self.pawns(side) & far_row(side);
        (arrived(Side::White) | arrived(Side::Black))
            .squares()
            .next()
    }
}
