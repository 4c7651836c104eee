//! The tables of a ladder's file, and the marks that identify it.

use super::statements::Statements;
use crate::store::StoreError;
use crate::store::sql::{Phrases, VERSION, create_tables};
use rusqlite::Connection;

/// Marks a file as a ladder's: "CrHd".
const APPLICATION: i64 = 0x4372_4864;

const TYPES: &Phrases = &[
    ("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT"),
    ("{number}", "INTEGER"),
    ("{name}", "TEXT"),
    ("{now}", "INTEGER NOT NULL DEFAULT (unixepoch())"),
    ("{strict}", " STRICT"),
    (
        "{pair}",
        "run INTEGER,
        finished_at INTEGER,
        CHECK ((finished_at IS NULL) = (finished IS NULL)),
        CHECK (finished IS NOT NULL OR void IS NULL)",
    ),
];

const MORE: &str = "
    CREATE INDEX game_summary ON game (
        pair, place, black, white, result, termination, black_us, white_us, turns, opening
    );";

/// Creates the tables of a new ladder.
pub(super) fn create(connection: &Connection) -> Result<(), StoreError> {
    create_tables(&mut Statements(connection), TYPES, MORE)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    Ok(())
}

/// # Errors
/// When the file is not a ladder's, or has another version.
pub(super) fn expect_ladder(connection: &Connection) -> Result<(), StoreError> {
    let number =
        |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    if number("application_id")? != APPLICATION {
        return Err(StoreError::NotALadder);
    }
    match number("user_version")? {
        VERSION => Ok(()),
        version => Err(StoreError::Version {
            version,
            expected: VERSION,
        }),
    }
}
