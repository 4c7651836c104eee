//! The player of random moves.

use crownhead::position::Position;
use crownhead_contest::{Player, PlayerTurn};
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// A player that chooses any legal move with equal probability; the same seed plays the same game.
#[derive(Clone, Debug)]
pub struct Random(Pcg64);

impl Random {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random(Pcg64::seed_from_u64(seed))
    }
}

impl<G: Position> Player<G> for Random {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        let chosen = turn.moves.choose(&mut self.0);
        *chosen.expect("a turn offers a move")
    }
}
