//! Each game as an object, and the built-in bots: the code that judges, records and shows games is compiled once for all
//! of them.
//!
//! [`BoardGame`] is a game that can be played, and [`games`] lists them. It makes a [`Board`], a running game with text in
//! and text out; a [`Searcher`], the library's search; and a [`BoardPlayer`], one of the built-in bots: random, greedy
//! and [`alphabeta`]. A bot takes a hundred milliseconds for a turn, so the cost of an object does not matter.
//! Every type that implements [`Explain`](crownhead::Explain) is such a game by [`GameOf`]. Code that searches stays
//! generic over [`Position`](crownhead::Position), in the library and in the bots.
//!
//! The feature `command-line` adds how a bot is chosen and set up there. Knows no process and no file except a network's.

mod board;
#[cfg(feature = "command-line")]
pub mod command_line;
mod game_of;
pub mod games;
#[cfg(feature = "command-line")]
pub mod options;
mod players;
mod position_board;
pub mod starters;

pub use board::{
    winner, Board, BoardGame, BoardPlayer, Ended, Found, PlayerSpec, Replayed, Searcher, Subject,
};
#[doc(no_inline)]
pub use crownhead::{BoardSize, Cell};
pub use crownhead_contest::{alphabeta, Player, PlayerTurn};
pub use game_of::{GameOf, NoEvaluation};
pub use games::{checkers_board, CHECKERS, CHESS, EVERCHESS};
pub use players::{player_of, Random};
pub use position_board::{BoardPosition, PositionBoard};
