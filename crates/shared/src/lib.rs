//! A ladder that machines share: its games in a PostgreSQL database ([`PostgresStore`]), reached by TLS.
//!
//! [`register`] makes such databases available to `crownhead-ladder`, which also has the worker.
//!
//! Leases last by the server's clock; the machines' clocks are never compared. How durable a write is depends on the
//! server's `synchronous_commit`, which is left unchanged.

mod address;
mod connection;
mod error;
mod order;
mod roles;
mod schema;
mod shared;
mod statements;
mod tls;

use crate::error::store_error;
use address::PostgresUrl;
use connection::Connection;
use crownhead_ladder::store::shared::SharedStore;
use crownhead_ladder::store::sql::{Database, Durability, Sql};
use crownhead_ladder::store::{Access, Databases, StoreError, use_databases};
use statements::Statements;
use std::time::Duration;

/// How long to try to reconnect.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same for readers, and while a run plays, which asks again and reports it meanwhile.
const MOMENT: Duration = Duration::from_secs(1);

/// The games of one ladder, in a database of its own.
#[derive(Debug)]
pub struct PostgresStore {
    connection: Connection,
}

/// Lets ladders be kept in PostgreSQL databases.
pub fn register() {
    use_databases(Databases {
        check: |url| Ok(PostgresUrl::parse(url)?.warning()),
        open: |url, access| Ok(Box::new(PostgresStore::open(url, access)?)),
    });
}

impl PostgresStore {
    /// Opens a ladder's database at this address.
    ///
    /// # Errors
    /// When there is no ladder, or there is one already and a new one was requested; when it has another version, or
    /// the address or the server cannot be used.
    pub fn open(url: &str, access: Access) -> Result<PostgresStore, StoreError> {
        let address = PostgresUrl::parse(url);
        let address = address.map_err(|error| StoreError::server(url, error.to_string()))?;
        let mut store = PostgresStore {
            connection: Connection::open(address, PATIENCE)?,
        };
        store.transact(|sql| match access {
            Access::New => schema::create(sql, url),
            Access::Read | Access::Write => schema::expect_ladder(sql, url),
        })?;
        if access == Access::Read {
            store.be_impatient()?;
        }
        Ok(store)
    }

    /// As durable as the server's settings make it.
    fn transact<T>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.connection.run(|client| {
            let mut transaction = client.transaction().map_err(store_error)?;
            let done = work(&mut Statements(&mut transaction))?;
            transaction.commit().map_err(store_error)?;
            Ok(done)
        })
    }
}

impl Database for PostgresStore {
    /// A lease outlasts several of these.
    const RENEWAL: Duration = Duration::from_secs(10);

    fn renew_statement(pairs: &str) -> String {
        format!(
            "UPDATE pair SET leased_until = clock_timestamp() + make_interval(secs => 60)
             WHERE run = ?1 AND id IN ({pairs}) AND leased_until > clock_timestamp()"
        )
    }

    fn read<T>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.connection.run(|client| work(&mut Statements(client)))
    }

    fn write<T>(
        &mut self,
        _: Durability,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.transact(work)
    }

    fn be_impatient(&mut self) -> Result<(), StoreError> {
        self.connection.patience = MOMENT;
        Ok(())
    }

    fn number_stored(&self) -> Result<(), StoreError> {
        order::number_stored(self)
    }

    fn shared(&self) -> Option<&dyn SharedStore> {
        Some(self)
    }
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
