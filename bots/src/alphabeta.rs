//! Searches as deep as the limits allow.

use crate::player::{Player, Turn};
use crownhead::evaluate::Evaluate;
use crownhead::game::Game;
use crownhead::rules::RuleBook;
use crownhead::search::{search, Handler, MAX_PLY};
use std::time::{Duration, Instant};

/// A player that searches with alpha-beta.
#[derive(Clone, Debug)]
pub struct AlphaBeta<E> {
    evaluation: E,
    rules: RuleBook,
    limits: Limits,
}

/// What ends a search: whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The time limit of a turn. The search stops [`RESERVE`] before it.
    pub time: Option<Duration>,
    /// The deepest depth to complete.
    pub depth: Option<u32>,
    /// The number of positions to look at. Without a time limit, the same position is always answered
    /// with the same move.
    pub nodes: Option<u64>,
}

/// Kept back from the time limit of a turn, for the answer's way to the referee and for a core that is
/// late.
pub const RESERVE: Duration = Duration::from_millis(15);

impl<E> AlphaBeta<E> {
    /// A player that judges positions by `evaluation` and searches within `limits`.
    pub fn new(evaluation: E, rules: RuleBook, limits: Limits) -> AlphaBeta<E> {
        AlphaBeta {
            evaluation,
            rules,
            limits,
        }
    }
}

impl<G: Game, E: Evaluate<G>> Player<G> for AlphaBeta<E> {
    fn choose(&mut self, turn: &Turn<'_, G>) -> G::Move {
        if let [only] = turn.moves {
            return *only;
        }
        let mut stop = Stop {
            at: self
                .limits
                .time
                .map(|time| turn.began + time.saturating_sub(RESERVE)),
            nodes: self.limits.nodes.unwrap_or(u64::MAX),
        };
        let depth = self.limits.depth.unwrap_or(MAX_PLY);
        let found = search(
            turn.position,
            &self.rules,
            &self.evaluation,
            depth,
            &mut stop,
        );
        found.expect("a turn offers a move").best()
    }
}

/// Stops a search at a moment or after a number of positions.
struct Stop {
    at: Option<Instant>,
    nodes: u64,
}

impl<M> Handler<M> for Stop {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.nodes || self.at.is_some_and(|at| Instant::now() >= at)
    }
}
