//! The search: finds a good move in any [`Position`], with any evaluation ([`Evaluate`]).
//!
//! [`search`] is iterative deepening alpha-beta with a transposition table. It reads no clock and prints
//! nothing: its caller says at intervals whether to stop, and learns of every completed depth. Nodes allocate no
//! memory.
//!
//! One file each: `iterate` is iterative deepening with aspiration windows, `negamax` the recursion, `prune` pruning,
//! table cutoffs and reductions, `singular` singular extensions, `quiescence` the search of captures below the depth,
//! `searcher` the state that these share, `ordering` move ordering, `transposition` the transposition table, `huge_pages`
//! the pages it lies in, `repetition` the positions of the game so far, `window` the alpha-beta window, its negation and
//! what a score says outside it, and `parameters` what was tuned or chosen.

mod huge_pages;
mod iterate;
mod negamax;
mod ordering;
mod parameters;
mod prune;
mod quiescence;
mod repetition;
mod searcher;
mod singular;
mod transposition;
mod window;

pub use iterate::search;
pub use parameters::Parameters;
pub use transposition::TranspositionTable;

use crate::evaluate::Evaluate;
use crate::position::{Outcome, Position};
use crate::rules::RuleBook;

/// The score of a win on the board now; a win in `n` plies scores `WIN - n`. Losses are its negative.
pub const WIN: i32 = 32_000;

/// The deepest ply a search reaches.
pub const MAX_PLY: u32 = 128;

/// Scores at least this high are proven wins; at most its negative, proven losses.
pub const PROVEN: i32 = WIN - 2 * MAX_PLY as i32;

/// What is searched: a position, and the state of the game it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a, G: Position, E: Evaluate<G>> {
    /// The current position.
    pub position: &'a G,
    /// The rule book in force.
    pub rules: &'a RuleBook,
    /// The static evaluation.
    pub evaluation: &'a E,
    /// The moves to choose from (`searchmoves`, as UCI calls them); all legal ones if it is empty.
    pub root_moves: &'a [G::Move],
    /// The hashes of the earlier positions of the game, in any order. Coming back to one of them scores as a
    /// draw.
    pub past: &'a [u64],
    /// How many turns have been played: the length rules count from here.
    pub turns: u32,
    /// How many of the latest turns went by without a capture.
    pub turns_without_capture: u32,
}

impl<'a, G: Position, E: Evaluate<G>> Root<'a, G, E> {
    /// A game that begins at `position`.
    pub fn new(position: &'a G, rules: &'a RuleBook, evaluation: &'a E) -> Root<'a, G, E> {
        Root {
            position,
            rules,
            evaluation,
            root_moves: &[],
            past: &[],
            turns: 0,
            turns_without_capture: 0,
        }
    }
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The last depth completed, in plies.
    pub depth: u32,
    /// The deepest ply searched so far.
    pub selective_depth: u32,
    /// The score of the position for its side to move: hundredths of a man, or a win or loss near
    /// ±[`WIN`].
    pub score: i32,
    /// The nodes searched so far.
    pub nodes: u64,
    /// The line of best play, never empty: that of the last depth completed, or of the part searched of the next.
    pub principal_variation: Vec<M>,
}

impl<M: Clone> Report<M> {
    /// The move to play.
    pub fn best(&self) -> M {
        self.principal_variation[0].clone()
    }
}

/// How often the caller is asked whether to stop, in nodes: at over five million a second (`docs/dev/contest-bot.md`)
/// every fifth of a millisecond.
const NODES_BETWEEN_QUESTIONS: u64 = 1024;

/// The score of a draw.
const DRAW: i32 = 0;

/// The score of an outcome on the board at `ply`, for the side to move there: sooner wins are better.
fn score_of<G: Position>(outcome: Outcome, position: &G, ply: u32) -> i32 {
    match outcome {
        Outcome::Draw => DRAW,
        Outcome::Win(side) if side == position.side_to_move() => WIN - ply as i32,
        Outcome::Win(_) => ply as i32 - WIN,
    }
}

#[cfg(test)]
mod tests;
