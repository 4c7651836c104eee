//! Where a ladder's games are kept: one SQLite file. Nothing else in Crownhead knows SQL.
//!
//! A pair is stored whole, both games' records and that it is finished, in one transaction that is on the disk
//! before the call returns (`journal_mode=WAL`, `synchronous=FULL`): a finished pair survives the loss of
//! power. Claims are written with `synchronous=NORMAL`: after a loss of power the pair is played
//! again.
//!
//! Pairs under way are *leased* to a run. A lease that is not renewed ends, and another run may take the pair;
//! should the first one finish it after all, its games are not stored.

mod leases;
mod schema;
mod summaries;

pub use leases::{Claim, Quota};
pub use summaries::StoredSummary;

use crate::judge::whole_microseconds;
use crate::record::{GameRecord, RecordedResult};
use crate::stats::rating::PairResult;
use crate::table::Termination;
use crownhead::board::Side;
use rusqlite::types::Type;
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};
use serde::de::{DeserializeOwned, IntoDeserializer};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// How long another program that uses the file is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// The games of one ladder.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// The file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite failed.
    #[error("the ladder's database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// It is some other program's database.
    #[error("the file is a database of something else; expected a ladder's games")]
    NotALadder,
    /// A newer Crownhead has written it.
    #[error(
        "the ladder's database has version {version}; this program knows versions up to {newest}"
    )]
    TooNew {
        /// The version of the file.
        version: i64,
        /// The newest one known here.
        newest: i64,
    },
    /// A stored record cannot be read.
    #[error("a stored record of pair {pair} cannot be read: {error}")]
    Record {
        /// Which pair.
        pair: u64,
        /// What is wrong.
        error: serde_json::Error,
    },
}

/// Which pair of games is meant: the two bots, their names in order, and its number between them, from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub struct PairKey {
    pub first: String,
    pub second: String,
    pub round: u64,
}

impl PairKey {
    /// A pair between these two bots, named in either order.
    pub fn new(one: &str, other: &str, round: u64) -> PairKey {
        let (first, second) = if one < other {
            (one, other)
        } else {
            (other, one)
        };
        PairKey {
            first: first.into(),
            second: second.into(),
            round,
        }
    }
}

/// A finished pair without its records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPair {
    /// Which pair it is.
    pub key: PairKey,
    /// Its number in the order in which pairs were stored, from 1.
    pub finished: u64,
    /// Its two games.
    pub games: [StoredGame; 2],
}

impl StoredPair {
    /// How it came out, as the first of its bots saw it.
    pub fn result(&self) -> PairResult {
        let first = &self.key.first;
        PairResult::from_half_points(self.games.iter().map(|game| game.half_points(first)))
    }
}

/// What a table of standings needs of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// Who played black.
    pub black: String,
    /// Who won.
    pub result: RecordedResult,
    /// How it ended.
    pub termination: Termination,
    /// How long black and white thought.
    pub times: [Duration; 2],
}

impl StoredGame {
    /// The points of the named bot, in half points.
    pub fn half_points(&self, name: &str) -> u8 {
        (2.0 * self.result.points(self.side_of(name))) as u8
    }

    /// The side that the named bot had.
    pub fn side_of(&self, name: &str) -> Side {
        if self.black == name {
            Side::Black
        } else {
            Side::White
        }
    }
}

