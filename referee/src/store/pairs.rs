//! Pairs of games: stored whole, and read in the order in which they were.

use super::{Lease, Store, StoreError};
use crate::judge::whole_microseconds;
use crate::record::{GameRecord, RecordedResult};
use crate::stats::rating::PairResult;
use crate::table::Termination;
use crownhead::board::Side;
use rusqlite::types::Type;
use rusqlite::{Row, Transaction, params};
use serde::de::{DeserializeOwned, IntoDeserializer};
use std::time::Duration;

/// A bot as it played: its name and its version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entrant {
    /// Its name in the configuration.
    pub bot: String,
    /// Its version, or [`UNKNOWN_VERSION`](super::UNKNOWN_VERSION).
    pub version: String,
}

/// Which pair of games is meant: the two bots, their names in order, and its number between them, from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub struct PairKey {
    pub first: Entrant,
    pub second: Entrant,
    pub round: u64,
}

impl PairKey {
    /// A pair between these two bots, named in either order.
    pub fn new(one: &Entrant, other: &Entrant, round: u64) -> PairKey {
        let (first, second) = if one < other {
            (one, other)
        } else {
            (other, one)
        };
        PairKey {
            first: first.clone(),
            second: second.clone(),
            round,
        }
    }
}

/// A pair that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedPair {
    /// The claim to it.
    pub lease: Lease,
    /// Its games.
    pub games: [GameRecord; 2],
    /// Why it is not rated, if it is void: its games are kept and it is not played again.
    pub void: Option<String>,
}

/// A finished pair without its records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPair {
    /// Which pair it is.
    pub key: PairKey,
    /// Its number in the order in which pairs were stored, from 1.
    pub finished: u64,
    /// Its two games; `None` if it is void.
    pub games: Option<[StoredGame; 2]>,
}

impl StoredPair {
    /// How it came out, as the first of its bots saw it; `None` if it is void.
    pub fn result(&self) -> Option<PairResult> {
        let first = &self.key.first.bot;
        let games = self.games.as_ref()?.iter();
        Some(PairResult::from_half_points(
            games.map(|game| game.half_points(first)),
        ))
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

    /// Whether the named bot lost it by a fault of its own.
    pub fn is_fault_of(&self, name: &str) -> bool {
        self.half_points(name) == 0 && self.termination.is_fault()
    }
}

impl Store {
    /// Stores finished pairs whole, durably, all in one transaction.
    ///
    /// Gives for each whether it was stored: not if another run has taken it meanwhile.
    ///
    /// # Errors
    /// When the file fails, or is no longer where it was; so for all that follow.
    pub fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError> {
        let now = self.clock.calendar_ms();
        self.write(|transaction| {
            let finish = |pair| finish_pair(transaction, run, now, pair);
            pairs.iter().map(finish).collect()
        })
    }

    /// Keeps the games of a pair that came to nothing, and gives the pair back to be played again.
    pub fn give_back(
        &mut self,
        run: u64,
        lease: Lease,
        games: &[GameRecord],
    ) -> Result<(), StoreError> {
        let now = self.clock.calendar_ms();
        self.write(|transaction| {
            insert_void(transaction, now, games)?;
            let delete =
                "DELETE FROM pair WHERE id = ?1 AND run = ?2 AND fence = ?3 AND finished IS NULL";
            transaction.execute(delete, params![lease.pair, run, lease.fence])?;
            Ok(())
        })
    }

    /// Keeps void games, which are not rated, whatever becomes of their pair.
    pub fn keep_void(&mut self, games: &[GameRecord]) -> Result<(), StoreError> {
        if games.is_empty() {
            return Ok(());
        }
        let now = self.clock.calendar_ms();
        self.write(|transaction| insert_void(transaction, now, games))
    }

