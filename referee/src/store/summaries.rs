//! Reading for those who look on: lists of games without their records, and one record at a time.

use super::pairs::by_name;
use super::{Store, StoreError};
use crate::record::{GameSummary, opening_in_words};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// A game of a ladder as lists show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredSummary {
    /// The place of its pair in the order in which pairs were stored, from 1.
    pub finished: u64,
    /// The game; a ladder's games are numbered through.
    pub game: GameSummary,
}

/// Every value that is asked for is in the index `game_summary`: no record is read.
const SELECT: &str = "SELECT pair.finished, game.pair, game.place, game.black,
        json_extract(game.record, '$.white.name'), game.result, game.termination,
        game.black_us, game.white_us, json_array_length(game.record, '$.turns'),
        json_extract(game.record, '$.start'), json_extract(game.record, '$.opening')
     FROM pair CROSS JOIN game INDEXED BY game_summary ON game.pair = pair.id
     WHERE pair.finished > ?1
     ORDER BY pair.finished, game.place";

impl Store {
    /// Hands the games of the pairs that were stored after the one numbered `after` to `visit`, in that order; all
    /// for 0.
    ///
    /// # Errors
    /// When the file fails; so for all that follow.
    pub fn summaries(
        &self,
        after: u64,
        mut visit: impl FnMut(StoredSummary),
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(SELECT)?;
        let mut rows = statement.query([after])?;
        while let Some(row) = rows.next()? {
            visit(summary(row)?);
        }
        Ok(())
    }

    /// The record of a game, as its line in a file of records; `None` if there is none of this number.
    pub fn record(&self, number: u64) -> Result<Option<String>, StoreError> {
        let select = "SELECT record FROM game WHERE pair = ?1 AND place = ?2";
        let mut statement = self.connection.prepare_cached(select)?;
        let (pair, place) = (number.saturating_add(1) / 2, number.saturating_add(1) % 2);
        let record = statement.query_row(params![pair, place], |row| row.get(0));
        Ok(record.optional()?)
    }

    /// The bots of the pairs that some run has claimed.
    pub fn under_way(&self) -> Result<Vec<[String; 2]>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT first, second FROM pair WHERE finished IS NULL AND fence > 0 ORDER BY id",
        )?;
        let pairs = statement.query_map((), |row| Ok([row.get(0)?, row.get(1)?]))?;
        Ok(pairs.collect::<Result<_, _>>()?)
    }
}

fn summary(row: &Row<'_>) -> rusqlite::Result<StoredSummary> {
    let (pair, place): (u64, u64) = (row.get(1)?, row.get(2)?);
    let time = |at| row.get(at).map(Duration::from_micros);
    let start = json(row, 10)?;
    let opening: Option<Vec<String>> = json(row, 11)?;
    Ok(StoredSummary {
        finished: row.get(0)?,
        game: GameSummary {
            number: 2 * pair - 1 + place,
            players: [row.get(3)?, row.get(4)?],
            result: Some(by_name(row, 5)?),
            termination: by_name(row, 6)?,
            times: [time(7)?, time(8)?],
            turns: row.get(9)?,
            opening: opening_in_words(start.as_ref(), &opening.unwrap_or_default()),
            replayed: false,
        },
    })
}

/// What a column holds as JSON, if it is not null.
fn json<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(at)?;
    let value = text.map(|text| serde_json::from_str(&text)).transpose();
    value
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::SELECT;
    use crate::store::Store;

    #[test]
    fn lists_of_games_and_of_pairs_read_no_record() {
        let store = Store::empty().unwrap();
        let plan = |select: &str| -> String {
            let explain = format!("EXPLAIN QUERY PLAN {select}");
            let mut statement = store.connection.prepare(&explain).unwrap();
            let steps = statement.query_map([0], |row| row.get::<_, String>(3));
            steps.unwrap().map(|step| step.unwrap() + "\n").collect()
        };
        let steps = plan(SELECT);
        assert!(
            steps.contains("USING COVERING INDEX game_summary"),
            "{steps}"
        );
        let steps = plan(crate::store::pairs::SELECT_PAIRS);
        let covered = steps.matches("USING COVERING INDEX game_summary").count();
        assert_eq!(covered, 2, "{steps}");
    }
}
