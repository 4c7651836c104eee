//! Rules as data: what differs between two rule books of one game, and how long a game may last.
//!
//! A [`RuleBook`] is read only where a game ends or is shown, never inside move generation or search
//! nodes, so it costs them nothing. The books of a game are in its own `rules` module,
//! each constant with its source and one of three marks: *stated* (a document says so), *observed*
//! (public programs that check themselves against the real thing say so) or *assumed*.

use crate::board::Side;

/// One rule book of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleBook {
    /// What the command line and the records call it, such as `contest`.
    pub name: &'static str,
    /// What the two sides are called, black's name first ([`Side::index`]).
    pub side_names: [&'static str; 2],
    /// Who makes the first move.
    pub moves_first: Side,
    /// Whether people are shown boards with row 1 on top, instead of row 8.
    pub row_1_on_top: bool,
    /// What it means to have pieces but no legal move, where the game itself leaves that open.
    pub stuck: Stuck,
    /// When a game that does not end by itself is drawn.
    pub length: LengthRules,
}

impl RuleBook {
    /// The book called `name` of a game as most are: white moves first, boards are shown with row 8 on top,
    /// a side that cannot move has lost, and a game may last as long as it takes.
    ///
    /// A book that differs says in what:
    ///
    /// ```
    /// use crownhead::{LengthRules, RuleBook, Side, Stuck};
    ///
    /// const BLITZ: RuleBook = RuleBook {
    ///     moves_first: Side::Black,
    ///     length: LengthRules {
    ///         max_turns: Some(40),
    ///         ..LengthRules::UNLIMITED
    ///     },
    ///     ..RuleBook::new("blitz")
    /// };
    /// assert_eq!(BLITZ.side_name(Side::White), "white");
    /// assert_eq!(BLITZ.stuck, Stuck::Loses);
    /// ```
    pub const fn new(name: &'static str) -> RuleBook {
        RuleBook {
            name,
            side_names: ["black", "white"],
            moves_first: Side::White,
            row_1_on_top: false,
            stuck: Stuck::Loses,
            length: LengthRules::UNLIMITED,
        }
    }

    /// What this book calls `side`: "red", say.
    pub const fn side_name(&self, side: Side) -> &'static str {
        self.side_names[side.index()]
    }
}

/// What becomes of a side that is to move, has pieces left, and cannot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// It has lost.
    Loses,
    /// The game is drawn.
    Draws,
}

/// When a game is drawn for its length. A turn is one side's move (one ply).
///
/// These belong to the game being played ([`Game`](crate::game::Game)), not to positions: two
/// equal boards are equal however they came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthRules {
    /// The game is drawn after this many turns.
    pub max_turns: Option<u32>,
    /// The game is drawn after this many turns in a row without a capture.
    pub max_turns_without_capture: Option<u32>,
}

impl LengthRules {
    /// No game is drawn for its length.
    pub const UNLIMITED: LengthRules = LengthRules {
        max_turns: None,
        max_turns_without_capture: None,
    };
}
