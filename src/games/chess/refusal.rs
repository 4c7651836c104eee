//! Why a move is refused.

use super::attacks::{self, Direction};
use super::movegen::pawn_row;
use super::piece::PieceKind::{self, Pawn};
use super::position::Chess;
use crate::board::{Bitboard, Side, Square};
use crate::explain::{Explain, Refusal};
use crate::notation::parse_squares;
use crate::position::Position;
use crate::rules::RuleBook;

impl Explain for Chess {
    fn refusal(&self, text: &str, rules: &RuleBook) -> Refusal {
        let path = parse_squares(text).unwrap_or_default();
        let [from, to] = path[..] else {
            return "that is not a move; a move is two squares, such as e2e4".into();
        };
        let side = self.side_to_move;
        if self.count_moves() == 0 {
            let mover = rules.side_name(side);
            return match self.in_check() {
                true => format!("the game is over: checkmate, {mover} has lost").into(),
                false => format!("the game is over: stalemate, {mover} has no legal move").into(),
            };
        }
        let Some(piece) = self.piece_at(from) else {
            return Refusal::new(
                format!("there is no piece on {from:#}"),
                format!("no piece there: {from:#} is empty"),
            );
        };
        if piece.side != side {
            let clause = format!("the piece on {from:#} is {}'s", rules.side_name(piece.side));
            return Refusal::new(&*clause, format!("not yours: {clause}"));
        }
        if from == to {
            return "that ends where it begins".into();
        }
        if piece.kind == Pawn && from.offset(0, forward(side)).is_none() {
            return "a pawn on its far row has no move".into();
        }
        if self.pieces(side).contains(to) {
            return Refusal::new(
                format!("its own piece is in the way on {to:#}"),
                format!("own piece in the way on {to:#}"),
            );
        }
        let refusal = match piece.kind {
            Pawn => self.refuse_pawn(from, to),
            kind => self.refuse_way(kind, from, to),
        };
        debug_assert!(
            refusal.is_some() || !self.moves_from(from).contains(to),
            "{text} is legal"
        );
        refusal.unwrap_or_else(|| {
            Refusal::new(
                "that leaves its king under attack",
                "leaves your king under attack",
            )
        })
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
    fn refuse_pawn(&self, from: Square, to: Square) -> Option<Refusal> {
        let side = self.side_to_move;
        let columns = from.column().abs_diff(to.column());
        let rows = (to.row() as i8 - from.row() as i8) * forward(side);
        let is_occupied = |square: &Square| self.occupied().contains(*square);
        let ahead = from.offset(0, forward(side)).filter(is_occupied);
        match (columns, rows) {
            (0, 2) if from.row() != pawn_row(side) => {
                Some("a pawn moves two squares on its first move only".into())
            }
            (0, 1 | 2) if to == self.king(side.opponent()) => Some(KING_IS_NEVER_CAPTURED.into()),
            (0, 2) if ahead.is_some() => ahead.map(|square| blocked(square, "")),
            (0, 1 | 2) => {
                is_occupied(&to).then(|| blocked(to, ": a pawn captures only diagonally"))
            }
            (1, 1) => (!is_occupied(&to)).then(|| {
                format!("a pawn moves diagonally only to capture, and {to:#} is empty").into()
            }),
            _ => Some(not_how_it_moves(Pawn)),
        }
    }

    /// Why a piece other than a pawn cannot go so, leaving aside the safety of its king.
    fn refuse_way(&self, kind: PieceKind, from: Square, to: Square) -> Option<Refusal> {
        let side = self.side_to_move;
        let on_empty_board = attacks::of_piece(kind, side, from, Bitboard::EMPTY);
        if !on_empty_board.contains(to) {
            return Some(not_how_it_moves(kind));
        }
        if to == self.king(side.opponent()) {
            return Some(KING_IS_NEVER_CAPTURED.into());
        }
        if attacks::of_piece(kind, side, from, self.occupied()).contains(to) {
            return None;
        }
        let mut ways = Direction::ALL.into_iter();
        let way = ways.find(|&way| attacks::ray(way, from).contains(to))?;
        let first = attacks::first_on_ray(way, from, self.occupied());
        first.map(|square| blocked(square, ""))
    }
}

const KING_IS_NEVER_CAPTURED: &str = "a king is never captured";

fn not_how_it_moves(kind: PieceKind) -> Refusal {
    format!("that is not how a {} moves", kind.name()).into()
}

/// A piece stands in the way, and what follows from that.
fn blocked(square: Square, hence: &str) -> Refusal {
    Refusal::new(
        format!("the path is blocked at {square:#}{hence}"),
        format!("path blocked at {square:#}{hence}"),
    )
}

/// How the rows of `side`'s pawns change.
const fn forward(side: Side) -> i8 {
    match side {
        Side::Black => -1,
        Side::White => 1,
    }
}
