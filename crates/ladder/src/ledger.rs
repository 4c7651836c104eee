//! The ledger of a run: its store, its leases, and the stored pairs.

use super::roster::Roster;
use super::standings::LadderTally;
use crate::store::{Entrant, Lease, Store, StoreError, StoredPair};
use std::collections::BTreeMap;
use std::time::Instant;

/// What a run has stored and holds.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) store: Store,
    /// This run's number.
    pub(super) run: u64,
    pub(super) renewed: Instant,
    /// Keyed by lease, because a pair may be claimed again after its lease has ended while its games are still being
    /// played.
    pub(super) under_way: BTreeMap<Lease, [Entrant; 2]>,
    /// Pairs that this run has stored.
    pub(super) stored: u64,
    /// All finished pairs, also those of other runs.
    pub(super) tally: LadderTally,
    /// The last of them in the order in which they were stored.
    pub(super) last: u64,
    /// Whether it has reported that the store keeps the run waiting.
    pub(super) told_passing: bool,
}

impl Ledger {
    /// The ledger of a new run.
    pub(super) fn begin(mut store: Store) -> Result<Ledger, StoreError> {
        Ok(Ledger {
            run: store.begin_run()?,
            store,
            renewed: Instant::now(),
            under_way: BTreeMap::new(),
            stored: 0,
            tally: LadderTally::default(),
            last: 0,
            told_passing: false,
        })
    }

    /// The pairs with leases to renew, if it is time.
    pub(super) fn due(&self) -> Option<Vec<u64>> {
        let is_due = self.renewed.elapsed() >= self.store.renewal();
        is_due.then(|| self.under_way.keys().map(|lease| lease.pair).collect())
    }

    /// Renews the leases if it is time. Failure is harmless: a run that loses a lease only cannot store its pair.
    pub(super) fn try_renew(&mut self) {
        if let Some(held) = self.due()
            && self.store.renew(self.run, &held).is_ok()
        {
            self.renewed = Instant::now();
        }
    }

    /// Counts everything again.
    pub(super) fn recount(&mut self, roster: Roster) {
        self.tally = LadderTally::new(roster);
        self.last = 0;
    }

    /// Counts a stored pair, and returns the numbers of its known bots.
    pub(super) fn count(&mut self, pair: &StoredPair) -> [Option<usize>; 2] {
        self.last = pair.finished;
        let roster = &mut self.tally.roster;
        let numbers = [&pair.key.first, &pair.key.second].map(|bot| roster.number_of(bot));
        self.tally.add(pair);
        numbers
    }
}
