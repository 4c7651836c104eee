//! Statements for SQLite, and the tables of a ladder's file with the marks that identify it.

use crate::store::StoreError;
use crate::store::sql::{Phrases, Row, Sql, VERSION, Value, create_tables, spell};
use rusqlite::types::{Value as SqliteValue, ValueRef};
use rusqlite::{Connection, ErrorCode, params_from_iter};

/// A lease lasts until its run ends (`leases`). A pair gets its number when it is stored.
const PHRASES: &Phrases = &[
    ("{open}", "finished IS NULL"),
    ("{stored}", "finished IS NOT NULL"),
    ("{held}", "run IS NOT NULL"),
    ("{lease}", ""),
    ("{free}", ""),
    (
        "{store}",
        "finished_at = unixepoch(),
         finished = (SELECT max(0, coalesce(max(finished), 0)) + 1 FROM pair)",
    ),
    ("{reopen}", "finished_at = NULL, finished = NULL"),
    ("{summary}", " INDEXED BY game_summary"),
];

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
    CREATE INDEX game_summary ON game (pair, place, summary);";

/// Creates the tables of a new ladder.
pub(super) fn create_ladder(connection: &Connection) -> Result<(), StoreError> {
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
        version => Err(StoreError::Version(version)),
    }
}

/// A connection, within a transaction or not.
pub(super) struct Statements<'a>(pub(super) &'a Connection);

impl Sql for Statements<'_> {
    fn rows(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let mut statement = self.0.prepare_cached(&spell(PHRASES, statement))?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(values.iter().map(bound)))?;
        let mut read = Vec::new();
        while let Some(row) = rows.next()? {
            let value = |at| Ok(value(row.get_ref(at)?));
            let values = (0..columns).map(value).collect::<rusqlite::Result<_>>()?;
            read.push(Row(values));
        }
        Ok(read)
    }

    fn change(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError> {
        let mut statement = self.0.prepare_cached(&spell(PHRASES, statement))?;
        let changed = statement.execute(params_from_iter(values.iter().map(bound)))?;
        Ok(changed as u64)
    }

    /// A writing transaction is already alone.
    fn lock(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn bound(value: &Value) -> SqliteValue {
    match value.clone() {
        Value::Null => SqliteValue::Null,
        Value::Number(number) => SqliteValue::Integer(number),
        Value::Real(number) => SqliteValue::Real(number),
        Value::Text(text) => SqliteValue::Text(text),
        Value::Bytes(bytes) => SqliteValue::Blob(bytes),
    }
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Number(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.into()),
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        if is_locked(&error) {
            return StoreError::Locked;
        }
        if is_corrupt(&error) {
            let told = "`crownhead ladder check` tells what is wrong, and what to do";
            return StoreError::Content(format!("the ladder's database: {error}; {told}"));
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => StoreError::NotWritable,
            _ => StoreError::Database(Box::new(error)),
        }
    }
}

/// Whether another program has the file locked.
pub(super) fn is_locked(error: &rusqlite::Error) -> bool {
    use ErrorCode::{DatabaseBusy, DatabaseLocked};
    let code = error.sqlite_error_code();
    code.is_some_and(|code| matches!(code, DatabaseBusy | DatabaseLocked))
}

/// Whether the file is damaged.
pub(super) fn is_corrupt(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::SqliteStore;
    use crate::store::sql::PAIRS;

    #[test]
    fn a_list_of_pairs_and_games_reads_no_record() {
        let store = SqliteStore::empty().unwrap();
        let explain = format!("EXPLAIN QUERY PLAN {}", PAIRS.select);
        let steps = Statements(&store.connection).rows(&explain, &[0, 0].map(Value::Number));
        let steps = format!("{:?}", steps.unwrap());
        let covered = steps.matches("USING COVERING INDEX game_summary").count();
        assert_eq!(covered, 1, "{steps}");
    }
}
