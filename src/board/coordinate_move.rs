//! A move that two squares name, as most games have it.

use super::Square;
use std::fmt;

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
