//! What can be wrong with what is stored, where a database was edited by hand.

use super::pairs::{columns, stored_pair};
use super::{Row, Sql};
use crate::store::{Problem, StoreError};
use crownhead_record::GameRecord;

/// Pairs that cannot be right, and what is wrong with them.
const IMPOSSIBLE: [(&str, &str); 3] = [
    (
        "is not finished, or void, and has games",
        "SELECT DISTINCT pair.id FROM pair JOIN game ON game.pair = pair.id
         WHERE {open} OR void IS NOT NULL",
    ),
    (
        "has games and is not there",
        "SELECT DISTINCT pair FROM game WHERE pair NOT IN (SELECT id FROM pair)",
    ),
    (
        "is between bots that its games do not name, each once a colour",
        "SELECT pair.id FROM pair JOIN game ON game.pair = pair.id
         GROUP BY pair.id, first, second
         HAVING count(*) = 2 AND (min(black) <> first OR max(black) <> second
            OR min(white) <> first OR max(white) <> second
            OR sum(CASE WHEN black = white THEN 1 ELSE 0 END) > 0)",
    ),
];

pub(super) fn impossible_pairs(sql: &mut dyn Sql) -> Result<Vec<Problem>, StoreError> {
    let mut problems = Vec::new();
    for (what, select) in IMPOSSIBLE {
        for row in sql.rows(select, &[])? {
            let pair = row.number(0)?;
            problems.push(Problem {
                told: format!("pair {pair} {what}"),
                pair: Some(pair),
            });
        }
    }
    Ok(problems)
}

/// Why a finished pair cannot be rated, if it cannot.
pub(super) fn problem_of_pair(row: &Row) -> Result<Option<Problem>, StoreError> {
    match stored_pair(row) {
        Ok(_) => Ok(None),
        Err(StoreError::Pair { pair, what }) => Ok(Some(Problem {
            told: format!("pair {pair} {what}"),
            pair: Some(pair),
        })),
        Err(error) => Err(error),
    }
}

/// What is wrong with a game of a pair, if something is; `doubt` is asked of what can be read.
pub(super) fn problem_of_game(
    row: &Row,
    doubt: &mut dyn FnMut(&GameRecord) -> Option<String>,
) -> Result<Option<Problem>, StoreError> {
    let pair = row.number(0)?;
    let told = match read_record(row) {
        Err(error) => Some(error.to_string()),
        Ok(game) if columns(&game)[1..8] != row.0[3..] => Some(format!(
            "pair {pair} has a record that says otherwise than its columns"
        )),
        Ok(game) => doubt(&game),
    };
    let pair = Some(pair);
    Ok(told.map(|told| Problem { told, pair }))
}

/// The record of a row that begins with the pair, the place and the record.
pub(super) fn read_record(row: &Row) -> Result<GameRecord, StoreError> {
    let pair = row.number(0)?;
    serde_json::from_str(&row.text(2)?).map_err(|error| StoreError::Record { pair, error })
}
