//! Where a ladder's games are kept: [`Store`], with one SQLite file behind it ([`sqlite`]), or a PostgreSQL database
//! that many machines share ([`mod@postgres`]). Nothing else in Crownhead knows SQL.
//!
//! A pair is stored whole, both games' records and that it is finished, in one transaction that is durable before the
//! call returns. Pairs under way are *leased* to a run, each claim under a *fencing number* (M. Kleppmann 2016, "How
//! to do distributed locking"): a run whose lease has ended stores nothing of the pair. What a lease is measured by is the
//! backend's own affair, and never a calendar.

mod bots;
mod error;
mod pairs;
pub mod postgres;
mod problem;
pub mod shared;
pub mod sqlite;

pub use bots::{BotVersion, UNKNOWN_VERSION};
pub use error::StoreError;
pub use pairs::{
    Claim, Entrant, FinishedPair, Lease, PairKey, Quota, StoredGame, StoredPair, StoredSummary,
};
pub use postgres::{Address, AddressError, PostgresStore};
pub use problem::Problem;
pub use sqlite::SqliteStore;

use crownhead_record::GameRecord;
use shared::SharedStore;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// The games of one ladder, and what must be known to play them. Its parts are traits of their own.
///
/// # Errors
/// All methods fail when what is behind the store does.
pub trait Store: BotStore + LeaseStore + PairStore + ProblemStore + Debug + Send {
    /// Enters a new run and gives its number. From here on what keeps the store is waited for only a moment at a
    /// time: who plays asks again ([`StoreError::passing`]) and tells of it meanwhile.
    fn begin_run(&mut self) -> Result<u64, StoreError>;

    /// Closes the store and counts how many pairs of a run a new reader finds.
    fn close_and_count(self: Box<Self>, run: u64) -> Result<u64, StoreError>;

    /// What this store has that many machines share; `None` of a file.
    fn shared(&self) -> Option<&dyn SharedStore> {
        None
    }

    /// Writes all that is in a store whose file was removed into a new file beside it; gives its path and how many
    /// finished pairs are in it. `None` of a store that is no file.
    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError>;
}

/// What is known of a ladder's bots besides their games: their versions, and which are disabled.
pub trait BotStore {
    /// All versions of all bots, each bot's first one first.
    fn versions(&self) -> Result<Vec<BotVersion>, StoreError>;

    /// Makes this the version of its bot that plays. What was said of the one before, that it is disabled, does not
    /// hold of it.
    fn accept(&mut self, version: &BotVersion) -> Result<(), StoreError>;

    /// Disables a bot: it plays no more until it is enabled.
    fn disable(&mut self, bot: &str, reason: &str) -> Result<(), StoreError>;

    /// Lets a bot play again: what it has played so far is no reason to disable it once more.
    fn enable(&mut self, bot: &str) -> Result<(), StoreError>;

    /// The bots that are disabled, with their reasons.
    fn disabled(&self) -> Result<Vec<(String, String)>, StoreError>;

    /// The bots that were enabled, with the number of the last pair that was stored before.
    fn enabled(&self) -> Result<Vec<(String, u64)>, StoreError>;

    /// Notes that people were told this; `false` if they were before.
    fn tell_once(&mut self, what: &str) -> Result<bool, StoreError>;
}

/// Which run plays which pair.
pub trait LeaseStore {
    /// Claims a pair for a run, unless it is finished or leased.
    fn claim(&mut self, run: u64, key: &PairKey, quota: Option<Quota>)
    -> Result<Claim, StoreError>;

    /// Holds the leases that a run has to the pairs of these numbers, those that have not ended.
    fn renew(&mut self, run: u64, pairs: &[u64]) -> Result<(), StoreError>;

    /// How often a run renews its leases.
    fn renewal(&self) -> Duration;

    /// Gives back all that a run has claimed and not finished.
    fn release(&mut self, run: u64) -> Result<(), StoreError>;

    /// The bots of the pairs that some run has claimed.
    fn under_way(&self) -> Result<Vec<[String; 2]>, StoreError>;
}

/// Pairs of games: stored whole, and read in the order in which they were.
pub trait PairStore {
    /// Stores finished pairs whole, durably, all in one transaction.
    ///
    /// Gives for each whether it was stored: not if the lease to it has ended.
    fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError>;

    /// Keeps the games of a pair that came to nothing, and gives the pair back to be played again; nothing is done if the
    /// lease to it has ended.
    fn give_back(&mut self, run: u64, lease: Lease, games: &[GameRecord])
    -> Result<(), StoreError>;

    /// Keeps void games, which are not rated, whatever becomes of their pair; not if the lease to it has ended.
    fn keep_void(&mut self, run: u64, lease: Lease, games: &[GameRecord])
    -> Result<(), StoreError>;

    /// The finished pairs in the order in which they were stored, without their records: those that come after
    /// [`StoredPair::finished`] of `after`, all for 0. None ever comes before one that was read. Those that cannot be
    /// right are left out ([`ProblemStore::problems_of_pairs`]).
    fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError>;

    /// Hands the games of the pairs that were stored after the one numbered `after` to `visit`, in that order; all
    /// for 0.
    fn summaries(&self, after: u64, visit: &mut dyn FnMut(StoredSummary))
    -> Result<(), StoreError>;

    /// Hands the records of all rated games to `visit` with the numbers of their pairs, in that order, also those
    /// that cannot be read, until it breaks.
    fn each_record(
        &self,
        visit: &mut dyn FnMut(u64, Result<GameRecord, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// The record of a game, as its line in a file of records; `None` if there is none of this number.
    fn record(&self, number: u64) -> Result<Option<String>, StoreError>;

    /// The last game that was stored.
    fn last_game(&self) -> Result<Option<GameRecord>, StoreError>;
}

/// What can be wrong with what is stored, and mending it.
pub trait ProblemStore {
    /// What is wrong with the store and with what it says.
    fn problems(&self) -> Result<Vec<Problem>, StoreError>;

    /// Those that keep a run from coming to its end or standings from being shown; found without reading all.
    fn problems_of_pairs(&self) -> Result<Vec<Problem>, StoreError>;

    /// Mends these problems, all or none; tells for each what was done, or that nothing can be.
    fn repair(&mut self, problems: &[Problem]) -> Result<Vec<String>, StoreError>;
}

impl dyn Store {
    /// Hands the records of all rated games to `visit`, in the order of their numbers.
    ///
    /// # Errors
    /// When one cannot be read, or `visit` fails.
    pub fn each_game<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut failed = None;
        self.each_record(
            &mut |_, record| match record.map_err(E::from).and_then(&mut visit) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        failed.map_or(Ok(()), Err)
    }
}
