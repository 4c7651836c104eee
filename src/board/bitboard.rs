//! A set of squares in one 64-bit word.

use super::Square;
use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

/// A set of squares; bit `n` stands for the square of index `n`.
///
/// Its `Debug` text draws the board, row 8 on top:
///
/// ```
/// use crownhead::board::{Bitboard, Square};
///
/// let corners: Bitboard = ["A1", "H8"].iter().map(|s| s.parse::<Square>().unwrap()).collect();
/// assert_eq!(format!("{corners:?}"), "
/// 8 . . . . . . . X
/// 7 . . . . . . . .
/// 6 . . . . . . . .
/// 5 . . . . . . . .
/// 4 . . . . . . . .
/// 3 . . . . . . . .
/// 2 . . . . . . . .
/// 1 X . . . . . . .
///   A B C D E F G H
/// ");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// The set that holds this one square.
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// How many squares are in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << square.index()) != 0
    }

    /// The set with `square` added.
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// The squares of the set in the order of their index.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        bits(self.0).map(|bit| Square::from_index(bit as u8))
    }
}

/// The numbers of the bits that are set, lowest first.
#[inline(always)]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for row in (0..8).rev() {
            let mark = |column| [" .", " X"][usize::from(self.contains(Square::new(column, row)))];
            writeln!(f, "{}{}", row + 1, (0..8).map(mark).collect::<String>())?;
        }
        writeln!(f, "  A B C D E F G H")
    }
}

#[cfg(test)]
mod tests {
    use super::{Bitboard, Square};

    #[test]
    fn a_set_gives_back_the_squares_it_was_made_of() {
        let squares = ["A1", "D4", "E5", "H8"].map(|s| s.parse::<Square>().unwrap());
        let set: Bitboard = squares.into_iter().collect();
        assert_eq!(set.squares().collect::<Vec<_>>(), squares);
        assert_eq!(set.count(), 4);
        assert!(!set.contains(Square::new(1, 0)) && (!set).contains(Square::new(1, 0)));
        assert!((set & !set).is_empty());
        assert_eq!(set | !set, Bitboard(u64::MAX));
    }
}
