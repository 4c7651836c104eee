//! The order in which stored pairs are read.
//!
//! Transactions become visible in another order than that in which they began: a number that is taken while a pair is
//! stored can appear after a higher one was read, and the pair is never seen. So pairs are stored without a number, and
//! readers give numbers to all pairs that they can see, one reader at a time. A pair that is not seen then gets a higher one.

use super::PostgresStore;
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::sql::{Database, Lock};
use postgres::Error;
use postgres::error::SqlState;

/// Gives the next numbers to the pairs that have none. Where there are roles a function does it, also for workers, who may
/// give no others.
pub(crate) const NUMBER: &str = "UPDATE pair SET finished = last + place
     FROM (SELECT coalesce(max(finished), 0) AS last FROM pair) AS numbered,
          (SELECT id, row_number() OVER (ORDER BY stored, id) AS place FROM pair
           WHERE stored IS NOT NULL AND finished IS NULL) AS unordered
     WHERE pair.id = unordered.id";

/// Gives numbers to the pairs that have none, as far as this reader may write.
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
