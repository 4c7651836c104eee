//! The baseline's search (`bots/examples/duel`) against minimax, on every game.

use crate::plain;
use crate::support::random_game;
use crownhead::contract::{Minimax, Noise};
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead::search::NodeLimit;

const NODES: u32 = 10_000;

pub(crate) fn the_baseline_values_a_position_as_minimax_does<G: Notation>(rules: &RuleBook) {
    let mut compared = 0;
    let positions = (0..40).flat_map(|seed| random_game::<G>(rules, seed).into_iter().step_by(7));
    for position in positions {
        let mut limit = NodeLimit {
            nodes: NODES.into(),
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
    assert!(compared > 20, "only {compared} searches were compared");
}
