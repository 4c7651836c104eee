//! The rule book of two-player chess, as data.
//!
//! Sources. *Course*: the rules of the classroom's assignment, chess for two people from a file of moves.
//! *FIDE*: the Laws of Chess of 2023, for what the course takes as known.

use crate::rules::{LengthRules, RuleBook, Stuck};

/// The classroom's rules.
///
/// | what | mark and source |
/// |---|---|
/// | no castling, promotion, en passant | stated (course) |
/// | pawns two squares on their first move only | stated (course; FIDE 3.7.2) |
/// | a pawn on its far row has no move | assumed (follows from there being no promotion) |
/// | no side may end its move in check | stated (course; FIDE 3.9.2) |
/// | a king is never captured | stated (course; FIDE 1.4.1) |
/// | white moves first | stated (FIDE 1.3) |
/// | mate: loss | stated (FIDE 5.1.1) |
/// | stalemate: draw | stated (FIDE 5.2.1) |
/// | 200 turns at most, then a draw | assumed (as in the contest's checkers) |
/// | no draw by repetition, by fifty moves or for want of material | assumed (the course has none) |
pub const TWO_PLAYER: RuleBook = RuleBook {
    length: LengthRules {
        max_turns: Some(200),
        ..LengthRules::UNLIMITED
    },
    stuck: Stuck::Draws,
    ..RuleBook::new("two-player")
};
