//! A player: what every bot is, whether it speaks a protocol or is called in the referee's process.

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
