//! The player that captures the most.

use crownhead::position::Position;
use crownhead_contest::{Player, PlayerTurn};
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// A player that captures as many pieces as one move can, ties broken at random; the same seed plays the same
/// game.
#[derive(Clone, Debug)]
pub struct Greedy {
    rng: Pcg64,
}

impl Greedy {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy {
            rng: Pcg64::seed_from_u64(seed),
        }
    }
}

impl<G: Position> Player<G> for Greedy {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        let captures = |mv: &G::Move| turn.position.captures(*mv);
        let most = turn.moves.iter().map(captures).max();
        let best: Vec<G::Move> = turn
            .moves
            .iter()
            .copied()
            .filter(|mv| Some(captures(mv)) == most)
            .collect();
        *best.choose(&mut self.rng).expect("a turn offers a move")
    }
}
