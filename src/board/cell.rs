//! A square of a board of any size, and such a size.

use super::{ParseSquareError, Square};
use std::fmt;
use std::str::FromStr;

/// A square of a board of any size, by column and row. Text speaks of cells; a [`Square`] is one of 64, which sets of
/// squares are made of.
///
/// ```
/// use crownhead::board::Cell;
///
/// let cell: Cell = "k12".parse().unwrap();
/// assert_eq!((cell.column, cell.row), (10, 11));
/// assert_eq!(cell.to_string(), "K12");
/// assert_eq!(format!("{cell:#}"), "k12", "the alternate form is in lower case");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// From 0, which is A.
    pub column: u8,
    /// From 0, which is row 1.
    pub row: u8,
}

impl From<Square> for Cell {
    fn from(square: Square) -> Cell {
        Cell {
            column: square.column(),
            row: square.row(),
        }
    }
}

impl TryFrom<Cell> for Square {
    type Error = ParseSquareError;

    fn try_from(cell: Cell) -> Result<Square, ParseSquareError> {
        match (cell.column, cell.row) {
            (column @ 0..8, row @ 0..8) => Ok(Square::new(column, row)),
            _ => Err(ParseSquareError),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = if f.alternate() { b'a' } else { b'A' };
        let column = char::from(a.wrapping_add(self.column));
        f.pad(&format!("{column}{}", u32::from(self.row) + 1))
    }
}

impl FromStr for Cell {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Cell, ParseSquareError> {
        match *text.as_bytes() {
            [letter, first @ b'1'..=b'9', ref rest @ ..] if letter.is_ascii_alphabetic() => {
                let column = letter.to_ascii_uppercase() - b'A';
                let row = match *rest {
                    [] => first - b'1',
                    [second @ b'0'..=b'9'] => 10 * (first - b'0') + second - b'1',
                    _ => return Err(ParseSquareError),
                };
                Ok(Cell { column, row })
            }
            _ => Err(ParseSquareError),
        }
    }
}

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardSize {
    /// From 1 to 26: a column is a letter.
    pub columns: u8,
    /// From 1 to 99.
    pub rows: u8,
}

impl BoardSize {
    /// So many columns and rows.
    ///
    /// # Panics
    /// When it has none of either, more than 26 columns or more than 99 rows.
    pub const fn new(columns: u8, rows: u8) -> BoardSize {
        assert!(0 < columns && columns <= 26 && 0 < rows && rows <= 99);
        BoardSize { columns, rows }
    }

    /// Whether this cell is on the board.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    /// All cells, A1, B1, … to the last of the last row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let row = move |row| (0..self.columns).map(move |column| Cell { column, row });
        (0..self.rows).flat_map(row)
    }
}

/// The board of draughts and chess: 8 by 8.
impl Default for BoardSize {
    fn default() -> BoardSize {
        BoardSize::new(8, 8)
    }
}

#[cfg(test)]
mod tests {
    use super::{BoardSize, Cell};
    use crate::board::Square;

    #[test]
    fn every_cell_reads_back_from_its_name_in_either_case() {
        for cell in BoardSize::new(26, 99).cells() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(format!("{cell:#}").parse(), Ok(cell));
        }
        for text in [
            "", "A", "A0", "A01", "A100", "A+1", "1A", "Ä1", " A1", "A1 ",
        ] {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_cell_of_a_larger_board_is_no_square() {
        let cells = BoardSize::new(9, 9).cells();
        let squares = cells.filter_map(|cell| Square::try_from(cell).ok());
        assert!(squares.eq(Square::all()));
    }
}
