//! The order in which stored pairs are read.
//!
//! Transactions become visible in another order than that in which they began: a number that is taken while a pair is
//! stored can appear after a higher one was read, and the pair is never seen. So pairs are stored without a number, and
//! whoever reads gives numbers to all that can be seen, one reader at a time. What is not seen then gets a higher one.

use super::statements::Statements;
use crate::error::OrStoreError;
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::sql::{Lock, Sql};
use postgres::error::SqlState;
use postgres::{Client, Error};

/// Gives numbers to the pairs that have none, as far as this reader may write.
pub(crate) fn number_stored(client: &mut Client) -> Result<(), StoreError> {
    let unordered =
        "SELECT EXISTS (SELECT 1 FROM pair WHERE stored IS NOT NULL AND finished IS NULL)";
    if !client
        .query_one(unordered, &[])
        .or_store_error()?
        .get::<_, bool>(0)
    {
        return Ok(());
    }
    match number(client) {
        Err(StoreError::Database(error)) if may_not_write(error.as_ref()) => Ok(()),
        done => done,
    }
}

fn number(client: &mut Client) -> Result<(), StoreError> {
    let mut transaction = client.transaction().or_store_error()?;
    Statements(&mut transaction).lock(Lock::Order)?;
    transaction
        .execute(
            "UPDATE pair SET finished = last + place
         FROM (SELECT coalesce(max(finished), 0) AS last FROM pair) AS numbered,
              (SELECT id, row_number() OVER (ORDER BY stored, id) AS place FROM pair
               WHERE stored IS NOT NULL AND finished IS NULL) AS unordered
         WHERE pair.id = unordered.id",
            &[],
        )
        .or_store_error()?;
    transaction.commit().or_store_error()
}

fn may_not_write(error: &(dyn std::error::Error + 'static)) -> bool {
    let code = error.downcast_ref().and_then(Error::code);
    code.is_some_and(|code| {
        *code == SqlState::INSUFFICIENT_PRIVILEGE || *code == SqlState::READ_ONLY_SQL_TRANSACTION
    })
}
