//! A ladder's games in a PostgreSQL database, which many machines can share.
//!
//! Leases last by the server's clock: the machines' own are never compared. What is written is durable as the server
//! is set up: `synchronous_commit` is left as it is.

mod address;
mod connection;
mod order;
mod schema;
mod shared;
mod statements;
mod tls;
mod workers;

pub use address::{Address, AddressError};

use super::StoreError;
use super::shared::SharedStore;
use super::sql::{Database, Durability, Sql};
use connection::Connection;
use postgres::Client;
use schema::Wanted;
use statements::Statements;
use std::time::Duration;

/// How long a lost connection is tried to be made again.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same while a run plays, which asks again and tells of it meanwhile, and for readers.
const MOMENT: Duration = Duration::from_secs(1);

/// The games of one ladder, in a database of its own.
#[derive(Debug)]
pub struct PostgresStore {
    connection: Connection,
}

impl PostgresStore {
    /// Opens the database of a ladder that has begun.
    ///
    /// # Errors
    /// When there is no ladder, it is of another version, or the server cannot be used.
    pub fn open(address: &Address) -> Result<PostgresStore, StoreError> {
        PostgresStore::connect(address, Wanted::Begun)
    }

    /// The same for readers: a lost connection is told after a moment.
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
        connection.run(move |client| schema::look_up(client, wanted, &url))?;
        Ok(PostgresStore { connection })
    }
}

impl Database for PostgresStore {
    /// A lease outlasts several.
    const RENEWAL: Duration = Duration::from_secs(10);

    fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        self.connection
            .run(move |client: &mut Client| work(&mut Statements(client)))
    }

    /// Durable as the server is set up.
    fn write<T: Send + 'static>(
        &mut self,
        _: Durability,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        self.connection.run(move |client| {
            let mut transaction = client.transaction()?;
            let done = work(&mut Statements(&mut transaction))?;
            transaction.commit()?;
            Ok(done)
        })
    }

    fn reopen(self) -> Result<PostgresStore, StoreError> {
        let address = self.connection.address().clone();
        drop(self);
        PostgresStore::open(&address)
    }

    fn be_impatient(&mut self) -> Result<(), StoreError> {
        self.connection.set_patience(MOMENT);
        Ok(())
    }

    fn number_stored(&self) -> Result<(), StoreError> {
        self.connection.run(order::number_stored)
    }

    fn shared(&self) -> Option<&dyn SharedStore> {
        Some(self)
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
