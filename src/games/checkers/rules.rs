//! The two rule books of checkers, as data.
//!
//! Sources. *Statement*: the statement of the CodinGame contest "Checkers"
//! (codingame.com/multiplayer/bot-programming/checkers). *Engine*: the contest's published game engine,
//! version 4.7.8. *Bots*: two public contest bots that check themselves against the site's list of moves.
//! *Course*: the rules of the classroom's English draughts assignment.

use crate::board::Side;
use crate::rules::{LengthRules, RuleBook, Stuck};

/// The contest's rules.
///
/// | what | mark and source |
/// |---|---|
/// | black on rows 1 to 3, red on rows 6 to 8 | observed (bots) |
/// | black moves first | assumed |
/// | no legal move: loss | stated (statement: "You win, when the other player has no more valid moves") |
/// | crowning ends a jump | observed (a bot) |
/// | no draw for want of captures, none for repetition | stated (the statement has no such rule) |
/// | 200 turns at most, then a draw | assumed (engine: its default number of turns) |
pub const CONTEST: RuleBook = RuleBook {
    side_names: ["black", "red"],
    moves_first: Side::Black,
    length: LengthRules {
        max_turns: Some(200),
        ..LengthRules::UNLIMITED
    },
    ..RuleBook::new("contest")
};

/// The classroom's rules.
///
/// | what | mark and source |
/// |---|---|
/// | black on rows 1 to 3, white on rows 6 to 8 | stated (course) |
/// | white moves first | stated (course) |
/// | boards are shown with row 1 on top | stated (course) |
/// | no pieces left: loss; pieces left but no legal move: draw | stated (course) |
/// | crowning ends a jump | stated (course) |
/// | 50 turns without a capture, a turn being one side's move: draw | stated (course) |
/// | no limit on turns, no rule about repetition | stated (course has none) |
pub const CLASSROOM: RuleBook = RuleBook {
    row_1_on_top: true,
    stuck: Stuck::Draws,
    length: LengthRules {
        max_turns_without_capture: Some(50),
        ..LengthRules::UNLIMITED
    },
    ..RuleBook::new("classroom")
};
