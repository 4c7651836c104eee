//! The tables of a ladder in a database.

use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::sql::{Lock, Phrases, Sql, VERSION, Value, create_tables};

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

/// A worker's `run` names the worker. Pairs of an `excluded` worker are read as void. `revision` is raised whenever
/// players must look again at more than pairs.
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
        safe_games bigint,
        speed double precision NOT NULL,
        joined timestamptz NOT NULL DEFAULT clock_timestamp(),
        seen timestamptz NOT NULL DEFAULT clock_timestamp(),
        doing text,
        excluded text
    );
    ALTER TABLE run ADD COLUMN worker text COLLATE "C" REFERENCES worker;
    CREATE INDEX pair_run ON pair (run);
    CREATE TABLE build (
        run bigint NOT NULL REFERENCES run,
        bot text COLLATE "C" NOT NULL,
        version text COLLATE "C" NOT NULL,
        program text NOT NULL,
        compiler text NOT NULL,
        PRIMARY KEY (run, bot, version)
    );
    CREATE TABLE replay (
        pair bigint PRIMARY KEY REFERENCES pair,
        run bigint NOT NULL REFERENCES run,
        began timestamptz NOT NULL DEFAULT clock_timestamp(),
        done timestamptz,
        difference text
    );"#;

/// Creates the tables of a new ladder.
///
/// # Errors
/// When the tables already exist.
pub(crate) fn create(sql: &mut dyn Sql, url: &str) -> Result<(), StoreError> {
    if version(sql)?.is_some() {
        return Err(StoreError::server(url, "there is a ladder in it already"));
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
        Some(version) => Err(StoreError::Version {
            version,
            expected: VERSION,
        }),
    }
}

/// The version of the ladder in this database, if there is one.
///
/// # Errors
/// When it contains something else.
fn version(sql: &mut dyn Sql) -> Result<Option<i64>, StoreError> {
    sql.lock(Lock::Schema)?;
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    if sql.number(tables, &[])? == 0 {
        return Ok(None);
    }
    let own = "SELECT count(*) FROM pg_tables
         WHERE schemaname = current_schema() AND tablename = 'crownhead'";
    if sql.number(own, &[])? == 0 {
        return Err(StoreError::NotALadder);
    }
    let version = sql.row("SELECT version FROM crownhead", &[])?;
    let version = version.ok_or(StoreError::NotALadder)?.number(0)?;
    Ok(Some(version as i64))
}
