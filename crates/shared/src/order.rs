//! The order in which stored pairs are read.
//!
//! Transactions become visible in another order than they began. If a pair got its number while it was stored, a reader
//! could read a higher number first and never see the pair. So pairs are stored without a number, and readers number
//! all pairs that they can see, one reader at a time. A pair that is not visible yet gets a higher number later.

use super::PostgresStore;
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::sql::{Database, Lock};
use postgres::Error;
use postgres::error::SqlState;

/// Gives the next numbers to the pairs without one. If there are roles, a function does it, so that workers can give
/// only these numbers.
pub(crate) const NUMBER: &str = "UPDATE pair SET finished = last + place
     FROM (SELECT coalesce(max(finished), 0) AS last FROM pair) AS numbered,
          (SELECT id, row_number() OVER (ORDER BY stored, id) AS place FROM pair
           WHERE stored IS NOT NULL AND finished IS NULL) AS unordered
     WHERE pair.id = unordered.id";

/// Numbers the pairs without a number, if this reader may write.
pub(crate) fn number_stored(store: &PostgresStore) -> Result<(), StoreError> {
    let unordered = "SELECT count(*) FROM pair WHERE stored IS NOT NULL AND finished IS NULL";
    if store.read(|sql| sql.number(unordered, &[]))? == 0 {
        return Ok(());
    }
    store.transact(|sql| {
        sql.lock(Lock::Order)?;
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

fn may_not_write(error: &(dyn std::error::Error + 'static)) -> bool {
    let code = error.downcast_ref().and_then(Error::code);
    code.is_some_and(|code| {
        *code == SqlState::INSUFFICIENT_PRIVILEGE || *code == SqlState::READ_ONLY_SQL_TRANSACTION
    })
}
