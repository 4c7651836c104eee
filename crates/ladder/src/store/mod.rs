//! Keeps a ladder's games: [`Store`], written once ([`sql`]) for one SQLite file ([`sqlite`]) or a database that many
//! machines share (`postgres`, with the feature `shared`). Nothing else in Crownhead knows SQL.
//!
//! A pair is stored in one transaction: its games' records, and that it is finished. The transaction is durable before
//! the call returns. Pairs under way are *leased* to a run, each claim under a *fencing number* (M. Kleppmann 2016,
//! "How to do distributed locking"): a run whose lease has ended stores nothing of the pair. Each backend measures
//! leases in its own way, never by a calendar.

mod error;
mod pairs;
#[cfg(feature = "shared")]
mod postgres;
pub mod shared;
pub mod sql;
pub mod sqlite;

pub use error::StoreError;
pub use pairs::{
    BotStates, BotVersion, Entrant, FinishedPair, Lease, PairKey, Problem, StoredPair,
    UNKNOWN_VERSION,
};
pub(crate) use pairs::{first_game, label_of_earlier};
#[cfg(feature = "shared")]
pub use postgres::{Address, PostgresStore};
pub use sql::Store;
pub use sqlite::{SqliteStore, tell_waits_by};

/// The purpose of opening a ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// To write an existing ladder.
    Write,
    /// To read an existing ladder. A lost connection is reported after a moment.
    Read,
    /// To create a ladder in an empty database.
    New,
}

/// The address of a ladder's database. There is none, because this program was built without databases.
#[cfg(not(feature = "shared"))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(std::convert::Infallible);

#[cfg(not(feature = "shared"))]
#[allow(missing_docs, clippy::missing_errors_doc)]
impl Address {
    pub fn parse(_: &str) -> Result<Address, String> {
        let told = "this crownhead was built without databases; `cargo build --release --features shared` builds one with";
        Err(told.into())
    }

    pub fn url(&self) -> &str {
        match self.0 {}
    }

    pub fn warning(&self) -> Option<&'static str> {
        match self.0 {}
    }

    pub fn open(&self, _: Access) -> Result<Store, StoreError> {
        match self.0 {}
    }

    pub fn set_roles(&self, _: Option<&str>, _: Option<&str>) -> Result<shared::Roles, StoreError> {
        match self.0 {}
    }
}
