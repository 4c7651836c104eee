//! Board games and the search that plays them.
//!
//! A [`Position`] is a position and its rules; [`Notation`] writes and reads it as text, [`Explain`] says why a
//! move is refused, [`Evaluate`] scores it for a search, and a [`Game`] is the positions so far. The games are
//! in [`games`], the search in [`search`], and [`protocol`] is the line protocol between a referee and a bot.
//! A game of one's own takes three traits: `examples/othello` is one. The feature `contract` holds it to their laws.
//!
//! What is deliberately absent: dependencies, input and output, clocks and global state. The caller hands in
//! what stops a search and prints what it finds, so that a bot can be bundled into one file.
//!
//! ```
//! use crownhead::games::checkers::{rules, Checkers};
//! use crownhead::{Notation, Position};
//!
//! let start = Checkers::start(&rules::CONTEST);
//! let names: Vec<String> = start.legal_moves().iter().map(|&m| start.move_name(m)).collect();
//! assert_eq!(names.len(), 7);
//! assert!(names.contains(&"A3B4".to_string()));
//! ```

pub mod board;
#[cfg(feature = "contract")]
pub mod contract;
pub mod evaluate;
pub mod explain;
pub mod game;
pub mod games;
pub mod hash;
pub mod network;
pub mod notation;
pub mod perft;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;

#[doc(no_inline)]
pub use crate::{
    board::{Bitboard, BoardSize, Cell, Side, Square},
    evaluate::Evaluate,
    explain::{Explain, Refusal},
    game::{Ending, Game},
    notation::{Notation, PositionError, Rows},
    position::{IllegalMove, Outcome, Position},
    rules::{LengthRules, RuleBook, Stuck},
};
