//! FEN of draughts (PDN standard 3.0, chapter "FEN"): `B:W21,22,K29:B1,2,3`.
//!
//! PDN numbers the playing squares from black's side, and calls the contest's red "White":
//!
//! ```text
//! 8     32    31    30    29
//! 7  28    27    26    25
//! 6     24    23    22    21      red, PDN's White, starts on 21 to 32
//! 5  20    19    18    17
//! 4     16    15    14    13
//! 3  12    11    10    09
//! 2     08    07    06    05      black starts on 1 to 12
//! 1  04    03    02    01
//!    A  B  C  D  E  F  G  H
//! ```

use super::position::{Checkers, Piece};
use crate::board::{Side, Square};
use crate::notation::{ensure, excerpt, refuse, PositionError};
use crate::position::Position;

impl Checkers {
    /// The position as FEN of draughts.
    ///
    /// ```
    /// use crownhead::position::Position;
    /// use crownhead::games::checkers::{rules, Checkers};
    ///
    /// assert_eq!(
    ///     Checkers::start(&rules::CONTEST).to_fen(),
    ///     "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    /// );
    /// ```
    pub fn to_fen(&self) -> String {
        let list = |side| {
            let pieces = (1..=32).filter_map(|number| {
                let piece = self.piece_at(square_of_pdn(number)?)?;
                let crown = if piece.king { "K" } else { "" };
                (piece.side == side).then(|| format!("{crown}{number}"))
            });
            pieces.collect::<Vec<_>>().join(",")
        };
        let mover = ['B', 'W'][self.side_to_move().index()];
        format!("{mover}:W{}:B{}", list(Side::White), list(Side::Black))
    }

    /// The position that a FEN of draughts describes.
    ///
    /// The two sides may come in either order, a range such as `1-12` stands for its squares, and a full
    /// stop at the end is ignored.
    ///
    /// # Errors
    /// When the text is no FEN, or describes a position that no play can reach, with the reason.
    pub fn from_fen(fen: &str) -> Result<Checkers, PositionError> {
        let fen = fen.trim();
        let fields: Vec<&str> = fen.strip_suffix('.').unwrap_or(fen).split(':').collect();
        let &[mover, first, second] = fields.as_slice() else {
            let reason = "expected three fields with colons between, such as B:W21,22,K29:B1,2,3";
            return refuse(format!("FEN {:?}: {reason}", excerpt(fen)));
        };
        let side_to_move = parse_side(mover)?;
        let (first_side, mut pieces) = parse_pieces(first)?;
        let (second_side, more) = parse_pieces(second)?;
        ensure(first_side != second_side, || {
            "FEN names the same side twice; expected W and B".into()
        })?;
        pieces.extend(more);
        Checkers::from_pieces(pieces, side_to_move)
    }
}

/// The square that PDN numbers so: 1 is G1, 4 is A1, 5 is H2, 29 is H8, 32 is B8. `None` for numbers that
/// no square of the board has.
pub fn square_of_pdn(number: u8) -> Option<Square> {
    let (row, place) = (number.checked_sub(1)? / 4, (number - 1) % 4);
    let rightmost = 6 + row % 2;
    (row < 8).then(|| Square::new(rightmost - 2 * place, row))
}

/// The number that PDN gives to a playing square; `None` for a square where no piece ever stands.
pub fn pdn_of_square(square: Square) -> Option<u8> {
    (1..=32).find(|&number| square_of_pdn(number) == Some(square))
}

fn parse_side(letter: &str) -> Result<Side, PositionError> {
    match letter.trim() {
        "B" | "b" => Ok(Side::Black),
        "W" | "w" => Ok(Side::White),
        other => {
            let other = excerpt(other);
            refuse(format!("{other:?} is no side; expected W or B"))
        }
    }
}

/// One side's field: its letter, then squares by number, `K` before a king's.
fn parse_pieces(field: &str) -> Result<(Side, Vec<(Square, Piece)>), PositionError> {
    let field = field.trim();
    let (letter, list) = field.split_at_checked(1).unwrap_or((field, ""));
    let side = parse_side(letter)?;
    let mut pieces = Vec::new();
    let items = list.split(',').map(str::trim);
    for item in items.filter(|item| !item.is_empty()) {
        let (king, numbers) = match item.strip_prefix(['K', 'k']) {
            Some(numbers) => (true, numbers),
            None => (false, item),
        };
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let range = parse_number(first, item)?..=parse_number(last, item)?;
        ensure(!range.is_empty(), || {
            format!("the range {:?} runs backwards", excerpt(item))
        })?;
        let squares = range.filter_map(square_of_pdn);
        pieces.extend(squares.map(|square| (square, Piece { side, king })));
    }
    Ok((side, pieces))
}

fn parse_number(text: &str, item: &str) -> Result<u8, PositionError> {
    match text.parse() {
        Ok(number @ 1..=32) => Ok(number),
        _ => {
            let reason = "is no square of a FEN; expected a number from 1 to 32, K before a king's";
            refuse(format!("{:?} {reason}", excerpt(item)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pdn_numbers_run_from_blacks_right() {
        let square = |number| square_of_pdn(number).unwrap().to_string();
        assert_eq!(
            [1, 2, 3, 4, 5, 29, 32].map(square),
            ["G1", "E1", "C1", "A1", "H2", "H8", "B8"]
        );
    }

    #[test]
    fn every_playing_square_has_one_number_and_no_other_square_has_any() {
        for square in Square::all() {
            let number = pdn_of_square(square);
            assert_eq!(number.is_some(), (square.column() + square.row()) % 2 == 0);
            assert_eq!(number.and_then(square_of_pdn), number.map(|_| square));
        }
        assert_eq!([0, 33].map(square_of_pdn), [None, None]);
    }

    #[test]
    fn a_fen_reads_back_as_it_was_written() {
        for fen in ["W:W21,K32:B1,K2,K29", "B:WK1:B", "B:W18:B10,11"] {
            assert_eq!(Checkers::from_fen(fen).unwrap().to_fen(), fen);
        }
    }

    #[test]
    fn sides_in_either_order_ranges_and_a_full_stop_are_read() {
        let start = Checkers::start(&super::super::rules::CONTEST);
        assert_eq!(Checkers::from_fen("B:B1-12:W21-32."), Ok(start));
        assert_eq!(Checkers::from_fen(" b:w21-32:b1-8, 9-12 "), Ok(start));
    }

    #[test]
    fn text_that_is_no_fen_is_refused_with_what_was_expected() {
        let reason = |fen| Checkers::from_fen(fen).unwrap_err().to_string();
        assert!(reason("").contains("expected three"));
        assert!(reason("X:W1:B2").contains("\"X\" is no side; expected W or B"));
        assert!(reason("B:W33:B1").contains("\"33\" is no square"));
        assert!(reason("B:W1:W2").contains("same side twice"));
        assert!(reason("B:WK9-5:B1").contains("runs backwards"));
        assert!(reason("B:W9,9:B1").contains("two pieces on"));
    }
}
