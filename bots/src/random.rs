//! Plays any legal move, each as likely as the others.

use crate::player::{Player, Turn};
use crownhead::position::Position;
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// A player that chooses by chance alone; the same seed plays the same game.
#[derive(Clone, Debug)]
pub struct Random {
    chance: Pcg64,
}

impl Random {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random {
            chance: Pcg64::seed_from_u64(seed),
        }
    }
}

impl<G: Position> Player<G> for Random {
    fn choose(&mut self, turn: &Turn<'_, G>) -> G::Move {
        *turn
            .moves
            .choose(&mut self.chance)
            .expect("a turn offers a move")
    }
}
