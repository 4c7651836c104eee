//! Lists of games without their records.

use super::pairs::by_name;
use crate::store::pairs::number_of;
use crate::store::{StoreError, StoredSummary};
use crownhead_record::{GameSummary, opening_in_words};
use rusqlite::types::Type;
use rusqlite::{Connection, Row};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// Every value that is asked for is in the index `game_summary`: no record is read.
const SELECT: &str = "SELECT pair.finished, game.pair, game.place, game.black,
        json_extract(game.record, '$.white.name'), game.result, game.termination,
        game.black_us, game.white_us, json_array_length(game.record, '$.turns'),
        json_extract(game.record, '$.start'), json_extract(game.record, '$.opening')
     FROM pair CROSS JOIN game INDEXED BY game_summary ON game.pair = pair.id
     WHERE pair.finished > ?1
     ORDER BY pair.finished, game.place";

/// Hands the games of the pairs that were stored after the one numbered `after` to `visit`, in that order.
pub(super) fn list_games(
    connection: &Connection,
    after: u64,
    visit: &mut dyn FnMut(StoredSummary),
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(SELECT)?;
    let mut rows = statement.query([after])?;
    while let Some(row) = rows.next()? {
        visit(summary(row)?);
    }
    Ok(())
}

fn summary(row: &Row<'_>) -> rusqlite::Result<StoredSummary> {
    let (pair, place): (u64, u64) = (row.get(1)?, row.get(2)?);
    let time = |at| row.get(at).map(Duration::from_micros);
    let start = json(row, 10)?;
    let opening: Option<Vec<String>> = json(row, 11)?;
    Ok(StoredSummary {
        finished: row.get(0)?,
        game: GameSummary {
            number: number_of(pair, place),
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
    use crate::store::SqliteStore;

    #[test]
    fn lists_of_games_and_of_pairs_read_no_record() {
        let store = SqliteStore::empty().unwrap();
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
        let steps = plan(crate::store::sqlite::pairs::SELECT_PAIRS);
        let covered = steps.matches("USING COVERING INDEX game_summary").count();
        assert_eq!(covered, 2, "{steps}");
    }
}
