//! Turns errors of the client and the server into those of the store.

use crownhead_ladder::store::StoreError;
use postgres::Error;
use std::error::Error as _;

/// An error of the server passes through [`StoreError`] to the connection, which classifies it.
pub(crate) fn store_error(error: Error) -> StoreError {
    StoreError::Database(Box::new(error))
}

/// An error with its causes, because the client's own message is short.
pub(crate) fn chain(error: &Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !told.contains(&more) {
            told += &format!(": {more}");
        }
        cause = error.source();
    }
    told
}
