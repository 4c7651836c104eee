//! A move of chess: from one square to another.

use crate::board::Square;
use std::fmt;

/// A piece's way from one square to another; what it captures stands there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChessMove {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for ChessMove {
    /// The two squares in lower case, such as `e2e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", square_name(self.from), square_name(self.to))
    }
}

impl fmt::Debug for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A square as this game writes it: `e2`.
pub(super) fn square_name(square: Square) -> String {
    square.to_string().to_lowercase()
}
