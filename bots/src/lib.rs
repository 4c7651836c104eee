//! The built-in bots, for every game: [`random`], [`greedy`], and [`alphabeta`] of the contest's bot.
//!
//! A bot is a [`Player`]; `crownhead_contest` lets it speak the line protocol. [`options`] is how a bot is chosen
//! and set up on a command line, [`games`] how a game is. Each bot also stands alone as a thin binary of its own
//! name.

pub mod command_line;
pub mod games;
pub mod greedy;
pub mod networks;
pub mod options;
pub mod players;
pub mod random;
pub mod starters;

pub use crownhead_contest::{alphabeta, Player, PlayerTurn};
