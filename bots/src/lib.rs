//! The built-in bots: [`random`], [`greedy`] and [`alphabeta`], for every game.
//!
//! A bot is a [`Player`]: it is shown a turn and names a move. [`conversation`] lets a player speak the
//! line protocol on a pair of streams, which makes it a bot process; [`options`] is how a bot is chosen and
//! set up on a command line. Each also stands alone as a thin binary of its own name. [`contest`] is the bot
//! that is submitted to the contest.

pub mod alphabeta;
pub mod contest;
pub mod conversation;
pub mod course;
pub mod games;
pub mod greedy;
pub mod options;
pub mod orientation;
mod player;
pub mod random;

pub use player::{Player, Turn};
