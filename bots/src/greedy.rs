//! Plays a move that captures most, and otherwise any.

use crate::player::{Player, Turn};
use crownhead::position::Position;
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// A player that takes as many pieces as one move can, ties broken by chance; the same seed plays the same
/// game.
#[derive(Clone, Debug)]
pub struct Greedy {
    chance: Pcg64,
}

impl Greedy {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy {
            chance: Pcg64::seed_from_u64(seed),
        }
    }
}

impl<G: Position> Player<G> for Greedy {
    fn choose(&mut self, turn: &Turn<'_, G>) -> G::Move {
        let captures = |mv: &G::Move| turn.position.captures(*mv);
        let most = turn.moves.iter().map(captures).max();
        let best: Vec<G::Move> = turn
            .moves
            .iter()
            .copied()
            .filter(|mv| Some(captures(mv)) == most)
            .collect();
        *best.choose(&mut self.chance).expect("a turn offers a move")
    }
}
