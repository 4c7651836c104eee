//! Why a move is refused, as a value and in words.

use super::moves::{square_name, EverChessMove};
use super::position::{far_row, forward, EverChess};
use crate::board::{Side, Square};
use crate::position::Position;
use crate::rules::RuleBook;

/// Why a move is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
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
    /// The pawn on this square has moved this turn, and rests until the next.
    HasMoved(Square),
    /// These captures are there, and one of them must be made.
    MustCapture(Vec<EverChessMove>),
    /// The square ahead is taken, and a pawn only captures diagonally.
    Occupied(Square),
    /// A pawn goes diagonally only to capture, and nothing stands on this square.
    NothingToCapture(Square),
    /// The move's second square holds a pawn of the same side.
    OwnPawn(Square),
    /// The pawn does not move so.
    NotHowAPawnMoves,
}

impl Refusal {
    /// A clause about the mover that completes "white answered \`e2e3\` but …".
    pub fn clause(&self, rules: &RuleBook) -> String {
        match self {
            Refusal::NotAMove => "that is not a move; a move is two squares, such as e2e3".into(),
            Refusal::GameOver(square) => {
                format!(
                    "the game is over: a pawn has reached {}",
                    square_name(*square)
                )
            }
            Refusal::NoMoves => "it has no legal move".into(),
            Refusal::NoPawn(square) => format!("there is no pawn on {}", square_name(*square)),
            Refusal::NotYours(square, owner) => {
                let owner = rules.side_name(*owner);
                format!("the pawn on {} is {owner}'s", square_name(*square))
            }
            Refusal::HasMoved(square) => format!(
                "the pawn on {} has already moved this turn; a different one must move now",
                square_name(*square)
            ),
            Refusal::MustCapture(moves) => format!("it must capture: {}", either(moves)),
            Refusal::Occupied(square) => format!(
                "{} is occupied, and a pawn only captures diagonally",
                square_name(*square)
            ),
            Refusal::NothingToCapture(square) => {
                format!("there is nothing to capture on {}", square_name(*square))
            }
            Refusal::OwnPawn(square) => {
                format!("its own pawn stands on {}", square_name(*square))
            }
            Refusal::NotHowAPawnMoves => {
                "a pawn moves one square straight ahead, or diagonally ahead to capture".into()
            }
        }
    }

    /// The same, said to the mover: "you must capture: e4d5 or e4f5".
    pub fn to_mover(&self, rules: &RuleBook) -> String {
        match self {
            Refusal::NoMoves => "you have no legal move".into(),
            Refusal::MustCapture(moves) => format!("you must capture: {}", either(moves)),
            Refusal::OwnPawn(square) => {
                format!("your own pawn stands on {}", square_name(*square))
            }
            _ => self.clause(rules),
        }
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

    /// Why `text` is no legal move here. To be asked only of text that names none.
    pub fn why_refused(&self, text: &str) -> Refusal {
        let Some((from, to)) = parse_squares(text) else {
            return Refusal::NotAMove;
        };
        let side = self.side_to_move;
        if let Some(square) = self.arrived() {
            return Refusal::GameOver(square);
        }
        let moves = self.legal_moves();
        if moves.is_empty() {
            return Refusal::NoMoves;
        }
        match self.owner_at(from) {
            None => return Refusal::NoPawn(from),
            Some(owner) if owner != side => return Refusal::NotYours(from, owner),
            Some(_) if self.moved.contains(from) => return Refusal::HasMoved(from),
            Some(_) => {}
        }
        if self.must_capture() {
            return Refusal::MustCapture(moves);
        }
        let ahead = |columns| from.offset(columns, forward(side)) == Some(to);
        let diagonal = ahead(-1) || ahead(1);
        if !ahead(0) && !diagonal {
            return Refusal::NotHowAPawnMoves;
        }
        match self.owner_at(to) {
            Some(owner) if owner == side => Refusal::OwnPawn(to),
            Some(_) => Refusal::Occupied(to),
            None => {
                debug_assert!(diagonal, "{text} is refused without a reason");
                Refusal::NothingToCapture(to)
            }
        }
    }
}

/// The two squares that a move's name is made of.
fn parse_squares(text: &str) -> Option<(Square, Square)> {
    let (from, to) = text.split_at_checked(2)?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// "e4d5", "e4d5 or e4f5", "a4b5, e4d5 or e4f5". There are never more than sixteen.
fn either(moves: &[EverChessMove]) -> String {
    let names: Vec<String> = moves.iter().map(EverChessMove::to_string).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