impl Store {
    /// Opens the file, makes it if it is not there, and brings it to the newest version.
    ///
    /// # Errors
    /// When the file is not a ladder's, is of a newer version, or cannot be used.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut connection = Connection::open(path)?;
        // Wait for another program that is writing.
        connection.busy_timeout(PATIENCE)?;
        use_wal(&connection)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::migrate(&mut connection)?;
        Ok(Store { connection })
    }

    /// Enters a new run and gives its number.
    ///
    /// # Errors
    /// When the file fails; so for all that follow.
    pub fn begin_run(&mut self) -> Result<u64, StoreError> {
        let insert = "INSERT INTO run (began_ms) VALUES (?1)";
        self.connection.execute(insert, [now_ms()])?;
        Ok(self.connection.last_insert_rowid() as u64)
    }

    /// Stores finished pairs whole, durably, all in one transaction.
    ///
    /// Gives for each whether it was stored: not if its lease had ended and another run has taken it.
    pub fn finish(
        &mut self,
        run: u64,
        pairs: &[(u64, [GameRecord; 2])],
    ) -> Result<Vec<bool>, StoreError> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let stored = pairs
            .iter()
            .map(|(id, games)| finish_pair(&transaction, run, *id, games))
            .collect::<Result<_, _>>()?;
        transaction.commit()?;
        Ok(stored)
    }

    /// Keeps the games of a pair that is void, and gives the pair back to be played again.
    pub fn void_pair(&mut self, run: u64, id: u64, games: &[GameRecord]) -> Result<(), StoreError> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        insert_void(&transaction, games)?;
        let delete = "DELETE FROM pair WHERE id = ?1 AND run = ?2 AND finished IS NULL";
        transaction.execute(delete, params![id, run])?;
        transaction.commit()?;
        Ok(())
    }

    /// Keeps void games, which are not rated, whatever becomes of their pair.
    pub fn keep_void(&mut self, games: &[GameRecord]) -> Result<(), StoreError> {
        if games.is_empty() {
            return Ok(());
        }
        let transaction = self.connection.transaction()?;
        insert_void(&transaction, games)?;
        transaction.commit()?;
        Ok(())
    }

    /// The finished pairs in the order in which they were stored, without their records: those that come after
    /// [`StoredPair::finished`] of `after`, all for 0.
    pub fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError> {
        let mut statement = self.connection.prepare_cached(SELECT_PAIRS)?;
        let game = |row: &Row<'_>, at: usize| -> rusqlite::Result<StoredGame> {
            let time = |at| row.get(at).map(Duration::from_micros);
            Ok(StoredGame {
                black: row.get(at)?,
                result: by_name(row, at + 1)?,
                termination: by_name(row, at + 2)?,
                times: [time(at + 3)?, time(at + 4)?],
            })
        };
        let pairs = statement.query_map([after], |row| {
            Ok(StoredPair {
                key: PairKey {
                    first: row.get(0)?,
                    second: row.get(1)?,
                    round: row.get(2)?,
                },
                finished: row.get(3)?,
                games: [game(row, 4)?, game(row, 9)?],
            })
        })?;
        Ok(pairs.collect::<Result<_, _>>()?)
    }

    /// Hands the records of all finished games to `visit`, in the order of their numbers.
    pub fn each_game<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let select = "SELECT pair, record FROM game ORDER BY pair, place";
        let mut statement = self.connection.prepare(select).map_err(StoreError::from)?;
        let mut rows = statement.query(()).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            let read = || Ok::<_, rusqlite::Error>((row.get(0)?, row.get::<_, String>(1)?));
            let (pair, record) = read().map_err(StoreError::from)?;
            let record = serde_json::from_str(&record)
                .map_err(|error| StoreError::Record { pair, error })?;
            visit(record)?;
        }
        Ok(())
    }

    /// Disables a bot: it plays no more until it is enabled.
    pub fn disable(&mut self, bot: &str, reason: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT OR REPLACE INTO bench (bot, reason, since_ms) VALUES (?1, ?2, ?3)",
            params![bot, reason, now_ms()],
        )?;
        Ok(())
    }

    /// Lets a bot play again.
    pub fn enable(&mut self, bot: &str) -> Result<(), StoreError> {
        let delete = "DELETE FROM bench WHERE bot = ?1";
        self.connection.execute(delete, [bot])?;
        Ok(())
    }

    /// The bots that are disabled, with their reasons.
    pub fn disabled(&self) -> Result<Vec<(String, String)>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT bot, reason FROM bench")?;
        let disabled = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(disabled.collect::<Result<_, _>>()?)
    }

    /// What SQLite finds wrong with the file, and pairs without both their games.
    pub fn problems(&self) -> Result<Vec<String>, StoreError> {
        let mut problems: Vec<String> = Vec::new();
        let mut check = self.connection.prepare("PRAGMA integrity_check")?;
        for problem in check.query_map((), |row| row.get::<_, String>(0))? {
            problems.extend(Some(problem?).filter(|problem| problem != "ok"));
        }
        let mut halves = self.connection.prepare(
            "SELECT id, count(game.pair) FROM pair LEFT JOIN game ON game.pair = id
             GROUP BY id HAVING count(game.pair) <> CASE WHEN finished IS NULL THEN 0 ELSE 2 END",
        )?;
        for half in
            halves.query_map((), |row| Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?)))?
        {
            let (pair, games) = half?;
            problems.push(format!("pair {pair} has {games} games"));
        }
        Ok(problems)
    }
}

/// Every value that is asked for of a game is in the index `game_summary`: no record is read.
const SELECT_PAIRS: &str = "SELECT first, second, round, finished,
        one.black, one.result, one.termination, one.black_us, one.white_us,
        two.black, two.result, two.termination, two.black_us, two.white_us
     FROM pair
     JOIN game one INDEXED BY game_summary ON one.pair = id AND one.place = 0
     JOIN game two INDEXED BY game_summary ON two.pair = id AND two.place = 1
     WHERE finished > ?1
     ORDER BY finished";

/// A value that a column has by its name in records.
fn by_name<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let name: String = row.get(at)?;
    let value = T::deserialize(name.into_deserializer());
    value.map_err(|error: serde::de::value::Error| {
        rusqlite::Error::FromSqlConversionFailure(at, Type::Text, error.into())
    })
}

/// Lets others read while one writes. When two do this to a new file at once, SQLite fails one of them without
/// waiting.
fn use_wal(connection: &Connection) -> Result<(), StoreError> {
    let patience = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_busy(&error) && Instant::now() < patience => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return Ok(done?),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    let code = error.sqlite_error_code();
    code.is_some_and(|code| matches!(code, DatabaseBusy | DatabaseLocked))
}

fn insert_void(transaction: &Transaction<'_>, games: &[GameRecord]) -> Result<(), StoreError> {
    for game in games {
        let insert = "INSERT INTO spoiled (at_ms, record) VALUES (?1, ?2)";
        transaction.execute(insert, params![now_ms(), to_json(game)])?;
    }
    Ok(())
}

fn finish_pair(
    transaction: &Transaction<'_>,
    run: u64,
    id: u64,
    games: &[GameRecord; 2],
) -> Result<bool, StoreError> {
    let updated = transaction
        .prepare_cached(
            "UPDATE pair SET finished_ms = ?3, leased_until_ms = NULL,
                finished = (SELECT coalesce(max(finished), 0) + 1 FROM pair)
             WHERE id = ?1 AND run = ?2 AND finished IS NULL",
        )?
        .execute(params![id, run, now_ms()])?;
    if updated == 0 {
        return Ok(false);
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO game (pair, place, record, black_us, white_us) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (place, game) in games.iter().enumerate() {
        let [black, white] = Side::BOTH.map(|side| whole_microseconds(game.time_used(side)));
        insert.execute(params![id, place, to_json(game), black, white])?;
    }
    Ok(true)
}

fn to_json(game: &GameRecord) -> String {
    serde_json::to_string(game).expect("a record is plain data")
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests;
