//! The tables, and how an older file becomes a newer one.

use crate::store::StoreError;
use rusqlite::Connection;

/// What marks a file as a ladder's: "CrHd".
const APPLICATION: i64 = 0x4372_4864;

/// One step for each version of the schema; a new version is a new step at the end, and no step ever changes.
///
/// A pair is claimed by a run, with the number of the claim, its `fence`, or finished; never both. `finished` numbers
/// the pairs as they are stored; those that are `void`, which says why, have no games. What a game's record says again
/// in columns is generated from the record, so that the two cannot differ. `accepted` is highest for the version of a
/// bot that plays; `after` is the last pair that was finished when a bot was enabled.
const STEPS: [&str; 4] = [
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
    // A table's constraints change by making it anew (https://www.sqlite.org/lang_altertable.html, section 7). Claims
    // of runs by earlier builds end here: they could not be stored.
    "ALTER TABLE run ADD COLUMN beat INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE fence (last INTEGER NOT NULL) STRICT;
    INSERT INTO fence VALUES (0);
    CREATE TABLE pair_of_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        first_version TEXT NOT NULL,
        second_version TEXT NOT NULL,
        round INTEGER NOT NULL,
        run INTEGER,
        fence INTEGER,
        finished INTEGER UNIQUE,
        finished_ms INTEGER,
        void TEXT,
        UNIQUE (first, second, first_version, second_version, round),
        CHECK (first < second),
        CHECK ((fence IS NULL) <> (finished IS NULL)),
        CHECK ((finished_ms IS NULL) = (finished IS NULL))
    ) STRICT;
    INSERT INTO pair_of_versions
        SELECT id, first, second, 'unknown', 'unknown', round, run,
               CASE WHEN finished IS NULL THEN 0 END, finished, finished_ms, NULL
        FROM pair WHERE finished IS NOT NULL OR id IN (SELECT pair FROM game);
    INSERT INTO sqlite_sequence (name, seq)
        SELECT 'pair_of_versions', seq FROM sqlite_sequence
        WHERE name = 'pair' AND NOT EXISTS (SELECT 1 FROM pair_of_versions);
    UPDATE sqlite_sequence
        SET seq = (SELECT max(seq) FROM sqlite_sequence WHERE name IN ('pair', 'pair_of_versions'))
        WHERE name = 'pair_of_versions';
    DROP TABLE pair;
    ALTER TABLE pair_of_versions RENAME TO pair;
    CREATE TABLE version (
        id INTEGER PRIMARY KEY,
        bot TEXT NOT NULL,
        version TEXT NOT NULL,
        description TEXT NOT NULL,
        interpreter TEXT,
        since_ms INTEGER NOT NULL,
        accepted INTEGER NOT NULL,
        UNIQUE (bot, version)
    ) STRICT;
    CREATE TABLE enabled (
        bot TEXT PRIMARY KEY,
        after INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE told (
        what TEXT PRIMARY KEY
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

/// Brings the file to the newest version, all or nothing. Leaves references between tables unchecked: what is
/// damaged must still be brought up to be mended.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "ignore_check_constraints", true)?;
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version = version(&transaction)?;
    for step in &STEPS[version..] {
        transaction.execute_batch(step)?;
    }
    if version < STEPS.len() {
        mark(&transaction, STEPS.len())?;
    }
    transaction.commit()?;
    connection.pragma_update(None, "ignore_check_constraints", false)?;
    Ok(())
}

/// Whether the file is a ladder's, of an earlier version.
pub(super) fn is_earlier(connection: &Connection) -> Result<bool, StoreError> {
    let version = version(connection)?;
    Ok((1..STEPS.len()).contains(&version))
}

/// # Errors
/// When the file is not of the newest version.
pub(super) fn expect_newest(connection: &Connection) -> Result<(), StoreError> {
    match version(connection)? {
        version if version < STEPS.len() => Err(StoreError::Earlier(version as i64)),
        _ => Ok(()),
    }
}

/// Writes into the file again what it is, where its tables show it beyond doubt; tells what was mended.
pub(super) fn restore_marks(connection: &Connection) -> Result<Option<String>, StoreError> {
    let error = match version(connection) {
        Err(error @ (StoreError::NotALadder | StoreError::NoVersion(_))) => error,
        Err(error) => return Err(error),
        Ok(_) => return Ok(None),
    };
    for (version, tables) in tables_of_versions()?.into_iter().enumerate().skip(1) {
        if tables == tables_of(connection)? {
            mark(connection, version)?;
            let told =
                format!("{error}: its tables are those of version {version}, which it says again");
            return Ok(Some(told));
        }
    }
    Err(error)
}

fn mark(connection: &Connection, version: usize) -> Result<(), StoreError> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", version as i64)?;
    Ok(())
}

/// The version of the file, 0 for a new one.
fn version(connection: &Connection) -> Result<usize, StoreError> {
    let number =
        |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let application = number("application_id")?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    if application != APPLICATION && tables > 0 {
        return Err(StoreError::NotALadder);
    }
    let version = number("user_version")?;
    let newest = STEPS.len() as i64;
    match usize::try_from(version) {
        _ if version > newest => Err(StoreError::TooNew { version, newest }),
        Ok(0) if tables > 0 => Err(StoreError::NoVersion(0)),
        Ok(version) if version == 0 || tables > 0 => Ok(version),
        _ => Err(StoreError::NoVersion(version)),
    }
}

/// The tables of every version, by its number.
fn tables_of_versions() -> Result<Vec<Vec<String>>, StoreError> {
    let connection = Connection::open_in_memory()?;
    let mut versions = vec![Vec::new()];
    for step in STEPS {
        connection.execute_batch(step)?;
        versions.push(tables_of(&connection)?);
    }
    Ok(versions)
}

fn tables_of(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let select = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql";
    let mut statement = connection.prepare(select)?;
    let tables = statement.query_map((), |row| row.get(0))?;
    Ok(tables.collect::<Result<_, _>>()?)
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
    fn a_file_that_is_not_brought_up_to_the_end_stays_as_it_was() {
        let mut connection = Connection::open_in_memory().unwrap();
        for step in &STEPS[..3] {
            connection.execute_batch(step).unwrap();
        }
        mark(&connection, 3).unwrap();
        let games = "INSERT INTO pair (first, second, first_version, second_version, round, finished, finished_ms)
                SELECT 'a', 'b', '', '', value, value, 0 FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2000) SELECT value FROM n);
            INSERT INTO game (pair, place, record, black_us, white_us)
                SELECT id, 0, json_object('black', json_object('name', 'a'), 'result', 'draw', 'termination', 'goal'), 1, 1
                FROM pair;";
        connection.execute_batch(games).unwrap();
        let before = tables_of(&connection).unwrap();
        let pages = |connection: &Connection, most: i64| {
            let pragma = format!("PRAGMA max_page_count = {most}");
            connection.query_row(&pragma, (), |_| Ok(())).unwrap();
        };
        // The disk is full in the middle of it.
        let used: i64 = connection
            .query_row("PRAGMA page_count", (), |row| row.get(0))
            .unwrap();
        pages(&connection, used + 2);
        migrate(&mut connection).unwrap_err();
        assert_eq!(version(&connection), 3);
        assert_eq!(tables_of(&connection).unwrap(), before);
        assert!(is_earlier(&connection).unwrap());
        pages(&connection, 1 << 30);
        migrate(&mut connection).unwrap();
        assert_eq!(version(&connection), STEPS.len() as i64);
        assert!(!is_earlier(&connection).unwrap());
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
