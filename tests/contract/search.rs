//! The baseline's search (`bots/examples/duel`) against minimax, on every game.

use crate::support::plain;
use crate::support::random_game;
use crownhead::contract::{Minimax, Noise};
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead::search::NodeLimit;

const NODES: u32 = 10_000;

pub(crate) fn the_baseline_values_a_position_as_minimax_does<G: Notation>(rules: &RuleBook) {
    // Minimax takes long: a part of the games on each of a few threads.
    let seeds: Vec<u64> = (0..20).collect();
    let compared: usize = std::thread::scope(|scope| {
        let parts: Vec<_> = seeds
            .chunks(5)
            .map(|seeds| scope.spawn(|| compared_in_games::<G>(rules, seeds)))
            .collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    assert!(compared > 20, "only {compared} searches were compared");
}

/// In how many positions of these games the search's value was compared.
fn compared_in_games<G: Notation>(rules: &RuleBook, seeds: &[u64]) -> usize {
    let mut compared = 0;
    let games = seeds.iter().map(|&seed| random_game::<G>(rules, seed));
    for position in games.flat_map(|game| game.into_iter().step_by(7)) {
        let mut limit = NodeLimit {
            // Few enough that minimax reaches the same depth with its own.
            nodes: u64::from(NODES / 8),
        };
        let found = plain::search(&position, rules, &Noise, 4, &mut limit);
        assert_eq!(found.is_none(), position.outcome(rules).is_some());
        let Some(found) = found else { continue };
        let mut minimax = Minimax {
            rules,
            evaluation: &Noise,
            nodes: NODES,
        };
        if let Some(expected) = minimax.score(&position, found.depth, 0) {
            assert_eq!(found.score, expected, "{position:?}");
            compared += 1;
        }
    }
    compared
}
