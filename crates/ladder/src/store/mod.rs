//! Where a ladder's games are kept: [`Store`], written once ([`sql`]) over one SQLite file ([`sqlite`]) or a database
//! that many machines share ([`Databases`]). Nothing else in Crownhead knows SQL.
//!
//! A pair is stored whole, both games' records and that it is finished, in one transaction that is durable before the
//! call returns. Pairs under way are *leased* to a run, each claim under a *fencing number* (M. Kleppmann 2016, "How
//! to do distributed locking"): a run whose lease has ended stores nothing of the pair. What a lease is measured by is the
//! backend's own affair, and never a calendar.

mod bots;
mod database;
mod error;
mod pairs;
pub mod shared;
pub mod sql;
pub mod sqlite;

pub(crate) use bots::label_of_earlier;
pub use bots::{BotStates, BotVersion, UNKNOWN_VERSION};
pub use database::{Access, Address, Databases, Opened, use_databases};
pub use error::StoreError;
pub use pairs::{
    Claim, Entrant, FinishedPair, Lease, PairKey, Problem, Quota, StoredGame, StoredPair,
    StoredSummary,
};
pub use sqlite::{SqliteStore, tell_waits_by};

use crownhead_record::GameRecord;
use shared::SharedStore;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// The games of one ladder, and what must be known to play them.
///
/// # Errors
/// All methods fail when what is behind the store does.
pub trait Store: Debug + Send {
    /// Enters a new run and gives its number. From here on a store that is locked or cannot be reached is waited for only
    /// a moment at a time: a run asks again ([`StoreError::passing`]) and tells of it meanwhile.
    fn begin_run(&mut self) -> Result<u64, StoreError>;

    /// Closes the store and counts how many pairs of a run a new reader finds.
    fn close_and_count(self: Box<Self>, run: u64) -> Result<u64, StoreError>;

    /// What this store has that many machines share; `None` of a file.
    fn shared(&self) -> Option<&dyn SharedStore>;

    /// Writes all that is in a store into a new file beside it, also where its file was removed; gives its path and how
    /// many finished pairs are in it. `None` of a store that is no file.
    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError>;

    /// All versions of all bots, each bot's first one first.
    fn versions(&self) -> Result<Vec<BotVersion>, StoreError>;

    /// Makes this the version of its bot that plays. If the one before was disabled, the bot is enabled.
    fn accept(&mut self, version: &BotVersion) -> Result<(), StoreError>;

    /// Which bots are disabled, and which were enabled again.
    fn bot_states(&self) -> Result<BotStates, StoreError>;

    /// Disables a bot for this reason, or lets it play again: then what it has played so far is no reason to disable it.
    fn set_disabled(&mut self, bot: &str, reason: Option<&str>) -> Result<(), StoreError>;

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

    /// Stores finished pairs whole, durably, all in one transaction.
    ///
    /// Gives for each whether it was stored: not if the lease to it has ended.
    fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError>;

    /// Gives a pair back to be played again, and keeps these games of it as void ones; does nothing if the lease to it
    /// has ended.
    fn give_back(&mut self, run: u64, lease: Lease, games: &[GameRecord])
    -> Result<(), StoreError>;

    /// The finished pairs in the order in which they were stored, without their records: those that come after
    /// [`StoredPair::finished`] of `after`, all for 0. None ever comes before one that was read.
    ///
    /// # Errors
    /// Also when one cannot be right: what is not sure is not rated.
    fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError>;

    /// Hands the games of the pairs that were stored after the one numbered `after` to `visit`, in that order; all
    /// for 0.
    fn summaries(&self, after: u64, visit: &mut dyn FnMut(StoredSummary))
    -> Result<(), StoreError>;

    /// Hands the records of all rated games to `visit` in the order of their numbers, also those that cannot be read,
    /// until it breaks.
    fn each_record(
        &self,
        visit: &mut dyn FnMut(Result<GameRecord, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// The record of a game, as its line in a file of records; `None` if there is none of this number.
    fn record(&self, number: u64) -> Result<Option<String>, StoreError>;

    /// What is wrong with the store and with what it says. `doubt` is asked of each record that can be read what speaks
    /// against it.
    fn problems(
        &self,
        doubt: &mut dyn FnMut(&GameRecord) -> Option<String>,
    ) -> Result<Vec<Problem>, StoreError>;

    /// Keeps the games of these pairs as void ones, and has the pairs played again.
    fn play_again(&mut self, pairs: &[u64]) -> Result<(), StoreError>;
}

impl dyn Store {
    /// Hands the records of all rated games to `visit`, in the order of their numbers; those that cannot be read are left
    /// out, and told in the end.
    ///
    /// # Errors
    /// When one cannot be read, once all others were handed on; or `visit` fails.
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
