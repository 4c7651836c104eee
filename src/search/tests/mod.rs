//! What each technique of the search is for: on a tree that a test makes up, or beside a search without it.

mod ordering;
mod pruning;
mod quiescence;
mod recursion;
mod singular;
mod tree;

use super::searcher::Searcher;
use super::{Parameters, Root, TranspositionTable};
use crate::evaluate::Evaluate;
use crate::games::checkers::rules;
use crate::network::{Inputs, Network};
use crate::position::Position;

/// Never stops a search.
fn to_the_end(_nodes: u64) -> bool {
    false
}

/// The built-in evaluation of a game.
fn learned<G: Inputs>() -> &'static Network<G> {
    Box::leak(Box::default())
}

/// Hands `look` a search of `position` that has looked at nothing yet.
fn with_searcher<G: Position, E: Evaluate<G>, T>(
    position: &G,
    evaluation: &E,
    parameters: &Parameters,
    look: impl FnOnce(&mut Searcher<'_, G, E>) -> T,
) -> T {
    let root = Root::new(position, &rules::CONTEST, evaluation);
    let mut table = TranspositionTable::new(1);
    table.age();
    let mut to_the_end = |_| false;
    look(&mut Searcher::new(
        &root,
        parameters,
        &mut table,
        &mut to_the_end,
    ))
}
