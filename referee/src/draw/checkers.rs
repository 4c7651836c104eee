//! Discs: ⛂ and ⛃ for black's men and kings, ⛀ and ⛁ for red's.

use super::{Drawing, Drawn, style_of};
use anstyle::Style;
use crownhead::board::{Side, Square};
use crownhead::games::checkers::Checkers;

impl Drawn for Checkers {
    fn symbol(letter: u8, drawing: Drawing) -> (char, Style) {
        let side = if letter.eq_ignore_ascii_case(&b'b') {
            Side::Black
        } else {
            Side::White
        };
        let symbol = match (drawing, letter) {
            (Drawing::Unicode, b'b') => '⛂',
            (Drawing::Unicode, b'B') => '⛃',
            (Drawing::Unicode, b'r') => '⛀',
            (Drawing::Unicode, b'R') => '⛁',
            (_, letter) => char::from(letter),
        };
        (symbol, style_of(side))
    }

    /// The squares of A1's colour.
    fn is_used(square: Square) -> bool {
        (square.column() + square.row()).is_multiple_of(2)
    }
}
