//! Why a move is refused, as a value and in words.

use super::attacks::{self, Direction};
use super::movegen::pawn_row;
use super::piece::PieceKind::{self, Pawn};
use super::position::Chess;
use crate::board::{Bitboard, Side, Square};
use crate::explain::{Explain, Refusal};
use crate::notation::parse_squares;
use crate::position::Position;
use crate::rules::RuleBook;

/// Why a move of chess is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChessRefusal {
    /// The text is not two squares.
    NotAMove,
    /// This side is mated.
    Checkmate(Side),
    /// This side has no legal move and is not in check.
    Stalemate(Side),
    /// Nothing stands on the move's first square.
    NoPiece(Square),
    /// The piece on this square is this side's, the opponent's.
    NotYours(Square, Side),
    /// Both squares are the same.
    SameSquare,
    /// The pawn has come to its far row.
    PawnOnFarRow,
    /// A piece of the same side stands on the move's second square.
    OwnPiece(Square),
    /// Pieces of this kind do not move so.
    NotHowItMoves(PieceKind),
    /// A pawn goes two squares only from the row it starts on.
    PawnHasMoved,
    /// A pawn goes diagonally only to capture, and nothing stands on this square.
    NothingToCapture(Square),
    /// The opponent's king stands on the move's second square.
    KingIsNeverCaptured,
    /// A piece stands in between, here.
    PathBlocked(Square),
    /// An opponent's piece stands straight ahead of the pawn, here.
    PawnBlocked(Square),
    /// The mover's king would be, or stay, under attack.
    LeavesKingUnderAttack,
}

impl Refusal for ChessRefusal {
    fn clause(&self, rules: &RuleBook) -> String {
        match *self {
            Self::NotAMove => "that is not a move; a move is two squares, such as e2e4".into(),
            Self::Checkmate(side) => {
                format!(
                    "the game is over: checkmate, {} has lost",
                    rules.side_name(side)
                )
            }
            Self::Stalemate(side) => {
                let stuck = rules.side_name(side);
                format!("the game is over: stalemate, {stuck} has no legal move")
            }
            Self::NoPiece(square) => format!("there is no piece on {square:#}"),
            Self::NotYours(square, owner) => {
                format!("the piece on {square:#} is {}'s", rules.side_name(owner))
            }
            Self::SameSquare => "that ends where it begins".into(),
            Self::PawnOnFarRow => "a pawn on its far row has no move".into(),
            Self::OwnPiece(square) => format!("its own piece is in the way on {square:#}"),
            Self::NotHowItMoves(kind) => format!("that is not how a {} moves", kind.name()),
            Self::PawnHasMoved => "a pawn moves two squares on its first move only".into(),
            Self::NothingToCapture(square) => {
                format!("a pawn moves diagonally only to capture, and {square:#} is empty")
            }
            Self::KingIsNeverCaptured => "a king is never captured".into(),
            Self::PathBlocked(square) => format!("the path is blocked at {square:#}"),
            Self::PawnBlocked(square) => {
                format!("the path is blocked at {square:#}: a pawn captures only diagonally")
            }
            Self::LeavesKingUnderAttack => "that leaves its king under attack".into(),
        }
    }

    fn advice(&self, rules: &RuleBook) -> String {
        match *self {
            Self::NoPiece(square) => format!("no piece there: {square:#} is empty"),
            Self::NotYours(..) => format!("not yours: {}", self.clause(rules)),
            Self::OwnPiece(square) => format!("own piece in the way on {square:#}"),
            Self::PathBlocked(square) => format!("path blocked at {square:#}"),
            Self::PawnBlocked(square) => {
                format!("path blocked at {square:#}: a pawn captures only diagonally")
            }
            Self::LeavesKingUnderAttack => "leaves your king under attack".into(),
            _ => self.clause(rules),
        }
    }
}

impl Explain for Chess {
    type Refusal = ChessRefusal;

