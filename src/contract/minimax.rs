//! Minimax without pruning, by the rules of the search: the reference for its scores.

use crate::evaluate::Evaluate;
use crate::position::{Outcome, Position};
use crate::rules::RuleBook;
use crate::search::WIN;

/// A minimax search.
#[derive(Debug)]
pub struct Minimax<'a, E> {
    /// The rule book in force.
    pub rules: &'a RuleBook,
    /// What a position is worth where the search ends.
    pub evaluation: &'a E,
    /// How many nodes it may still visit.
    pub nodes: u32,
}

impl<E> Minimax<'_, E> {
    /// The score of `position` for its side to move: no window, no ordering, no table. Below the depth only
    /// captures are played, and a side that need not capture may stand pat.
    ///
    /// `None` when that takes more than the rest of the nodes.
    pub fn score<G: Position>(&mut self, position: &G, depth: u32, ply: i32) -> Option<i32>
    where
        E: Evaluate<G>,
    {
        self.nodes = self.nodes.checked_sub(1)?;
        let mover = position.side_to_move();
        match position.outcome(self.rules) {
            Some(Outcome::Draw) => return Some(0),
            Some(Outcome::Win(side)) if side == mover => return Some(WIN - ply),
            Some(Outcome::Win(_)) => return Some(ply - WIN),
            None => {}
        }
        let (captures, others): (Vec<_>, Vec<_>) = position
            .legal_moves()
            .into_iter()
            .partition(|&mv| position.captures(mv) > 0);
        let stands_pat = depth == 0 && !others.is_empty();
        let mut best = stands_pat.then(|| self.evaluation.evaluate(position));
        for mv in captures
            .into_iter()
            .chain(others.into_iter().filter(|_| depth > 0))
        {
            let child = position.play_unchecked(mv);
            let score = self.score(&child, depth.saturating_sub(1), ply + 1)?;
            let same_side = child.side_to_move() == mover;
            best = best.max(Some(if same_side { score } else { -score }));
        }
        best
    }
}

/// A pseudo-random evaluation: a search that confuses the sides soon gives a wrong score.
#[derive(Clone, Copy, Debug)]
pub struct Noise;

impl<G: Position> Evaluate<G> for Noise {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &G) -> i32 {
        (position.hash() % 2001) as i32 - 1000
    }
}
