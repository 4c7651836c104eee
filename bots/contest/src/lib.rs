//! The contest's bot, and what any bot needs to play over the line protocol.
//!
//! A bot is a [`Player`]: it is shown a turn and names a move. [`conversation`] connects a player to a pair of
//! streams. [`alphabeta`] is the player that searches, and `tracker` reconstructs the game for it from the boards.
//!
//! Everything here goes into a submission, so it is the standard library and `crownhead` alone. Command lines
//! with `clap` and players that need random numbers are in `crownhead-bots`.

pub mod alphabeta;
pub mod conversation;
mod tracker;

use crownhead::position::Position;
use std::time::Instant;

/// Chooses moves in game `G`.
pub trait Player<G: Position> {
    /// The move to play, one of `turn.moves`.
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move;

    /// What the player has to say about its last choice: a line for people, shown on standard error.
    fn remark(&self) -> Option<&str> {
        None
    }
}

/// A turn as a player sees it.
#[derive(Clone, Copy, Debug)]
pub struct PlayerTurn<'a, G: Position> {
    /// What is on the board, the player's side to move.
    pub position: &'a G,
    /// The legal moves: never empty.
    pub moves: &'a [G::Move],
    /// When the turn started: what a time limit counts from.
    pub started: Instant,
}
