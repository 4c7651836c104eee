//! Keeps a ladder's games: [`Store`], written once ([`sql`]) for one SQLite file ([`sqlite`]) or a database that many
//! machines share (`postgres`, with the feature `shared`). Nothing else in Crownhead knows SQL.
//!
//! A pair is stored in one transaction: both games' records, and that it is finished. The transaction is durable before
//! the call returns. Pairs under way are *leased* to a run, each claim under a *fencing number* (M. Kleppmann 2016,
//! "How to do distributed locking"): a run whose lease has ended stores nothing of the pair. Each backend measures
//! leases in its own way, never by a calendar.

mod bots;
mod database;
mod error;
mod pairs;
#[cfg(feature = "shared")]
mod postgres;
pub mod shared;
pub mod sql;
pub mod sqlite;

pub(crate) use bots::label_of_earlier;
pub use bots::{BotStates, BotVersion, UNKNOWN_VERSION};
pub use database::{Access, Address, Opened};
pub use error::StoreError;
pub use pairs::{
    Entrant, FinishedPair, Lease, PairKey, Problem, StoredGame, StoredPair, StoredSummary,
};
#[cfg(feature = "shared")]
pub use postgres::PostgresStore;
pub use sqlite::{SqliteStore, tell_waits_by};

use crownhead_record::GameRecord;
use shared::SharedStore;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// The games of one ladder, and the data needed to play them.
///
/// # Errors
/// All methods fail when the backend does.
pub trait Store: Debug + Send {
    /// Registers a new run and returns its number. From here on, calls wait only a moment for a store that is locked or
    /// unreachable. The run asks again ([`StoreError::passing`]) and reports it meanwhile.
    fn begin_run(&mut self) -> Result<u64, StoreError>;

    /// The shared part of a store for many machines; `None` for a file.
    fn shared(&self) -> Option<&dyn SharedStore>;

    /// Writes the store's content into a new file beside it, even if its file was removed. Returns the path and the
    /// number of finished pairs. `None` if the store is not a file.
    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError>;

    /// All versions of all bots, each bot's first one first.
    fn versions(&self) -> Result<Vec<BotVersion>, StoreError>;

    /// Makes this the version of its bot that plays. Enables the bot if it was disabled.
    fn accept(&mut self, version: &BotVersion) -> Result<(), StoreError>;

    /// Which bots are disabled, and which were enabled again.
    fn bot_states(&self) -> Result<BotStates, StoreError>;

    /// Disables a bot for this reason, or enables it. Games before that are no reason to disable it again.
    fn set_disabled(&mut self, bot: &str, reason: Option<&str>) -> Result<(), StoreError>;

    /// Claims a pair for a run; `None` if it is finished or leased.
    fn claim(&mut self, run: u64, key: &PairKey) -> Result<Option<Lease>, StoreError>;

    /// Renews a run's leases of the pairs with these numbers, except ended ones.
    fn renew(&mut self, run: u64, pairs: &[u64]) -> Result<(), StoreError>;

    /// How often a run renews its leases.
    fn renewal(&self) -> Duration;

    /// Gives back all pairs that a run has claimed and not finished.
    fn release(&mut self, run: u64) -> Result<(), StoreError>;

    /// The bots of all claimed pairs.
    fn under_way(&self) -> Result<Vec<[String; 2]>, StoreError>;

    /// Stores finished pairs durably, all in one transaction.
    ///
    /// Returns for each whether it was stored, which fails if its lease has ended.
    fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError>;

    /// Gives a pair back to be played again, and keeps these games of it as void. Does nothing if its lease has ended.
    fn give_back(&mut self, run: u64, lease: Lease, games: &[GameRecord])
    -> Result<(), StoreError>;

    /// The finished pairs in the order of storing, without their records: those after [`StoredPair::finished`] of
    /// `after`, all for 0. A new pair never comes before one that was read.
    ///
    /// # Errors
    /// Also when a pair cannot be right, because uncertain pairs must not be rated.
    fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError>;

    /// Passes the games of the pairs stored after number `after` to `visit`, in order; all for 0.
    fn summaries(&self, after: u64, visit: &mut dyn FnMut(StoredSummary))
    -> Result<(), StoreError>;

    /// Passes the records of all rated games to `visit` in the order of their numbers, including unreadable ones, until
    /// it breaks.
    fn each_record(
        &self,
        visit: &mut dyn FnMut(Result<GameRecord, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// The record of a game, as a line of a record file; `None` if no game has this number.
    fn record(&self, number: u64) -> Result<Option<String>, StoreError>;

    /// The problems of the store and its content. `doubt` says of each readable record what speaks against it.
    fn problems(
        &self,
        doubt: &mut dyn FnMut(&GameRecord) -> Option<String>,
    ) -> Result<Vec<Problem>, StoreError>;

    /// Keeps the games of these pairs as void, and has the pairs played again.
    fn play_again(&mut self, pairs: &[u64]) -> Result<(), StoreError>;
}

impl dyn Store {
    /// Passes the records of all rated games to `visit`, in the order of their numbers. Skips unreadable ones, and
    /// reports them at the end.
    ///
    /// # Errors
    /// When one cannot be read, after all others were passed on; or when `visit` fails.
    pub fn each_game<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut failed, mut unreadable) = (None, None);
        self.each_record(&mut |record| match record.map(&mut visit) {
            Ok(Ok(())) => ControlFlow::Continue(()),
            Ok(Err(error)) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
            Err(error) => {
                unreadable.get_or_insert(error);
                ControlFlow::Continue(())
            }
        })?;
        failed.or(unreadable.map(E::from)).map_or(Ok(()), Err)
    }
}
