//! The tables of a ladder in a database.

use super::statements::Statements;
use crate::error::OrStoreError;
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::sql::{Lock, Sql, VERSION};
use postgres::{Client, Transaction};

/// A pair is open, leased until some moment on the server's clock, or `stored`. `fence` is raised with each claim and
/// stays when the pair is stored. `finished` numbers the stored pairs in the order in which they are read (`order`);
/// those that are `void`, which says why, have no games. Lists of games read columns, which say again what the record
/// says: the server's own JSON cannot, for it refuses an escaped NUL, which a bot may well answer. Names are compared
/// byte by byte, as everywhere in Crownhead.
///
/// A `run` that is a worker's names it. Pairs of a worker that is `excluded` are read as void. `revision` is raised
/// whenever those who play must look again at more than pairs.
const TABLES: &str = r#"
    CREATE TABLE crownhead (
        version bigint NOT NULL,
        revision bigint NOT NULL DEFAULT 0,
        reference_speed double precision
    );
    CREATE TABLE run (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        began timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE TABLE pair (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        first text COLLATE "C" NOT NULL,
        second text COLLATE "C" NOT NULL,
        first_version text COLLATE "C" NOT NULL,
        second_version text COLLATE "C" NOT NULL,
        round bigint NOT NULL CHECK (round >= 0),
        run bigint REFERENCES run,
        fence bigint NOT NULL DEFAULT 0,
        leased_until timestamptz,
        stored timestamptz,
        finished bigint UNIQUE CHECK (finished > 0),
        void text,
        UNIQUE (first, second, first_version, second_version, round),
        CHECK (first < second),
        CHECK (stored IS NULL OR leased_until IS NULL),
        CHECK (stored IS NOT NULL OR (finished IS NULL AND void IS NULL))
    );
    CREATE INDEX pair_open ON pair (id) WHERE stored IS NULL;
    CREATE INDEX pair_unordered ON pair (stored, id) WHERE stored IS NOT NULL AND finished IS NULL;
    CREATE TABLE game (
        pair bigint NOT NULL REFERENCES pair,
        place smallint NOT NULL CHECK (place IN (0, 1)),
        record text NOT NULL,
        black text COLLATE "C" NOT NULL,
        white text COLLATE "C" NOT NULL,
        result text NOT NULL,
        termination text NOT NULL,
        black_us bigint NOT NULL CHECK (black_us >= 0),
        white_us bigint NOT NULL CHECK (white_us >= 0),
        turns bigint NOT NULL,
        opening text NOT NULL,
        PRIMARY KEY (pair, place)
    );
    CREATE TABLE void_game (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        record text NOT NULL
    );
    CREATE UNIQUE INDEX void_game_once ON void_game (md5(record));
    CREATE TABLE disabled (
        bot text COLLATE "C" PRIMARY KEY,
        reason text NOT NULL,
        since timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE TABLE version (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        bot text COLLATE "C" NOT NULL,
        version text COLLATE "C" NOT NULL,
        description text NOT NULL,
        interpreter text,
        since timestamptz NOT NULL DEFAULT clock_timestamp(),
        accepted bigint NOT NULL,
        UNIQUE (bot, version)
    );
    CREATE TABLE enabled (
        bot text COLLATE "C" PRIMARY KEY,
        after bigint NOT NULL
    );
    CREATE TABLE told (
        what text PRIMARY KEY
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
    );
"#;

/// What is in a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    Nothing,
    SomethingElse,
    Ladder(i64),
}

/// Whether a ladder is to be found in a database, or to be begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Begun,
    New,
}

/// Finds the ladder, or makes its tables, all or nothing.
///
/// # Errors
/// When what is wanted is not there.
pub(crate) fn look_up(client: &mut Client, wanted: Wanted, url: &str) -> Result<(), StoreError> {
    let mut transaction = client.transaction().or_store_error()?;
    Statements(&mut transaction).lock(Lock::Schema)?;
    match (look(&mut transaction)?, wanted) {
        (Found::SomethingElse, _) => Err(StoreError::NotALadder),
        (Found::Nothing, Wanted::Begun) => Err(StoreError::NotBegun(url.into())),
        (Found::Ladder(_), Wanted::New) => Err(StoreError::Begun(url.into())),
        (Found::Ladder(VERSION), Wanted::Begun) => Ok(()),
        (Found::Ladder(version), Wanted::Begun) => Err(StoreError::Version {
            version,
            expected: VERSION,
        }),
        (Found::Nothing, Wanted::New) => {
            transaction.batch_execute(TABLES).or_store_error()?;
            let insert = "INSERT INTO crownhead (version) VALUES ($1)";
            transaction.execute(insert, &[&VERSION]).or_store_error()?;
            Ok(transaction.commit().or_store_error()?)
        }
    }
}

fn look(transaction: &mut Transaction<'_>) -> Result<Found, StoreError> {
    let tables = "SELECT count(*), count(*) FILTER (WHERE tablename = 'crownhead')
        FROM pg_tables WHERE schemaname = current_schema()";
    let row = transaction.query_one(tables, &[]).or_store_error()?;
    match (row.get::<_, i64>(0), row.get::<_, i64>(1)) {
        (0, _) => Ok(Found::Nothing),
        (_, 0) => Ok(Found::SomethingElse),
        _ => {
            let row = transaction
                .query_one("SELECT max(version) FROM crownhead", &[])
                .or_store_error()?;
            Ok(row
                .get::<_, Option<i64>>(0)
                .map_or(Found::SomethingElse, Found::Ladder))
        }
    }
}
