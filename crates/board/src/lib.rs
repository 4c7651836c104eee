//! A game as an object: what judges, records and shows a game is compiled once, for all games.
//!
//! [`GameRules`] is a game that can be played, and makes a [`Board`]: a game under way, with text in and text out. A
//! turn takes a bot a hundred milliseconds, so an object costs nothing. Every type that implements
//! [`Explain`](crownhead::Explain) is such a game by [`Rules`]; [`Searcher`] is the library's search behind the same
//! kind of wall. What searches itself stays generic over [`Position`](crownhead::Position), in the library and in the
//! bots. Knows no process, no file and no list of games.

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
