//! Why a move is refused, as a value and in words.

use super::position::{far_row, forward, EverChess};
use crate::board::{CoordinateMove, Side, Square};
use crate::explain::{either, Explain, Refusal};
use crate::notation::parse_squares;
use crate::position::Position;
use crate::rules::RuleBook;

/// Why a move of EverChess is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EverChessRefusal {
    /// The text is not two squares.
    NotAMove,
    /// A pawn has reached its far row, here.
    GameOver(Square),
    /// The side to move has no legal move: it has lost.
    NoMoves,
    /// No pawn stands on the move's first square.
    NoPawn(Square),
    /// The pawn on this square is this side's, the opponent's.
    NotYours(Square, Side),
    /// The pawn on this square has moved this turn, and may not move again before the next.
    HasMoved(Square),
    /// These captures are there, and one of them must be made.
    MustCapture(Vec<CoordinateMove>),
    /// The square ahead is taken, and a pawn only captures diagonally.
    Occupied(Square),
    /// A pawn goes diagonally only to capture, and nothing stands on this square.
    NothingToCapture(Square),
    /// The move's second square holds a pawn of the same side.
    OwnPawn(Square),
    /// The pawn does not move so.
    NotHowAPawnMoves,
}

impl Refusal for EverChessRefusal {
    fn clause(&self, rules: &RuleBook) -> String {
        match self {
            Self::NotAMove => "that is not a move; a move is two squares, such as e2e3".into(),
            Self::GameOver(square) => format!("the game is over: a pawn has reached {square:#}"),
            Self::NoMoves => "it has no legal move".into(),
            Self::NoPawn(square) => format!("there is no pawn on {square:#}"),
            Self::NotYours(square, owner) => {
                format!("the pawn on {square:#} is {}'s", rules.side_name(*owner))
            }
            Self::HasMoved(square) => format!(
                "the pawn on {square:#} has already moved this turn; a different one must move now"
            ),
            Self::MustCapture(moves) => format!("it must capture: {}", either(moves, usize::MAX)),
            Self::Occupied(square) => {
                format!("{square:#} is occupied, and a pawn only captures diagonally")
            }
            Self::NothingToCapture(square) => {
                format!("there is nothing to capture on {square:#}")
            }
            Self::OwnPawn(square) => format!("its own pawn stands on {square:#}"),
            Self::NotHowAPawnMoves => {
                "a pawn moves one square straight ahead, or diagonally ahead to capture".into()
            }
        }
    }

    fn advice(&self, rules: &RuleBook) -> String {
        match self {
            Self::NoMoves => "you have no legal move".into(),
            Self::MustCapture(moves) => format!("you must capture: {}", either(moves, usize::MAX)),
            Self::OwnPawn(square) => format!("your own pawn stands on {square:#}"),
            _ => self.clause(rules),
        }
    }
}

impl Explain for EverChess {
    type Refusal = EverChessRefusal;

    fn refusal(&self, text: &str) -> EverChessRefusal {
        let path = parse_squares(text).unwrap_or_default();
        let [from, to] = path[..] else {
            return EverChessRefusal::NotAMove;
        };
        let side = self.side_to_move;
        if let Some(square) = self.arrived() {
            return EverChessRefusal::GameOver(square);
        }
        let moves = self.legal_moves();
        if moves.is_empty() {
            return EverChessRefusal::NoMoves;
        }
        match self.owner_at(from) {
            None => return EverChessRefusal::NoPawn(from),
            Some(owner) if owner != side => return EverChessRefusal::NotYours(from, owner),
            Some(_) if self.moved.contains(from) => return EverChessRefusal::HasMoved(from),
            Some(_) => {}
        }
        if self.must_capture() {
            return EverChessRefusal::MustCapture(moves);
        }
        let ahead = |columns| from.offset(columns, forward(side)) == Some(to);
        let diagonal = ahead(-1) || ahead(1);
        if !ahead(0) && !diagonal {
            return EverChessRefusal::NotHowAPawnMoves;
        }
        match self.owner_at(to) {
            Some(owner) if owner == side => EverChessRefusal::OwnPawn(to),
            Some(_) => EverChessRefusal::Occupied(to),
            None => {
                debug_assert!(diagonal, "{text} is refused without a reason");
                EverChessRefusal::NothingToCapture(to)
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
