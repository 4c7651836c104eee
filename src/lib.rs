//! Board games and the search that plays them.
//!
//! A [`Position`](position::Position) is a position and its rules; [`Notation`](notation::Notation) is how it is
//! written down; [`Evaluate`](evaluate::Evaluate) is what a search thinks of it. The games are in
//! [`games`], the search in [`search`], and [`protocol`] is the line protocol that a referee and a bot
//! speak about any of them.
//!
//! What is deliberately absent: dependencies, input and output, clocks and global state. Whoever calls
//! hands in what stops a search and prints what it finds. That is what lets a bot be bundled into one
//! file that compiles anywhere.
//!
//! ```
//! use crownhead::position::Position;
//! use crownhead::games::checkers::{rules, Checkers};
//! use crownhead::notation::Notation;
//!
//! let start = Checkers::start(&rules::CONTEST);
//! let names: Vec<String> = start.legal_moves().iter().map(|&m| start.move_name(m)).collect();
//! assert_eq!(names.len(), 7);
//! assert!(names.contains(&"A3B4".to_string()));
//! ```

pub mod board;
pub mod evaluate;
pub mod game;
pub mod games;
pub mod network;
pub mod notation;
pub mod perft;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
