//! The tables of a ladder in a database.

use crate::store::StoreError;
use crate::store::sql::{Phrases, Sql, VERSION, Value, create_tables};

/// A pair is leased until a time on the server's clock. Names are compared byte by byte, as everywhere in Crownhead.
const TYPES: &Phrases = &[
    ("{id}", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    ("{number}", "bigint"),
    ("{name}", r#"text COLLATE "C""#),
    ("{now}", "timestamptz NOT NULL DEFAULT clock_timestamp()"),
    ("{strict}", ""),
    (
        "{pair}",
        "run bigint REFERENCES run,
        leased_until timestamptz,
        stored timestamptz,
        CHECK (stored IS NULL OR leased_until IS NULL),
        CHECK (stored IS NOT NULL OR (finished IS NULL AND void IS NULL))",
    ),
];

/// A worker's `run` names the worker. `revision` is raised whenever something is published. `reference_speed` is the speed
/// of the first worker.
const TABLES: &str = r#"
    CREATE INDEX pair_unordered ON pair (stored, id) WHERE stored IS NOT NULL AND finished IS NULL;
    CREATE UNIQUE INDEX void_game_once ON void_game (md5(record));
    CREATE TABLE crownhead (
        version bigint NOT NULL,
        revision bigint NOT NULL DEFAULT 0,
        reference_speed double precision
    );
    CREATE TABLE publication (
        id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
        content text NOT NULL
    );
    CREATE TABLE file (
        hash text COLLATE "C" PRIMARY KEY,
        content bytea NOT NULL
    );
    CREATE TABLE worker (
        name text COLLATE "C" PRIMARY KEY,
        run bigint NOT NULL REFERENCES run,
        cores bigint NOT NULL,
        concurrency bigint NOT NULL,
        speed double precision NOT NULL,
        joined timestamptz NOT NULL DEFAULT clock_timestamp(),
        seen timestamptz NOT NULL DEFAULT clock_timestamp(),
        doing text
    );
    ALTER TABLE run ADD COLUMN worker text COLLATE "C" REFERENCES worker;
    CREATE INDEX pair_run ON pair (run);"#;

/// Creates the tables of a new ladder.
///
/// # Errors
/// When the tables already exist.
pub(crate) fn create(sql: &mut dyn Sql, url: &str) -> Result<(), StoreError> {
    if version(sql)?.is_some() {
        return Err(StoreError::server(url, "it already has a ladder"));
    }
    create_tables(sql, TYPES, TABLES)?;
    let insert = "INSERT INTO crownhead (version) VALUES (?1)";
    sql.change(insert, &[Value::Number(VERSION)]).map(drop)
}

/// # Errors
/// When there is no ladder, or it has another version.
pub(crate) fn expect_ladder(sql: &mut dyn Sql, url: &str) -> Result<(), StoreError> {
    match version(sql)? {
        None => Err(StoreError::server(
            url,
            "there is no ladder in it; `crownhead ladder new` begins one",
        )),
        Some(VERSION) => Ok(()),
        Some(version) => Err(StoreError::Version(version)),
    }
}

/// The version of the ladder in this database, if there is one.
///
/// # Errors
/// When it contains something else.
fn version(sql: &mut dyn Sql) -> Result<Option<i64>, StoreError> {
    sql.lock()?;
    let own = "SELECT count(*) FILTER (WHERE tablename = 'crownhead') FROM pg_tables
         WHERE schemaname = current_schema() HAVING count(*) > 0";
    match sql.row(own, &[])? {
        None => return Ok(None),
        Some(row) if row.number(0)? == 0 => return Err(StoreError::NotALadder),
        Some(_) => {}
    }
    let version = sql.row("SELECT version FROM crownhead", &[])?;
    let version = version.ok_or(StoreError::NotALadder)?.number(0)?;
    Ok(Some(version as i64))
}
