//! Pairs of games: stored whole, and read in the order in which they were.

use super::SqliteStore;
use super::summaries::list_games;
use crate::store::pairs::{parse_name, place_of, read_record, times_of, to_json};
use crate::store::{
    Entrant, FinishedPair, Lease, PairKey, PairStore, StoreError, StoredGame, StoredPair,
    StoredSummary,
};
use crownhead_record::GameRecord;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::time::Duration;

impl PairStore for SqliteStore {
    fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError> {
        let now = self.clock.calendar_ms();
        self.write(|transaction| {
            let finish = |pair| finish_pair(transaction, run, now, pair);
            pairs.iter().map(finish).collect()
        })
    }

    fn give_back(
        &mut self,
        run: u64,
        lease: Lease,
        games: &[GameRecord],
    ) -> Result<(), StoreError> {
        let now = self.clock.calendar_ms();
        self.write(|transaction| {
            let delete =
                "DELETE FROM pair WHERE id = ?1 AND run = ?2 AND fence = ?3 AND finished IS NULL";
            match transaction.execute(delete, params![lease.pair, run, lease.fence])? {
                0 => Ok(()),
                _ => insert_void(transaction, now, games),
            }
        })
    }

    fn keep_void(
        &mut self,
        run: u64,
        lease: Lease,
        games: &[GameRecord],
    ) -> Result<(), StoreError> {
        if games.is_empty() {
            return Ok(());
        }
        let now = self.clock.calendar_ms();
        self.write(|transaction| {
            let held = "SELECT EXISTS (SELECT 1 FROM pair
                 WHERE id = ?1 AND run = ?2 AND fence = ?3 AND finished IS NULL)";
            let claim = params![lease.pair, run, lease.fence];
            match transaction.query_row(held, claim, |row| row.get(0))? {
                true => insert_void(transaction, now, games),
                false => Ok(()),
            }
        })
    }

    fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError> {
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

    fn summaries(
        &self,
        after: u64,
        visit: &mut dyn FnMut(StoredSummary),
    ) -> Result<(), StoreError> {
        list_games(&self.connection, after, visit)
    }

    fn each_record(
        &self,
        visit: &mut dyn FnMut(u64, Result<GameRecord, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let select = "SELECT pair, record FROM game ORDER BY pair, place";
        let mut statement = self.connection.prepare(select)?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            let pair = row.get(0)?;
            let record = read_record(pair, &row.get::<_, String>(1)?);
            if visit(pair, record).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn record(&self, number: u64) -> Result<Option<String>, StoreError> {
        let select = "SELECT record FROM game WHERE pair = ?1 AND place = ?2";
        let mut statement = self.connection.prepare_cached(select)?;
        let (pair, place) = place_of(number);
        let record = statement.query_row(params![pair, place], |row| row.get(0));
        Ok(record.optional()?)
    }

    fn last_game(&self) -> Result<Option<GameRecord>, StoreError> {
        let select = "SELECT pair, record FROM game JOIN pair ON pair = id
             ORDER BY finished DESC LIMIT 1";
        let mut statement = self.connection.prepare(select)?;
        let mut rows = statement.query(())?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        read_record(row.get(0)?, &row.get::<_, String>(1)?).map(Some)
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
    let value = parse_name(row.get(at)?);
    value.map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, error.into()))
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
