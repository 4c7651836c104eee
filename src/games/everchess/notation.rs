//! Rows and names of moves.

use super::position::EverChess;
use super::rules;
use crate::board::{Cell, CoordinateMove, Side, Square};
use crate::notation::{Notation, PositionError, Rows};
use crate::rules::RuleBook;

/// By [`Side::index`]: a pawn, and one that has moved this turn.
const LETTERS: [[u8; 2]; 2] = [*b"pm", *b"PM"];

impl Notation for EverChess {
    const NAME: &'static str = "everchess";
    const ABOUT: &'static str = "Eight pawns a side";
    const RULE_BOOKS: &'static [RuleBook] = &[rules::STANDARD];

    /// `P` and `p` are the pawns of white and of black, `M` and `m` those that have moved this turn, `.`
    /// is empty.
    fn rows(&self) -> Rows {
        let letter = |square| {
            let of_side = LETTERS[self.owner_at(square)?.index()];
            Some((square, of_side[usize::from(self.moved.contains(square))]))
        };
        Square::all().filter_map(letter).collect()
    }

    /// ♟ and ♙, also for a pawn that has moved this turn.
    fn symbol(letter: u8) -> Option<(Side, char)> {
        let (side, _) = pawn_of_letter(letter)?;
        Some((side, ['♟', '♙'][side.index()]))
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<EverChess, PositionError> {
        let pieces = rows.pieces(pawn_of_letter, "P p M m", Self::square_name)?;
        let of = |wanted| {
            let own = pieces.iter().filter(move |(_, (side, _))| *side == wanted);
            own.map(|&(square, _)| square).collect()
        };
        let moved = pieces.iter().filter(|(_, (_, moved))| *moved);
        let moved = moved.map(|&(square, _)| square).collect();
        EverChess::from_pawns(Side::BOTH.map(of), moved, side_to_move)
    }

    fn move_name(&self, mv: CoordinateMove) -> String {
        mv.to_string()
    }

    fn move_squares(&self, mv: CoordinateMove) -> Vec<Cell> {
        vec![mv.from.into(), mv.to.into()]
    }

    /// In lower case.
    fn square_name(square: Cell) -> String {
        format!("{square:#}")
    }
}

/// Whose pawn a letter stands for, and whether it has moved this turn.
fn pawn_of_letter(letter: u8) -> Option<(Side, bool)> {
    Side::BOTH.into_iter().find_map(|side| {
        let place = LETTERS[side.index()]
            .iter()
            .position(|&one| one == letter)?;
        Some((side, place == 1))
    })
}

impl std::fmt::Debug for EverChess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} to move{:?}", self.side_to_move, self.rows())
    }
}
