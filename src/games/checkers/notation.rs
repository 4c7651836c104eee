//! Rows, names of moves, and why a move is refused.

use super::layout::is_playing_square;
use super::moves::CheckersMove;
use super::position::{Checkers, Piece};
use super::rules;
use crate::board::{Side, Square};
use crate::notation::{Notation, PositionError, Rows};
use crate::position::Position;
use crate::rules::RuleBook;

/// An empty square in rows, also one never used (statement of the contest).
const EMPTY: u8 = b'.';

impl Notation for Checkers {
    const NAME: &'static str = "checkers";
    const RULE_BOOKS: &'static [RuleBook] = &[rules::CONTEST, rules::CLASSROOM];

    /// `b` and `r` (statement of the contest).
    fn side_letter(side: Side) -> char {
        match side {
            Side::Black => 'b',
            Side::White => 'r',
        }
    }

    /// `b` and `r` are men, `B` and `R` kings, `.` is empty (statement of the contest).
    fn rows(&self) -> Rows {
        let mut rows = Rows::filled(EMPTY);
        for square in Square::all() {
            if let Some(piece) = self.piece_at(square) {
                rows.put(square, piece_letter(piece));
            }
        }
        rows
    }

    /// Discs: ⛂ and ⛃ for black's men and kings, ⛀ and ⛁ for red's.
    fn symbol(letter: u8) -> Option<(Side, char)> {
        let Piece { side, king } = piece_of_letter(letter)?;
        let symbol = match (side, king) {
            (Side::Black, false) => '⛂',
            (Side::Black, true) => '⛃',
            (Side::White, false) => '⛀',
            (Side::White, true) => '⛁',
        };
        Some((side, symbol))
    }

    /// The squares of A1's colour.
    fn is_playing_square(square: Square) -> bool {
        is_playing_square(square)
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Checkers, PositionError> {
        let mut pieces = Vec::with_capacity(24);
        for square in Square::all() {
            let letter = rows.at(square);
            match piece_of_letter(letter) {
                Some(piece) => pieces.push((square, piece)),
                None if letter == EMPTY => {}
                None => {
                    return Err(PositionError::new(format!(
                        "{:?} on {square}; expected one of . b B r R",
                        char::from(letter)
                    )));
                }
            }
        }
        Checkers::from_pieces(pieces, side_to_move)
    }

    fn move_name(&self, mv: CheckersMove) -> String {
        mv.to_string()
    }

    fn move_squares(&self, mv: CheckersMove) -> Vec<Square> {
        mv.squares().collect()
    }

    fn refusal(&self, text: &str, rules: &RuleBook) -> String {
        let Some(path) = parse_path(text) else {
            return "that is not a move; a move is the squares it visits, such as A3B4 or A3C5A7"
                .into();
        };
        self.refuse_path(&path, rules)
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

    fn advice(&self, text: &str, rules: &RuleBook) -> String {
        let clause = self.refusal(text, rules);
        match clause.strip_prefix("it must ") {
            Some(rest) => format!("you must {rest}"),
            None => clause,
        }
    }
}

impl Checkers {
    fn refuse_path(&self, path: &[Square], rules: &RuleBook) -> String {
        let (from, to) = (path[0], path[1]);
        if let Some(light) = path.iter().find(|&&square| !is_playing_square(square)) {
            return format!("no piece ever stands on {light}");
        }
        let piece = match self.piece_at(from) {
            None => return format!("there is no piece on {from}"),
            Some(piece) if piece.side != self.side_to_move => {
                let owner = rules.side_name(piece.side);
                return format!("the piece on {from} is {owner}'s");
            }
            Some(piece) => piece,
        };
        let moves = self.legal_moves();
        if moves.is_empty() {
            return "it has no legal move".into();
        }
        // The piece began a jump that goes on, or ended one it could not make.
        let begun: Vec<CheckersMove> = moves
            .iter()
            .copied()
            .filter(|mv| mv.is_jump() && mv.squares().zip(path).all(|(a, &b)| a == b))
            .filter(|mv| mv.squares().count() > path.len())
            .collect();
        if !begun.is_empty() {
            return format!("that jump must go on: {}", either(&begun));
        }
        if self.must_capture() {
            return format!("it must capture: {}", either(&moves));
        }
        let columns = to.column() as i8 - from.column() as i8;
        let rows = to.row() as i8 - from.row() as i8;
        let forward = if piece.side == Side::Black {
            rows > 0
        } else {
            rows < 0
        };
        if path.len() > 2 || columns.abs() == 2 && rows.abs() == 2 {
            return "there is nothing to capture that way".into();
        }
        if columns.abs() != 1 || rows.abs() != 1 {
            return format!("{to} is not one step along a diagonal from {from}");
        }
        if self.piece_at(to).is_some() {
            return format!("{to} is occupied");
        }
        debug_assert!(
            !piece.king && !forward,
            "{path:?} is refused without a reason"
        );
        format!("the man on {from} is no king and only moves forward")
    }
}

/// The squares that a move's name is made of, two or more.
fn parse_path(text: &str) -> Option<Vec<Square>> {
    let pairs = text.as_bytes().chunks(2);
    let path: Option<Vec<Square>> = pairs
        .map(|pair| std::str::from_utf8(pair).ok()?.parse().ok())
        .collect();
    path.filter(|path| path.len() >= 2)
}

/// "A5C3", "A5C3 or E5C3", "A5C3, E5C3 or G5E3"; the first few of many.
fn either(moves: &[CheckersMove]) -> String {
    const SHOWN: usize = 6;
    let names: Vec<String> = moves
        .iter()
        .take(SHOWN)
        .map(CheckersMove::to_string)
        .collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            let more = if moves.len() > SHOWN {
                ", among others"
            } else {
                ""
            };
            format!("{} or {last}{more}", rest.join(", "))
        }
        Some((only, _)) => only.clone(),
        None => String::new(),
    }
}

fn piece_letter(piece: Piece) -> u8 {
    match (piece.side, piece.king) {
        (Side::Black, false) => b'b',
        (Side::Black, true) => b'B',
        (Side::White, false) => b'r',
        (Side::White, true) => b'R',
    }
}

fn piece_of_letter(letter: u8) -> Option<Piece> {
    let (side, king) = match letter {
        b'b' => (Side::Black, false),
        b'B' => (Side::Black, true),
        b'r' => (Side::White, false),
        b'R' => (Side::White, true),
        _ => return None,
    };
    Some(Piece { side, king })
}

impl std::fmt::Debug for Checkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} to move{:?}", self.side_to_move, self.rows())
    }
}
