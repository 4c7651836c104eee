//! The two sides of a game.

/// One of the two players.
///
/// What a side is *called* ("red", "white") and which one moves first is up to the
/// [`RuleBook`](crate::rules::RuleBook) in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Side {
    /// The side that starts on rows 1 to 3 of a checkers board.
    Black,
    /// The side that starts on rows 6 to 8 of a checkers board; "red" in the contest.
    White,
}

impl Side {
    /// Both sides, black first.
    pub const BOTH: [Side; 2] = [Side::Black, Side::White];

    /// 0 for black, 1 for white: for tables with an entry a side.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[must_use]
    pub const fn opponent(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}
