//! What the client and the server say is wrong, as the store tells it.

use crownhead_ladder::store::StoreError;
use postgres::Error;
use std::error::Error as _;

/// What the server says goes through [`StoreError`] to the connection, which knows what it means.
pub(crate) fn store_error(error: Error) -> StoreError {
    StoreError::Database(Box::new(error))
}

/// An error with its causes: the client's own words are few.
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
