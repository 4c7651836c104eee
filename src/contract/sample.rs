//! Positions of random games, the same every time.

use crate::hash::fold;
use crate::position::Position;
use crate::rules::RuleBook;

/// Games from which the positions are taken.
pub(super) const GAMES: u64 = 60;

/// Longer games are cut off here: two kings can shuffle back and forth for ever.
const MOST_TURNS: u64 = 200;

/// The positions of a game in which both sides move at random, the start first.
pub(super) fn random_game<G: Position>(rules: &RuleBook, seed: u64) -> Vec<G> {
    let mut positions = vec![G::start(rules)];
    for turn in 0..MOST_TURNS {
        let position = &positions[positions.len() - 1];
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let chosen = (fold(seed, turn) % moves.len() as u64) as usize;
        let next = position.play_unchecked(moves[chosen]);
        positions.push(next);
    }
    positions
}

/// Every position of the random games, in order.
pub(super) fn positions<'a, G: Position + 'a>(rules: &'a RuleBook) -> impl Iterator<Item = G> + 'a {
    (0..GAMES).flat_map(|seed| random_game(rules, seed))
}

/// About so many of those positions, evenly spread: for what takes long in each.
pub(super) fn some_positions<G: Position>(rules: &RuleBook, about: usize) -> Vec<G> {
    let all: Vec<G> = positions(rules).collect();
    let step = all.len().div_ceil(about).max(1);
    all.into_iter().step_by(step).collect()
}

/// Positions from the start, level by level, so that many come about in several ways.
pub(super) fn positions_by_level<G: Position>(rules: &RuleBook) -> Vec<G> {
    const ENOUGH: usize = 20_000;
    let mut found = vec![G::start(rules)];
    let mut next = 0;
    while next < found.len() && found.len() < ENOUGH {
        let position = found[next].clone();
        position.each_move(|mv| found.push(position.play_unchecked(mv)));
        next += 1;
    }
    found
}
