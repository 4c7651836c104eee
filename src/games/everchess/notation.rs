//! Rows and names of moves.

use super::moves::{square_name, EverChessMove};
use super::position::EverChess;
use super::rules;
use crate::board::{Bitboard, Side, Square};
use crate::notation::{Notation, PositionError, Rows};
use crate::rules::RuleBook;

/// An empty square in rows.
const EMPTY: u8 = b'.';

impl Notation for EverChess {
    const NAME: &'static str = "everchess";
    const RULE_BOOKS: &'static [RuleBook] = &[rules::STANDARD];

    /// `b` and `w`.
    fn side_letter(side: Side) -> char {
        match side {
            Side::Black => 'b',
            Side::White => 'w',
        }
    }

    /// `P` and `p` are the pawns of white and of black, `M` and `m` those that have moved this turn, `.`
    /// is empty.
    fn rows(&self) -> Rows {
        let mut rows = Rows::filled(EMPTY);
        for side in Side::BOTH {
            for square in self.pawns(side).squares() {
                let moved = self.moved.contains(square);
                let letter = if moved { b'm' } else { b'p' };
                let letter = match side {
                    Side::Black => letter,
                    Side::White => letter.to_ascii_uppercase(),
                };
                rows.put(square, letter);
            }
        }
        rows
    }

    /// The letters themselves: Unicode has no second look for a pawn that has moved this turn.
    fn symbol(letter: u8) -> Option<(Side, char)> {
        match letter {
            b'P' | b'M' => Some((Side::White, char::from(letter))),
            b'p' | b'm' => Some((Side::Black, char::from(letter))),
            _ => None,
        }
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<EverChess, PositionError> {
        let mut pawns = [Bitboard::EMPTY; 2];
        let mut moved = Bitboard::EMPTY;
        for square in Square::all() {
            let side = match rows.at(square) {
                EMPTY => continue,
                b'p' | b'm' => Side::Black,
                b'P' | b'M' => Side::White,
                letter => {
                    return Err(PositionError::new(format!(
                        "{:?} on {}; expected one of . P p M m",
                        char::from(letter),
                        square_name(square)
                    )));
                }
            };
            pawns[side.index()] = pawns[side.index()].with(square);
            if matches!(rows.at(square), b'm' | b'M') {
                moved = moved.with(square);
            }
        }
        EverChess::from_pawns(pawns, moved, side_to_move)
    }

    fn move_name(&self, mv: EverChessMove) -> String {
        mv.to_string()
    }

    fn move_squares(&self, mv: EverChessMove) -> Vec<Square> {
        vec![mv.from, mv.to]
    }

    /// In lower case.
    fn square_name(square: Square) -> String {
        square_name(square)
    }

    fn refusal(&self, text: &str, rules: &RuleBook) -> String {
        self.why_refused(text).clause(rules)
    }

    /// Which pawns may still move this turn.
    fn note(&self, rules: &RuleBook) -> Option<String> {
        let pawns: Vec<String> = self.movable_pawns().squares().map(square_name).collect();
        let mover = rules.side_name(self.side_to_move);
        let must = if self.must_capture() {
            "must capture with"
        } else {
            "may move"
        };
        (!pawns.is_empty()).then(|| format!("{mover} {must} {}", pawns.join(" ")))
    }

    fn advice(&self, text: &str, rules: &RuleBook) -> String {
        self.why_refused(text).to_mover(rules)
    }
}

impl std::fmt::Debug for EverChess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} to move{:?}", self.side_to_move, self.rows())
    }
}
