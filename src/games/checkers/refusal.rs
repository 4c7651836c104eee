//! Why a move is refused.

use super::layout::is_playing_square;
use super::moves::CheckersMove;
use super::position::Checkers;
use crate::board::Square;
use crate::explain::{either, must_capture, Explain, Refusal};
use crate::notation::parse_squares;
use crate::position::Position;
use crate::rules::RuleBook;

/// Moves that a sentence names at most: a position can offer dozens of jumps.
const NAMED: usize = 6;

impl Explain for Checkers {
    fn refusal(&self, text: &str, rules: &RuleBook) -> Refusal {
        let path = parse_squares(text).unwrap_or_default();
        let [from, to, ..] = path[..] else {
            return "that is not a move; a move is the squares it visits, such as A3B4 or A3C5A7"
                .into();
        };
        if let Some(square) = path.iter().find(|&&square| !is_playing_square(square)) {
            return format!("no piece ever stands on {square}").into();
        }
        let Some(piece) = self.piece_at(from) else {
            return format!("there is no piece on {from}").into();
        };
        if piece.side != self.side_to_move {
            return format!("the piece on {from} is {}'s", rules.side_name(piece.side)).into();
        }
        let moves = self.legal_moves();
        if moves.is_empty() {
            return Refusal::new("it has no legal move", "you have no legal move");
        }
        let longer = jumps_beyond(&moves, &path);
        if !longer.is_empty() {
            return format!("that jump must go on: {}", either(&longer, NAMED)).into();
        }
        if self.must_capture() {
            return must_capture(&moves, NAMED);
        }
        let columns = to.column().abs_diff(from.column());
        let rows = to.row().abs_diff(from.row());
        let sentence = match (path.len(), columns, rows) {
            (3.., _, _) | (_, 2, 2) => "there is nothing to capture that way".into(),
            (_, 1, 1) if self.piece_at(to).is_some() => format!("{to} is occupied"),
            (_, 1, 1) => {
                debug_assert!(!piece.king, "{text} is refused without a reason");
                format!("the man on {from} is no king and only moves forward")
            }
            _ => format!("{to} is not one step along a diagonal from {from}"),
        };
        sentence.into()
    }

    fn note(&self, rules: &RuleBook) -> Option<String> {
        let mover = rules.side_name(self.side_to_move);
        self.must_capture().then(|| format!("{mover} must capture"))
    }

    fn describe_no_moves(&self, rules: &RuleBook) -> String {
        let mover = rules.side_name(self.side_to_move);
        let lacks = if self.pieces[self.side_to_move.index()] == 0 {
            "pieces left"
        } else {
            "legal move"
        };
        format!("{mover} has no {lacks}")
    }
}

/// The jumps among `moves` that begin with `path` and go on.
fn jumps_beyond(moves: &[CheckersMove], path: &[Square]) -> Vec<CheckersMove> {
    let goes_on = |mv: &CheckersMove| {
        let squares: Vec<Square> = mv.squares().collect();
        mv.is_jump() && squares.len() > path.len() && squares.starts_with(path)
    };
    moves.iter().copied().filter(goes_on).collect()
}
