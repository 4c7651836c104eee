//! A game as an object: the code that judges, records and shows games is compiled once for all of them.
//!
//! [`GameRules`] is a game that can be played, and makes a [`Board`]: a running game, with text in and text out. A bot
//! takes a hundred milliseconds for a turn, so the cost of an object does not matter. Every type that implements
//! [`Explain`](crownhead::Explain) is such a game by [`Rules`]; [`Searcher`] is the library's search behind the same
//! kind of interface. Code that searches stays generic over [`Position`](crownhead::Position), in the library and in
//! the bots. Knows no process, no file and no list of games.

mod board;
mod position_board;
mod position_searcher;
mod rules;
mod standard;

pub use board::{winner, Board, Ended, Found, GameRules, Refused, Searcher, Subject};
#[doc(no_inline)]
pub use crownhead::{BoardSize, Cell, Click};
pub use position_board::{BoardPosition, PositionBoard};
pub use rules::{NoEvaluation, Rules};
pub use standard::{checkers_board, CHECKERS, CHESS, EVERCHESS};