    /// The finished pairs in the order in which they were stored, without their records: those that come after
    /// [`StoredPair::finished`] of `after`, all for 0. Those that cannot be right are left out
    /// ([`Store::problems_of_pairs`]).
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
        let entrant = |row: &Row<'_>, name, version| -> rusqlite::Result<Entrant> {
            Ok(Entrant {
                bot: row.get(name)?,
                version: row.get(version)?,
            })
        };
        let pairs = statement.query_map([after], |row| {
            let is_void = row.get::<_, Option<String>>(16)?.is_some();
            Ok(StoredPair {
                key: PairKey {
                    first: entrant(row, 0, 4)?,
                    second: entrant(row, 1, 5)?,
                    round: row.get(2)?,
                },
                finished: row.get(3)?,
                games: match is_void {
                    true => None,
                    false => Some([game(row, 6)?, game(row, 11)?]),
                },
            })
        })?;
        Ok(pairs.collect::<Result<_, _>>()?)
    }

    /// Hands the records of all rated games to `visit`, in the order of their numbers.
    pub fn each_game<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_record(|_, record| visit(record?))
    }

    /// The same with the number of the pair, also for records that cannot be read.
    pub fn each_record<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(u64, Result<GameRecord, StoreError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let select = "SELECT pair, record FROM game ORDER BY pair, place";
        let mut statement = self.connection.prepare(select).map_err(StoreError::from)?;
        let mut rows = statement.query(()).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            let read = || Ok::<_, rusqlite::Error>((row.get(0)?, row.get::<_, String>(1)?));
            let (pair, record) = read().map_err(StoreError::from)?;
            let record = serde_json::from_str(&record);
            visit(
                pair,
                record.map_err(|error| StoreError::Record { pair, error }),
            )?;
        }
        Ok(())
    }

    /// The last game that was stored.
    pub fn last_game(&self) -> Result<Option<GameRecord>, StoreError> {
        let select = "SELECT pair, record FROM game JOIN pair ON pair = id
             ORDER BY finished DESC LIMIT 1";
        let mut statement = self.connection.prepare(select)?;
        let mut rows = statement.query(())?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let (pair, record): (u64, String) = (row.get(0)?, row.get(1)?);
        let record = serde_json::from_str(&record);
        record.map_err(|error| StoreError::Record { pair, error })
    }
}

/// Every value that is asked for of a game is in the index `game_summary`: no record is read.
pub(super) const SELECT_PAIRS: &str =
    "SELECT first, second, round, finished, first_version, second_version,
        one.black, one.result, one.termination, one.black_us, one.white_us,
        two.black, two.result, two.termination, two.black_us, two.white_us, void
     FROM pair
     LEFT JOIN game one INDEXED BY game_summary ON one.pair = id AND one.place = 0
     LEFT JOIN game two INDEXED BY game_summary ON two.pair = id AND two.place = 1
     WHERE finished > ?1 AND round >= 0 AND (void IS NOT NULL
        OR min(one.black_us, one.white_us, two.black_us, two.white_us) >= 0)
     ORDER BY finished";

/// A value that a column has by its name in records.
pub(super) fn by_name<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let name: String = row.get(at)?;
    let value = T::deserialize(name.into_deserializer());
    value.map_err(|error: serde::de::value::Error| {
        rusqlite::Error::FromSqlConversionFailure(at, Type::Text, error.into())
    })
}

fn insert_void(
    transaction: &Transaction<'_>,
    now: u64,
    games: &[GameRecord],
) -> Result<(), StoreError> {
    for game in games {
        let insert = "INSERT INTO spoiled (at_ms, record) VALUES (?1, ?2)";
        transaction.execute(insert, params![now, to_json(game)])?;
    }
    Ok(())
}

fn finish_pair(
    transaction: &Transaction<'_>,
    run: u64,
    now: u64,
    pair: &FinishedPair,
) -> Result<bool, StoreError> {
    let FinishedPair { lease, games, void } = pair;
    let updated = transaction
        .prepare_cached(
            "UPDATE pair SET finished_ms = ?4, fence = NULL, void = ?5,
                finished = (SELECT max(0, coalesce(max(finished), 0)) + 1 FROM pair)
             WHERE id = ?1 AND run = ?2 AND fence = ?3 AND finished IS NULL",
        )?
        .execute(params![lease.pair, run, lease.fence, now, void])?;
    if updated == 0 {
        return Ok(false);
    }
    if void.is_some() {
        insert_void(transaction, now, games)?;
        return Ok(true);
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO game (pair, place, record, black_us, white_us) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (place, game) in games.iter().enumerate() {
        let [black, white] = times_of(game);
        insert.execute(params![lease.pair, place, to_json(game), black, white])?;
    }
    Ok(true)
}

/// How long black and white thought, as the columns have it.
pub(super) fn times_of(game: &GameRecord) -> [u64; 2] {
    Side::BOTH.map(|side| whole_microseconds(game.time_used(side)))
}

fn to_json(game: &GameRecord) -> String {
    serde_json::to_string(game).expect("a record is plain data")
}
