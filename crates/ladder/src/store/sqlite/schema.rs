//! The tables of a ladder's file, and what a file says that it is.

use crate::store::StoreError;
use crate::store::sql::VERSION;
use rusqlite::Connection;

/// What marks a file as a ladder's: "CrHd".
const APPLICATION: i64 = 0x4372_4864;

/// A pair is open, leased to a `run`, or `finished`. `fence` is raised with each claim and stays when the pair is
/// stored. `finished` numbers the pairs as they are stored; those that are `void`, which says why, have no games. Lists of
/// games read columns that say again what the record says: records are long, and lie between the columns. `beat` is
/// raised as long as a run lives. `accepted` is highest for the version of a bot that plays; `after` is the last pair that
/// was finished when a bot was enabled.
const TABLES: &str = "
    CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        began INTEGER NOT NULL DEFAULT (unixepoch()),
        beat INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE pair (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        first_version TEXT NOT NULL,
        second_version TEXT NOT NULL,
        round INTEGER NOT NULL CHECK (round >= 0),
        run INTEGER,
        fence INTEGER NOT NULL DEFAULT 0,
        finished INTEGER UNIQUE CHECK (finished > 0),
        finished_at INTEGER,
        void TEXT,
        UNIQUE (first, second, first_version, second_version, round),
        CHECK (first < second),
        CHECK ((finished_at IS NULL) = (finished IS NULL)),
        CHECK (finished IS NOT NULL OR void IS NULL)
    ) STRICT;
    CREATE INDEX pair_open ON pair (id) WHERE finished IS NULL;
    CREATE TABLE game (
        pair INTEGER NOT NULL REFERENCES pair,
        place INTEGER NOT NULL CHECK (place IN (0, 1)),
        record TEXT NOT NULL,
        black TEXT NOT NULL,
        white TEXT NOT NULL,
        result TEXT NOT NULL,
        termination TEXT NOT NULL,
        black_us INTEGER NOT NULL CHECK (black_us >= 0),
        white_us INTEGER NOT NULL CHECK (white_us >= 0),
        turns INTEGER NOT NULL,
        opening TEXT NOT NULL,
        PRIMARY KEY (pair, place)
    ) STRICT;
    CREATE INDEX game_summary ON game (
        pair, place, black, white, result, termination, black_us, white_us, turns, opening
    );
    CREATE TABLE void_game (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL DEFAULT (unixepoch()),
        record TEXT NOT NULL
    ) STRICT;
    CREATE TABLE disabled (
        bot TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        since INTEGER NOT NULL DEFAULT (unixepoch())
    ) STRICT;
    CREATE TABLE enabled (
        bot TEXT PRIMARY KEY,
        after INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE version (
        id INTEGER PRIMARY KEY,
        bot TEXT NOT NULL,
        version TEXT NOT NULL,
        description TEXT NOT NULL,
        interpreter TEXT,
        since INTEGER NOT NULL DEFAULT (unixepoch()),
        accepted INTEGER NOT NULL,
        UNIQUE (bot, version)
    ) STRICT;
    CREATE TABLE told (
        what TEXT PRIMARY KEY
    ) STRICT;";

/// Makes the tables of a new ladder.
pub(super) fn create(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    Ok(())
}

/// # Errors
/// When the file is not a ladder's, or of another version.
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
