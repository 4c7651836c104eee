//! The contest's bot, and what any bot needs to play over the line protocol.
//!
//! A bot is a [`Player`]: it is shown a turn and names a move. [`conversation`] connects a player to a pair of
//! streams. [`alphabeta`] is the player that searches, and [`tracker`] reconstructs the game for it from the boards.
//!
//! Everything here goes into a submission, so it is the standard library and `crownhead` alone. Command lines
//! with `clap` and players that need random numbers are in `crownhead-bots`.

pub mod alphabeta;
pub mod conversation;
mod player;
pub mod tracker;

pub use player::{Player, PlayerTurn};
