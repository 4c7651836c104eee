//! The rule book of EverChess, as data.
//!
//! Source. *Course*: the rules of the classroom's EverChess assignment.

use crate::rules::RuleBook;

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
pub const STANDARD: RuleBook = RuleBook::new("standard");
