//! The player that captures the most.

use crate::random::Random;
use crownhead::position::Position;
use crownhead_contest::{Player, PlayerTurn};

/// A player that captures as many pieces as one move can, ties broken at random; the same seed plays the same
/// game.
#[derive(Clone, Debug)]
pub struct Greedy(Random);

impl Greedy {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy(Random::new(seed))
    }
}

impl<G: Position> Player<G> for Greedy {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        let captures = |mv: &G::Move| turn.position.captures(*mv);
        let moves = turn.moves.iter().copied();
        let most = turn.moves.iter().map(captures).max();
        let best: Vec<G::Move> = moves.filter(|mv| Some(captures(mv)) == most).collect();
        self.0.choose(&PlayerTurn {
            moves: &best,
            ..*turn
        })
    }
}
