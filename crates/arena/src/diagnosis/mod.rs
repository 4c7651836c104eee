//! From what was seen of a bot that failed to the sentences that find its mistake.
//!
//! Pure functions: the process seat gathers `TurnFacts` and, after a timeout, a `Probe`; here they become words.
//! Leaves out what the failure costs ([`table`](crate::table)).

mod answer;
mod causes;
mod failed_turn;
mod headline;
mod memory;
mod reading;
mod times;

pub(crate) use failed_turn::{Doing, FailedTurn, Probe, Took, TurnFacts};

#[cfg(test)]
mod tests;
