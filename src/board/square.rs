//! One of the 64 squares, by column and row, and a move from one to another.

use super::Cell;
use std::fmt;
use std::str::FromStr;

/// A square of the 8x8 board: `A1` to `H8`.
///
/// Columns are letters from the left, rows are numbers from the bottom. The index runs along the rows:
///
/// ```text
/// 8  56 57 58 59 60 61 62 63
/// 7  48 49 50 51 52 53 54 55
/// 6  40 41 42 43 44 45 46 47
/// 5  32 33 34 35 36 37 38 39
/// 4  24 25 26 27 28 29 30 31
/// 3  16 17 18 19 20 21 22 23
/// 2   8  9 10 11 12 13 14 15
/// 1   0  1  2  3  4  5  6  7
///     A  B  C  D  E  F  G  H
/// ```
///
/// ```
/// use crownhead::board::Square;
///
/// let square: Square = "c5".parse().unwrap();
/// assert_eq!((square.column(), square.row(), square.index()), (2, 4, 34));
/// assert_eq!(square.to_string(), "C5");
/// assert_eq!(format!("{square:#}"), "c5", "the alternate form is in lower case");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square in `column` and `row`, both counted from 0: `new(0, 0)` is A1.
    ///
    /// # Panics
    /// When either is above 7.
    pub const fn new(column: u8, row: u8) -> Square {
        assert!(column < 8 && row < 8, "a board has 8 columns and 8 rows");
        Square(row * 8 + column)
    }

    /// The square of an index from 0 (A1) to 63 (H8).
    ///
    /// # Panics
    /// When `index` is above 63.
    pub const fn from_index(index: u8) -> Square {
        assert!(index < 64, "a board has 64 squares");
        Square(index)
    }

    /// All squares, A1, B1, … H8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// 0 (A1) to 63 (H8).
    pub const fn index(self) -> u8 {
        self.0
    }

    /// 0 (column A) to 7 (column H).
    pub const fn column(self) -> u8 {
        self.0 % 8
    }

    /// 0 (row 1) to 7 (row 8).
    pub const fn row(self) -> u8 {
        self.0 / 8
    }

    /// The square this many columns to the right and rows up, if it is on the board.
    pub const fn offset(self, columns: i8, rows: i8) -> Option<Square> {
        let column = self.column().checked_add_signed(columns);
        match (column, self.row().checked_add_signed(rows)) {
            (Some(column @ 0..8), Some(row @ 0..8)) => Some(Square::new(column, row)),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Cell::from(*self), f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A piece's way from one square to another.
///
/// ```
/// use crownhead::board::{CoordinateMove, Square};
///
/// let mv = CoordinateMove { from: Square::new(4, 1), to: Square::new(4, 3) };
/// assert_eq!(mv.to_string(), "e2e4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CoordinateMove {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for CoordinateMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}{:#}", self.from, self.to)
    }
}

impl fmt::Debug for CoordinateMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square: a letter and a number, in either case, up to H8 on a board of 8 by 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square of the board is a letter and a number, such as C5")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        text.parse::<Cell>()?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::Square;

    #[test]
    fn every_square_reads_back_from_its_name_in_either_case() {
        for square in Square::all() {
            let name = square.to_string();
            assert_eq!(name.parse(), Ok(square));
            assert_eq!(name.to_lowercase().parse(), Ok(square));
        }
    }

    #[test]
    fn text_that_is_no_square_is_refused() {
        for text in ["", "A", "A0", "A9", "I1", "1A", "A12", "Ä1", " A1"] {
            assert!(text.parse::<Square>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        let a1 = Square::new(0, 0);
        assert_eq!(a1.offset(2, 2), Some(Square::new(2, 2)));
        assert_eq!(a1.offset(-1, 0), None);
        assert_eq!(Square::new(7, 7).offset(0, 1), None);
    }
}
