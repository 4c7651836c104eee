//! What the tests of several games share: drawn boards and random play, the same every time.

pub(crate) mod drawn;

use crownhead::network::{Inputs, Network};
use crownhead::position::Position;
use crownhead::rules::RuleBook;
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg32;

/// Longer games are cut off here: two kings can shuffle back and forth for ever.
const MOST_TURNS: usize = 200;

/// The positions of a game in which both sides move at random, the start first.
pub(crate) fn random_game<G: Position>(rules: &RuleBook, seed: u64) -> Vec<G> {
    let mut rng = Pcg32::seed_from_u64(seed);
    let mut positions = vec![G::start(rules)];
    while positions.len() <= MOST_TURNS {
        let position = &positions[positions.len() - 1];
        let Some(&mv) = position.legal_moves().choose(&mut rng) else {
            break;
        };
        let next = position.play_unchecked(mv);
        positions.push(next);
    }
    positions
}

/// The built-in evaluation of a game.
pub(crate) fn learned<G: Inputs>() -> &'static Network<G> {
    Box::leak(Box::default())
}
