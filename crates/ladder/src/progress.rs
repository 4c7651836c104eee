//! The progress of a run, for display.

use super::config::Config;
use super::standings::{LadderTally, Standings};
use crownhead_record::GameRecord;
use std::time::Duration;

/// The state of a run.
#[derive(Debug)]
pub struct Progress<'a> {
    pub(super) tally: &'a LadderTally,
    pub(super) config: &'a Config,
    pub(super) disabled: &'a [(String, String)],
    /// Pairs of games that are not finished.
    pub left: u64,
    /// Games finished by this run.
    pub games: u64,
    /// Since the run started.
    pub elapsed: Duration,
    /// The pairs under way, by their bots.
    pub under_way: Vec<[String; 2]>,
    /// News as lines for people.
    pub news: Option<String>,
    /// The games just stored that a bot lost by its own fault.
    pub faults: Vec<&'a GameRecord>,
    /// Whether the run has ended, so that this is its final state.
    pub is_last: bool,
}

impl Progress<'_> {
    /// All finished pairs, of this run and others, including void ones.
    pub fn finished(&self) -> u64 {
        self.tally.all_pairs()
    }

    /// The void pairs among them.
    pub fn void(&self) -> u64 {
        self.tally.void
    }

    /// About how long the pairs that are left take, if their games last as long as those that are stored.
    pub fn time_left(&self) -> Option<Duration> {
        let at_once = u32::try_from(self.config.concurrency).ok()?;
        let left = u32::try_from(self.left).ok()?;
        let pair = self.tally.thinking_per_pair()?;
        Some(pair.saturating_mul(left) / at_once.max(1))
    }

    /// The table as it is now.
    pub fn standings(&self) -> Standings {
        self.tally.standings(self.config, self.disabled)
    }
}
