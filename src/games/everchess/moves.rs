//! A move of EverChess: one pawn, one square.

use crate::board::Square;
use std::fmt;

/// A step straight ahead or a capture diagonally ahead.
///
/// Which of the two it is follows from its squares: a capture changes the column.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EverChessMove {
    /// Where the pawn stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl EverChessMove {
    /// Whether the move takes a pawn, and so keeps the turn.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        self.from.column() != self.to.column()
    }
}

impl fmt::Display for EverChessMove {
    /// The two squares in lower case, such as `e2e3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", square_name(self.from), square_name(self.to))
    }
}

impl fmt::Debug for EverChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A square as this game writes it: `e2`.
pub(super) fn square_name(square: Square) -> String {
    square.to_string().to_lowercase()
}
