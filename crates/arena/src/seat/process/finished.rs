//! What is left of a bot when its game is over.

use super::lag::TICK;
use crate::diagnosis::{Probe, TurnFacts};
use crownhead_record::judge::{Spent, TimeLimits};
use crownhead_record::{Stderr, TurnRecord, read_said};
use std::time::Duration;

/// What is left of a bot when its game is over.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Finished {
    /// Its standard error before its first turn.
    pub(crate) stderr_before: Stderr,
    /// Of each turn, in order, its standard error until the next one.
    pub(crate) stderr: Vec<Stderr>,
    /// Its standard error after its input was closed.
    pub(crate) stderr_after: Stderr,
    /// Where the time of each turn went, in order.
    pub(crate) spent: Vec<Spent>,
    /// The bytes of memory that it held in some of its turns, which are numbered from 1.
    pub(crate) memory: Vec<(usize, u64)>,
    /// What is known of its last turn.
    pub(crate) last_turn: TurnFacts,
    /// What it did after a timeout.
    pub(crate) probe: Probe,
    /// Whether it lost on time, and perhaps would not have on an idle machine.
    pub(crate) doubtful: bool,
    /// How long it took from its start until it waited for its input; unknown of one that never did, or where the system
    /// does not show it.
    pub(crate) start_up: Option<Duration>,
}

impl Finished {
    /// Adds to the records of the bot's turns, in order, where their time went and what the bot said.
    pub(crate) fn note<'a>(
        &self,
        turns: impl Iterator<Item = &'a mut TurnRecord>,
        limits: TimeLimits,
    ) {
        let facts = self.spent.iter().zip(&self.stderr);
        for (place, (turn, (spent, stderr))) in turns.zip(facts).enumerate() {
            (turn.work, turn.waited) = (spent.work, spent.waited);
            let limit = turn.limit.unwrap_or_else(|| limits.of(place + 1));
            let given_back = spent.given_back(limit);
            // What did not help was not given.
            if spent.wall - given_back <= limit {
                turn.given_back = given_back;
            }
            if spent.lag.longest >= TICK {
                turn.lag = spent.lag.longest;
            }
            turn.stderr = stderr.clone();
            turn.said = read_said(&stderr.kept);
        }
    }

    /// What is kept of its standard error, from first to last.
    pub(crate) fn said(&self) -> String {
        let parts = std::iter::once(&self.stderr_before).chain(&self.stderr);
        let parts = parts.chain([&self.stderr_after]);
        parts
            .map(|part| String::from_utf8_lossy(&part.kept))
            .collect()
    }
}
