//! The tables, and how an older file becomes a newer one.

use super::StoreError;
use rusqlite::Connection;

/// What marks a file as a ladder's: "CrHd".
const APPLICATION: i64 = 0x4372_4864;

/// One step for each version of the schema; a new version is a new step at the end, and no step ever changes.
///
/// A pair is claimed by a run until its lease ends, or finished; never both. `finished` numbers the pairs as they
/// are stored. What a game's record says again
/// in columns is generated from the record, so that the two cannot differ.
const STEPS: [&str; 3] = [
    "CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        began_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE pair (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        round INTEGER NOT NULL,
        run INTEGER,
        leased_until_ms INTEGER,
        finished INTEGER UNIQUE,
        finished_ms INTEGER,
        UNIQUE (first, second, round),
        CHECK (first < second),
        CHECK ((leased_until_ms IS NULL) <> (finished IS NULL)),
        CHECK ((finished_ms IS NULL) = (finished IS NULL))
    ) STRICT;
    CREATE TABLE game (
        pair INTEGER NOT NULL REFERENCES pair,
        place INTEGER NOT NULL CHECK (place IN (0, 1)),
        record TEXT NOT NULL,
        black TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.black.name')) STORED,
        result TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.result')) STORED,
        termination TEXT NOT NULL GENERATED ALWAYS AS (json_extract(record, '$.termination')) STORED,
        black_us INTEGER NOT NULL,
        white_us INTEGER NOT NULL,
        PRIMARY KEY (pair, place)
    ) STRICT;",
    "CREATE TABLE spoiled (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        record TEXT NOT NULL
    ) STRICT;
    CREATE TABLE bench (
        bot TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        since_ms INTEGER NOT NULL
    ) STRICT;",
    // What lists of games show, so that they read no records: those are long, and lie between the columns.
    "CREATE INDEX game_summary ON game (
        pair, place, black, result, termination, black_us, white_us,
        json_extract(record, '$.white.name'),
        json_array_length(record, '$.turns'),
        json_extract(record, '$.start'),
        json_extract(record, '$.opening')
    );",
];

/// Brings the file to the newest version, all or nothing.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let number =
        |pragma: &str| transaction.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let application = number("application_id")?;
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    if application != APPLICATION && tables > 0 {
        return Err(StoreError::NotALadder);
    }
    let version = number("user_version")?;
    let newest = STEPS.len() as i64;
    if version > newest {
        return Err(StoreError::TooNew { version, newest });
    }
    for step in &STEPS[version as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", newest)?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(connection: &Connection) -> i64 {
        connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn a_file_of_the_first_version_keeps_its_pairs_when_it_is_brought_up() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(STEPS[0]).unwrap();
        connection
            .pragma_update(None, "application_id", APPLICATION)
            .unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        let insert = "INSERT INTO pair (first, second, round, finished, finished_ms)
            VALUES ('a', 'b', 0, 1, 1)";
        connection.execute(insert, ()).unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(version(&connection), STEPS.len() as i64);
        let pairs: i64 = connection
            .query_row("SELECT count(*) FROM pair", (), |row| row.get(0))
            .unwrap();
        assert_eq!(pairs, 1);
        connection
            .execute("INSERT INTO bench VALUES ('a', 'why', 1)", ())
            .unwrap();
        migrate(&mut connection).unwrap();
    }

    #[test]
    fn a_file_from_the_future_and_a_file_of_something_else_are_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = migrate(&mut connection).unwrap_err().to_string();
        assert!(error.contains("version 99"), "{error}");
        let mut other = Connection::open_in_memory().unwrap();
        other.execute_batch("CREATE TABLE mine (x)").unwrap();
        assert!(matches!(migrate(&mut other), Err(StoreError::NotALadder)));
        assert_eq!(version(&other), 0);
    }
}
