//! A ladder's games in a PostgreSQL database, which many machines can share.
//!
//! Leases last by the server's clock: the machines' own are never compared. What is written is durable as the server
//! is set up: `synchronous_commit` is left as it is.

mod address;
mod bots;
mod connection;
mod leases;
mod lock;
mod order;
mod pairs;
mod problems;
mod schema;
mod shared;
mod tls;
mod workers;

pub use address::{Address, AddressError};

use super::shared::SharedStore;
use super::{Store, StoreError};
use connection::Connection;
use schema::Wanted;
use std::path::PathBuf;
use std::time::Duration;

/// How long a lost connection is tried to be made again.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same while a run plays, which asks again and tells of it meanwhile, and for who looks on.
const MOMENT: Duration = Duration::from_secs(1);

/// The games of one ladder, in a database of its own.
#[derive(Debug)]
pub struct PostgresStore {
    connection: Connection,
}

impl PostgresStore {
    /// Opens the database of a ladder that has begun, and brings it to the newest version.
    ///
    /// # Errors
    /// When there is no ladder, it is of a newer version, or the server cannot be used.
    pub fn open(address: &Address) -> Result<PostgresStore, StoreError> {
        PostgresStore::connect(address, Wanted::Begun)
    }

    /// The same for those who look on: a lost connection is told after a moment.
    ///
    /// # Errors
    /// As for [`PostgresStore::open`].
    pub fn read(address: &Address) -> Result<PostgresStore, StoreError> {
        let store = PostgresStore::open(address)?;
        store.connection.set_patience(MOMENT);
        Ok(store)
    }

    /// Begins a ladder in an empty database.
    ///
    /// # Errors
    /// When something is in it already, or the server cannot be used.
    pub fn create(address: &Address) -> Result<PostgresStore, StoreError> {
        PostgresStore::connect(address, Wanted::New)
    }

    fn connect(address: &Address, wanted: Wanted) -> Result<PostgresStore, StoreError> {
        let connection = Connection::open(address, PATIENCE)?;
        let url = address.url().to_string();
        connection.run(move |client| schema::migrate(client, wanted, &url))??;
        Ok(PostgresStore { connection })
    }
}

impl Store for PostgresStore {
    fn begin_run(&mut self) -> Result<u64, StoreError> {
        let run = self.connection.run(|client| {
            let insert = "INSERT INTO run DEFAULT VALUES RETURNING id";
            Ok(client.query_one(insert, &[])?.get(0))
        })?;
        self.connection.set_patience(MOMENT);
        Ok(natural(run))
    }

    fn close_and_count(self: Box<Self>, run: u64) -> Result<u64, StoreError> {
        let address = self.connection.address().clone();
        drop(self);
        let store = PostgresStore::open(&address)?;
        let run = whole(run);
        let count = store.connection.run(move |client| {
            let count = "SELECT count(*) FROM pair WHERE run = $1 AND stored IS NOT NULL";
            Ok(client.query_one(count, &[&run])?.get(0))
        })?;
        Ok(natural(count))
    }

    fn shared(&self) -> Option<&dyn SharedStore> {
        Some(self)
    }

    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError> {
        Ok(None)
    }
}

/// A number as the server has it.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of the server's that is never negative.
fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
