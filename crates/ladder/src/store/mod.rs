//! Keeps a ladder's games: [`Store`], written once ([`sql`]) for one SQLite file ([`sqlite`]) or a database that many
//! machines share (`postgres`, with the feature `shared`). Nothing else in Crownhead knows SQL.
//!
//! A pair is stored in one transaction: both games' records, and that it is finished. The transaction is durable before
//! the call returns. Pairs under way are *leased* to a run, each claim under a *fencing number* (M. Kleppmann 2016,
//! "How to do distributed locking"): a run whose lease has ended stores nothing of the pair. Each backend measures
//! leases in its own way, never by a calendar.

mod database;
mod error;
mod pairs;
#[cfg(feature = "shared")]
mod postgres;
pub mod shared;
pub mod sql;
pub mod sqlite;

pub use database::Access;
#[cfg(not(feature = "shared"))]
pub use database::Address;
pub use error::StoreError;
pub(crate) use pairs::label_of_earlier;
pub use pairs::{
    BotStates, BotVersion, Entrant, FinishedPair, Lease, PairKey, Problem, StoredGame, StoredPair,
    UNKNOWN_VERSION,
};
#[cfg(feature = "shared")]
pub use postgres::{Address, PostgresStore};
pub use sql::Store;
pub use sqlite::SqliteStore;
