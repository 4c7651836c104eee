//! The ledger of a run: its store, the leases that it holds, and what is stored.

use super::roster::Roster;
use super::standings::LadderTally;
use crate::store::{Entrant, Lease, Store, StoreError, StoredPair};
use std::collections::BTreeMap;
use std::time::Instant;

/// What a run has stored and holds.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) store: Box<dyn Store>,
    /// This run's number.
    pub(super) run: u64,
    renewed: Instant,
    /// By their leases: a pair whose lease has ended may be claimed again while its games still go on.
    pub(super) under_way: BTreeMap<Lease, [Entrant; 2]>,
    /// Pairs that this run has stored.
    pub(super) stored: u64,
    /// All finished pairs, also those of other runs.
    pub(super) tally: LadderTally,
    /// The last of them in the order in which they were stored.
    pub(super) last: u64,
    /// The store's revision, when the ladder was counted last.
    pub(super) revision: u64,
    /// Whether it was told that the store keeps the run waiting.
    told_passing: bool,
}

/// What came of asking the store.
pub(super) enum Attempt<T> {
    Done(T),
    /// What failed goes by itself: the error, and what people are told of it the first time.
    Passing(anyhow::Error, Option<String>),
}

impl Ledger {
    /// The ledger of a new run.
    pub(super) fn begin(mut store: Box<dyn Store>) -> Result<Ledger, StoreError> {
        Ok(Ledger {
            run: store.begin_run()?,
            store,
            renewed: Instant::now(),
            under_way: BTreeMap::new(),
            stored: 0,
            tally: LadderTally::default(),
            last: 0,
            revision: 0,
            told_passing: false,
        })
    }

    /// Does something with the store once.
    ///
    /// # Errors
    /// When the store fails for good.
    pub(super) fn attempt<T, E: Into<anyhow::Error>>(
        &mut self,
        work: &mut impl FnMut(&mut dyn Store, u64) -> Result<T, E>,
    ) -> anyhow::Result<Attempt<T>> {
        let error = match work(self.store.as_mut(), self.run) {
            Ok(done) => {
                self.told_passing = false;
                return Ok(Attempt::Done(done));
            }
            Err(error) => error.into(),
        };
        let Some(told) = error.downcast_ref().and_then(StoreError::passing) else {
            return Err(error);
        };
        let is_told = std::mem::replace(&mut self.told_passing, true);
        Ok(Attempt::Passing(error, (!is_told).then_some(told)))
    }

    /// The pairs to which this run has leases.
    pub(super) fn held(&self) -> Vec<u64> {
        self.under_way.keys().map(|lease| lease.pair).collect()
    }

    /// Whether leases are to be renewed.
    pub(super) fn is_renewal_due(&self) -> bool {
        self.renewed.elapsed() >= self.store.renewal()
    }

    pub(super) fn note_renewal(&mut self) {
        self.renewed = Instant::now();
    }

    /// Renews the leases if it is time, as well as can be: a run that loses one cannot store its pair, and no more.
    pub(super) fn try_renew(&mut self) {
        let held = self.held();
        if self.is_renewal_due() && self.store.renew(self.run, &held).is_ok() {
            self.note_renewal();
        }
    }

    /// Counts everything anew.
    pub(super) fn recount(&mut self, roster: Roster) {
        self.tally = LadderTally::new(roster);
        self.last = 0;
    }

    /// Counts a stored pair; gives the numbers of its bots, those that are known.
    pub(super) fn count(&mut self, pair: &StoredPair) -> [Option<usize>; 2] {
        self.last = pair.finished;
        let roster = self.tally.roster();
        let numbers = [&pair.key.first, &pair.key.second].map(|bot| roster.number_of(bot));
        self.tally.add(pair);
        numbers
    }
}
