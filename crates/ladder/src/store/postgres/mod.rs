//! A ladder that machines share: its games in a PostgreSQL database ([`PostgresStore`]), reached by TLS.
//!
//! Leases last by the server's clock; the machines' clocks are never compared. How durable a write is depends on the
//! server's `synchronous_commit`, which is left unchanged.
//!
//! Transactions become visible in another order than they began. If a pair got its number while it was stored, a reader
//! could read a higher number first and never see the pair. So pairs are stored without a number, and readers number all
//! pairs that they can see, one reader at a time. A pair that is not visible yet gets a higher number later.

mod address;
mod connection;
mod roles;
mod schema;
mod statements;
mod tls;

use crate::store::sql::{Database, Sql, Work};
use crate::store::{Access, StoreError};
pub use address::Address;
pub use connection::PostgresStore;
use postgres::error::SqlState;
use postgres::{Client, Error};
use statements::Statements;
use std::time::Duration;

/// How long to try to reconnect.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same for readers, and while a run plays, which asks again and reports it meanwhile.
const MOMENT: Duration = Duration::from_secs(1);

/// Gives the next numbers to the pairs without one. If there are roles, a function does it, so that workers can give
/// only these numbers.
const NUMBER: &str = "UPDATE pair SET finished = last + place
     FROM (SELECT coalesce(max(finished), 0) AS last FROM pair) AS numbered,
          (SELECT id, row_number() OVER (ORDER BY stored, id) AS place FROM pair
           WHERE stored IS NOT NULL AND finished IS NULL) AS unordered
     WHERE pair.id = unordered.id";

impl PostgresStore {
    /// Opens a ladder's database at this address.
    ///
    /// # Errors
    /// When there is no ladder, or there is one already and a new one was requested; when it has another version, or
    /// the address or the server cannot be used.
    pub fn open(url: &str, access: Access) -> Result<PostgresStore, StoreError> {
        let address = Address::parse(url);
        let address = address.map_err(|error| StoreError::server(url, error.to_string()))?;
        let mut store = PostgresStore::to(address, PATIENCE)?;
        store.transact(|sql| match access {
            Access::New => schema::create(sql, url),
            Access::Read | Access::Write => schema::expect_ladder(sql, url),
        })?;
        if access == Access::Read {
            store.patience = MOMENT;
        }
        Ok(store)
    }

    /// As durable as the server's settings make it.
    fn transact<T>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.run(|client| {
            let mut transaction = client.transaction()?;
            let done = work(&mut Statements(&mut transaction))?;
            transaction.commit()?;
            Ok(done)
        })
    }
}

impl Database for PostgresStore {
    fn renew(&mut self, run: u64, pairs: &[u64]) -> Result<(), StoreError> {
        let pairs: Vec<String> = pairs.iter().map(u64::to_string).collect();
        let renew = format!(
            "UPDATE pair SET leased_until = clock_timestamp() + make_interval(secs => 60)
             WHERE run = ?1 AND id IN ({}) AND leased_until > clock_timestamp()",
            pairs.join(", ")
        );
        self.transact(|sql| sql.change(&renew, &[run.into()]).map(drop))
    }

    fn read(&self, work: &Work<'_>) -> Result<(), StoreError> {
        self.run(|client| work(&mut Statements(client)))
    }

    fn write(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        self.transact(work)
    }

    fn play(&mut self, _: u64) -> Result<(), StoreError> {
        self.patience = MOMENT;
        Ok(())
    }

    /// Numbers the pairs without a number, if this reader may write.
    fn number_stored(&self) -> Result<(), StoreError> {
        let unordered = "SELECT count(*) FROM pair WHERE stored IS NOT NULL AND finished IS NULL";
        let unordered = |client: &mut Client| Statements(client).number(unordered, &[]);
        if self.run(unordered)? == 0 {
            return Ok(());
        }
        self.transact(|sql| {
            sql.lock()?;
            let given = "SELECT count(*) FROM pg_proc
                 WHERE proname = 'crownhead_number_stored' AND pronamespace = current_schema()::regnamespace";
            let number = match sql.number(given, &[])? {
                0 => NUMBER,
                _ => "SELECT crownhead_number_stored()",
            };
            match sql.change(number, &[]) {
                Err(StoreError::Database(error)) if may_not_write(error.as_ref()) => Ok(()),
                done => done.map(drop),
            }
        })
    }

    fn is_shared(&self) -> bool {
        true
    }
}

fn may_not_write(error: &(dyn std::error::Error + 'static)) -> bool {
    let code = error.downcast_ref().and_then(Error::code);
    code.is_some_and(|code| {
        *code == SqlState::INSUFFICIENT_PRIVILEGE || *code == SqlState::READ_ONLY_SQL_TRANSACTION
    })
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn a_password_in_a_configuration_is_refused_by_its_line() {
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
