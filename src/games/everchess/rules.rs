//! The rule book of EverChess, as data.
//!
//! Source. *GameTracker*: the rules of the classroom's EverChess assignment.

use crate::board::Side;
use crate::rules::{LengthRules, RuleBook, Stuck};

/// The classroom's rules.
///
/// | what | mark and source |
/// |---|---|
/// | eight pawns a side, white on row 2 and black on row 7 | stated (course) |
/// | white moves first | stated (course) |
/// | a side that must move and cannot: loss, also after its own capture | stated (course) |
/// | a pawn on the far row wins at once | stated (course) |
/// | a capture comes before any step, a winning one too | stated (course) |
/// | no limit on turns | needless: every move brings a pawn a row further, so no game has more than 96 |
pub const STANDARD: RuleBook = RuleBook {
    name: "standard",
    side_names: ["black", "white"],
    moves_first: Side::White,
    row_1_on_top: false,
    stuck: Stuck::Loses,
    length: LengthRules {
        max_turns: None,
        max_turns_without_capture: None,
    },
};