    fn refusal(&self, text: &str) -> ChessRefusal {
        let path = parse_squares(text).unwrap_or_default();
        let [from, to] = path[..] else {
            return ChessRefusal::NotAMove;
        };
        let side = self.side_to_move;
        if self.count_moves() == 0 {
            return if self.in_check() {
                ChessRefusal::Checkmate(side)
            } else {
                ChessRefusal::Stalemate(side)
            };
        }
        let piece = match self.piece_at(from) {
            None => return ChessRefusal::NoPiece(from),
            Some(piece) if piece.side != side => return ChessRefusal::NotYours(from, piece.side),
            Some(piece) => piece,
        };
        if from == to {
            return ChessRefusal::SameSquare;
        }
        if piece.kind == Pawn && from.offset(0, forward(side)).is_none() {
            return ChessRefusal::PawnOnFarRow;
        }
        if self.pieces(side).contains(to) {
            return ChessRefusal::OwnPiece(to);
        }
        let refusal = match piece.kind {
            Pawn => self.refuse_pawn(from, to),
            kind => self.refuse_way(kind, from, to),
        };
        debug_assert!(
            refusal.is_some() || !self.moves_from(from).contains(to),
            "{text} is legal"
        );
        refusal.unwrap_or(ChessRefusal::LeavesKingUnderAttack)
    }

    fn note(&self, rules: &RuleBook) -> Option<String> {
        let mover = rules.side_name(self.side_to_move());
        self.in_check().then(|| format!("{mover} is in check"))
    }

    fn describe_no_moves(&self, rules: &RuleBook) -> String {
        let mover = rules.side_name(self.side_to_move());
        let how = if self.in_check() {
            "checkmated"
        } else {
            "stalemated"
        };
        format!("{mover} is {how}")
    }
}

impl Chess {
    /// Why a pawn of the side to move cannot go so, leaving aside the safety of its king.
    fn refuse_pawn(&self, from: Square, to: Square) -> Option<ChessRefusal> {
        let side = self.side_to_move;
        let columns = from.column().abs_diff(to.column());
        let rows = (to.row() as i8 - from.row() as i8) * forward(side);
        let on_way = |rows: i8| from.offset(0, rows * forward(side));
        let blocked = |square: &Square| self.occupied().contains(*square);
        match (columns, rows) {
            (0, 2) if from.row() != pawn_row(side) => Some(ChessRefusal::PawnHasMoved),
            (0, 1 | 2) if to == self.king(side.opponent()) => {
                Some(ChessRefusal::KingIsNeverCaptured)
            }
            (0, 2) if on_way(1).is_some_and(|square| blocked(&square)) => {
                on_way(1).map(ChessRefusal::PathBlocked)
            }
            (0, 1 | 2) => Some(to).filter(blocked).map(ChessRefusal::PawnBlocked),
            (1, 1) => (!blocked(&to)).then_some(ChessRefusal::NothingToCapture(to)),
            _ => Some(ChessRefusal::NotHowItMoves(Pawn)),
        }
    }

    /// Why a piece other than a pawn cannot go so, leaving aside the safety of its king.
    fn refuse_way(&self, kind: PieceKind, from: Square, to: Square) -> Option<ChessRefusal> {
        let side = self.side_to_move;
        let on_empty_board = attacks::of_piece(kind, side, from, Bitboard::EMPTY);
        if !on_empty_board.contains(to) {
            return Some(ChessRefusal::NotHowItMoves(kind));
        }
        if to == self.king(side.opponent()) {
            return Some(ChessRefusal::KingIsNeverCaptured);
        }
        if attacks::of_piece(kind, side, from, self.occupied()).contains(to) {
            return None;
        }
        let mut ways = Direction::ALL.into_iter();
        let way = ways.find(|&way| attacks::ray(way, from).contains(to))?;
        attacks::first_on_ray(way, from, self.occupied()).map(ChessRefusal::PathBlocked)
    }
}

/// How the rows of `side`'s pawns change.
const fn forward(side: Side) -> i8 {
    match side {
        Side::Black => -1,
        Side::White => 1,
    }
}
