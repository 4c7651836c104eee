//! A ladder that machines share: its games in a PostgreSQL database ([`PostgresStore`]), reached by TLS.
//!
//! [`register`] tells the ladder that it can be played in one. Leaves out what a worker plays, which the ladder knows.
//!
//! Leases last by the server's clock: the machines' own are never compared. What is written is durable as the server
//! is set up: `synchronous_commit` is left as it is.

mod address;
mod connection;
mod error;
mod order;
mod schema;
mod shared;
mod statements;
mod tls;
mod workers;

use crate::error::OrStoreError;
use address::PostgresUrl;
use connection::Connection;
use crownhead_ladder::store::shared::SharedStore;
use crownhead_ladder::store::sql::{Database, Durability, Sql};
use crownhead_ladder::store::{
    Access, Address, AddressError, Databases, Store, StoreError, use_databases,
};
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

/// Lets ladders be kept in PostgreSQL databases.
pub fn register() {
    use_databases(&Postgres);
}

struct Postgres;

impl Databases for Postgres {
    fn check(&self, url: &str) -> Result<Option<&'static str>, AddressError> {
        Ok(PostgresUrl::parse(url)?.warning())
    }

    fn open(&self, address: &Address, access: Access) -> Result<Box<dyn Store>, StoreError> {
        let store = PostgresStore::open(address.url(), access);
        Ok(Box::new(store?))
    }
}

impl PostgresStore {
    /// Opens a ladder's database at this address.
    ///
    /// # Errors
    /// When there is no ladder, or is one where a new one begins; when it is of another version, the address cannot be
    /// used or the server cannot.
    pub fn open(url: &str, access: Access) -> Result<PostgresStore, StoreError> {
        let refused = |error: AddressError| StoreError::Server {
            url: url.into(),
            why: error.to_string(),
            is_passing: false,
        };
        let address = PostgresUrl::parse(url).map_err(refused)?;
        let connection = Connection::open(&address, PATIENCE)?;
        let wanted = if access == Access::New {
            Wanted::New
        } else {
            Wanted::Begun
        };
        let url = url.to_string();
        connection.run(move |client| schema::look_up(client, wanted, &url))?;
        if access == Access::Read {
            connection.set_patience(MOMENT);
        }
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
            let mut transaction = client.transaction().or_store_error()?;
            let done = work(&mut Statements(&mut transaction))?;
            transaction.commit().or_store_error()?;
            Ok(done)
        })
    }

    fn reopen(self) -> Result<PostgresStore, StoreError> {
        let url = self.connection.address().url().to_string();
        drop(self);
        PostgresStore::open(&url, Access::Write)
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

#[cfg(test)]
mod tests {
    use super::register;
    use crownhead_ladder::Config;

    #[test]
    fn a_password_in_a_configuration_is_refused_by_its_line() {
        register();
        let error = Config::parse("\nstore = \"postgres://me:secret@host/night\"").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(
            error
                .reason
                .contains("store: there is a password in the address"),
            "{error}"
        );
    }
}
