//! Why a move is refused, as a value and in words.

use super::layout::{bit_of, is_playing_square};
use super::moves::CheckersMove;
use super::position::Checkers;
use crate::board::{Side, Square};
use crate::explain::{either, Explain, Refusal};
use crate::notation::parse_squares;
use crate::position::Position;
use crate::rules::RuleBook;

/// Why a move of checkers is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckersRefusal {
    /// The text is not two squares or more.
    NotAMove,
    /// The move touches this square, which has not A1's colour.
    NotAPlayingSquare(Square),
    /// Nothing stands on the move's first square.
    NoPiece(Square),
    /// The piece on this square is this side's, the opponent's.
    NotYours(Square, Side),
    /// The side to move has no legal move.
    NoMoves,
    /// The jump stops too early: these go on.
    JumpGoesOn(Vec<CheckersMove>),
    /// These captures are there, and one of them must be made.
    MustCapture(Vec<CheckersMove>),
    /// The move goes like a jump, but there is nothing to jump over.
    NothingToCapture,
    /// The second square is no diagonal neighbour of the first.
    NotOneStep {
        /// Where the piece stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// The move's second square is taken.
    Occupied(Square),
    /// The piece on this square is a man, and men do not go back.
    ManGoesBack(Square),
}

/// Moves that a sentence names at most: a position can offer dozens of jumps.
const NAMED: usize = 6;

impl Refusal for CheckersRefusal {
    fn clause(&self, rules: &RuleBook) -> String {
        match self {
            Self::NotAMove => {
                "that is not a move; a move is the squares it visits, such as A3B4 or A3C5A7".into()
            }
            Self::NotAPlayingSquare(square) => format!("no piece ever stands on {square}"),
            Self::NoPiece(square) => format!("there is no piece on {square}"),
            Self::NotYours(square, owner) => {
                format!("the piece on {square} is {}'s", rules.side_name(*owner))
            }
            Self::NoMoves => "it has no legal move".into(),
            Self::JumpGoesOn(moves) => format!("that jump must go on: {}", either(moves, NAMED)),
            Self::MustCapture(moves) => format!("it must capture: {}", either(moves, NAMED)),
            Self::NothingToCapture => "there is nothing to capture that way".into(),
            Self::NotOneStep { from, to } => {
                format!("{to} is not one step along a diagonal from {from}")
            }
            Self::Occupied(square) => format!("{square} is occupied"),
            Self::ManGoesBack(square) => {
                format!("the man on {square} is no king and only moves forward")
            }
        }
    }

    fn advice(&self, rules: &RuleBook) -> String {
        match self {
            Self::NoMoves => "you have no legal move".into(),
            Self::MustCapture(moves) => format!("you must capture: {}", either(moves, NAMED)),
            _ => self.clause(rules),
        }
    }
}

impl Explain for Checkers {
    type Refusal = CheckersRefusal;

    fn refusal(&self, text: &str) -> CheckersRefusal {
        let path = parse_squares(text).unwrap_or_default();
        let [from, to, ..] = path[..] else {
            return CheckersRefusal::NotAMove;
        };
        if let Some(&square) = path.iter().find(|&&square| !is_playing_square(square)) {
            return CheckersRefusal::NotAPlayingSquare(square);
        }
        match self.piece_at(from) {
            None => return CheckersRefusal::NoPiece(from),
            Some(piece) if piece.side != self.side_to_move => {
                return CheckersRefusal::NotYours(from, piece.side);
            }
            Some(_) => {}
        }
        let moves = self.legal_moves();
        if moves.is_empty() {
            return CheckersRefusal::NoMoves;
        }
        let longer = jumps_beyond(&moves, &path);
        if !longer.is_empty() {
            return CheckersRefusal::JumpGoesOn(longer);
        }
        if self.must_capture() {
            return CheckersRefusal::MustCapture(moves);
        }
        let columns = to.column().abs_diff(from.column());
        let rows = to.row().abs_diff(from.row());
        match (path.len(), columns, rows) {
            (3.., _, _) | (_, 2, 2) => CheckersRefusal::NothingToCapture,
            (_, 1, 1) if self.piece_at(to).is_some() => CheckersRefusal::Occupied(to),
            (_, 1, 1) => {
                let king = self.kings & 1 << bit_of(from) != 0;
                debug_assert!(!king, "{text} is refused without a reason");
                CheckersRefusal::ManGoesBack(from)
            }
            _ => CheckersRefusal::NotOneStep { from, to },
        }
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
