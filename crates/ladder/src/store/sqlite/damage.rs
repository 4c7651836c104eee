//! What can be wrong with a store, and mending it.
//!
//! Everything here is looked for in a file that anybody may have edited. What cannot be right is taken out of the
//! rating: its games are kept as void ones, and the pair is played again.

use super::pairs::by_name;
use super::{SqliteStore, file, open_to_write, schema};
use crate::store::pairs::times_of;
use crate::store::problem::{Mend, Problem};
use crate::store::{PairStore, ProblemStore, StoreError};
use crownhead_record::Termination;
use crownhead_record::{GameRecord, RecordedResult};
use rusqlite::{Connection, Transaction, params};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

/// What is wrong with pairs, which they are, and what is to be done.
type Impossible = (&'static str, &'static str, fn(i64) -> Mend);

/// Pairs that cannot be right.
const IMPOSSIBLE: [Impossible; 8] = [
    (
        "is finished and has not two games",
        "SELECT id FROM pair LEFT JOIN game ON game.pair = id
         WHERE finished IS NOT NULL AND void IS NULL GROUP BY id HAVING count(game.pair) <> 2",
        Mend::PlayAgain,
    ),
    (
        "is not finished, or void, and has games",
        "SELECT id FROM pair WHERE (finished IS NULL OR void IS NOT NULL)
         AND id IN (SELECT pair FROM game)",
        Mend::PlayAgain,
    ),
    (
        "has games and is not there",
        "SELECT DISTINCT pair FROM game WHERE pair NOT IN (SELECT id FROM pair)",
        Mend::PlayAgain,
    ),
    (
        "has a negative round",
        "SELECT id FROM pair WHERE round < 0",
        Mend::PlayAgain,
    ),
    (
        "has a number in the order of finished pairs that is not above 0",
        "SELECT id FROM pair WHERE finished <= 0",
        Mend::Renumber,
    ),
    (
        "has a negative time",
        "SELECT DISTINCT pair FROM game WHERE black_us < 0 OR white_us < 0",
        Mend::Retime,
    ),
    (
        "is claimed by a run that there never was",
        "SELECT id FROM pair WHERE finished IS NULL AND id NOT IN (SELECT pair FROM game)
         AND (run IS NULL OR run NOT IN (SELECT id FROM run))",
        Mend::Release,
    ),
    (
        "is claimed under a number that was not given out",
        "SELECT id FROM pair WHERE finished IS NULL AND id NOT IN (SELECT pair FROM game)
         AND run IN (SELECT id FROM run) AND fence > coalesce((SELECT max(last) FROM fence), 0)",
        Mend::Release,
    ),
];

/// The same, found by reading every record.
const MISNAMED: Impossible = (
    "is between bots that its games do not name, each once a colour",
    "SELECT id FROM pair JOIN game ON game.pair = id GROUP BY id
     HAVING count(*) = 2 AND (min(black) IS NOT first OR max(black) IS NOT second
        OR sum(json_valid(record)
            AND json_extract(record, '$.white.name') IN (first, second)
            AND json_extract(record, '$.white.name') IS NOT black) <> 2)",
    Mend::PlayAgain,
);

impl ProblemStore for SqliteStore {
    fn problems(&self) -> Result<Vec<Problem>, StoreError> {
        let mut problems = self.problems_of_file()?;
        problems.extend(self.problems_of_pairs()?);
        problems.extend(self.impossible(MISNAMED)?);
        self.each_record(&mut |pair, record| {
            if let Err(error) = record {
                problems.push(Problem::of_pair(pair, error.to_string()));
            }
            ControlFlow::Continue(())
        })?;
        Ok(problems)
    }

    fn problems_of_pairs(&self) -> Result<Vec<Problem>, StoreError> {
        let mut problems = Vec::new();
        for what in IMPOSSIBLE {
            problems.extend(self.impossible(what)?);
        }
        let fences = "SELECT count(*), coalesce(max(last), -1) FROM fence";
        let fences: (i64, i64) = self
            .connection
            .query_row(fences, (), |row| Ok((row.get(0)?, row.get(1)?)))?;
        if fences.0 != 1 || fences.1 < 0 {
            problems.push(Problem {
                told: "the number of the last claim is lost".into(),
                mend: Mend::Fence,
            });
        }
        problems.extend(self.unknown_names()?);
        Ok(problems)
    }

    fn repair(&mut self, problems: &[Problem]) -> Result<Vec<String>, StoreError> {
        let now = self.clock.calendar_ms();
        // One thing is done for a pair, the one that leaves least: what is played again has no times to mend.
        let mut by_pair: BTreeMap<i64, &Mend> = BTreeMap::new();
        for Problem { mend, .. } in problems {
            let (Mend::PlayAgain(pair)
            | Mend::Retime(pair)
            | Mend::Renumber(pair)
            | Mend::Release(pair)) = mend
            else {
                continue;
            };
            let last = by_pair.entry(*pair).or_insert(mend);
            if matches!(mend, Mend::PlayAgain(_)) {
                *last = mend;
            }
        }
        self.write(|transaction| {
            if problems.iter().any(|problem| problem.mend == Mend::Reindex) {
                transaction.execute_batch("REINDEX")?;
            }
            if problems.iter().any(|problem| problem.mend == Mend::Fence) {
                transaction.execute_batch(
                    "DELETE FROM fence;
                     INSERT INTO fence SELECT max(0, coalesce(max(fence), 0)) FROM pair;",
                )?;
            }
            for (pair, mend) in &by_pair {
                mend_pair(transaction, *pair, mend, now)?;
            }
            Ok(())
        })?;
        Ok(problems.iter().map(Problem::told_as_mended).collect())
    }
}

impl SqliteStore {
    fn impossible(&self, (what, select, mend): Impossible) -> Result<Vec<Problem>, StoreError> {
        let mut statement = self.connection.prepare_cached(select)?;
        let pairs = statement.query_map((), |row| row.get::<_, i64>(0))?;
        let problem = |pair: rusqlite::Result<i64>| {
            let pair = pair?;
            Ok(Problem {
                told: format!("pair {pair} {what}"),
                mend: mend(pair),
            })
        };
        pairs.map(problem).collect()
    }

    /// Results and endings that there are not.
    fn unknown_names(&self) -> Result<Vec<Problem>, StoreError> {
        let select =
            "SELECT pair, result, termination FROM game GROUP BY pair, result, termination";
        let mut statement = self.connection.prepare_cached(select)?;
        let mut rows = statement.query(())?;
        let mut problems = Vec::new();
        while let Some(row) = rows.next()? {
            let known =
                by_name::<RecordedResult>(row, 1).and(by_name::<Termination>(row, 2).map(drop));
            if let Err(error) = known {
                let pair = row.get(0)?;
                problems.push(Problem {
                    told: format!("pair {pair} did not end in any known way: {error}"),
                    mend: Mend::PlayAgain(pair),
                });
            }
        }
        Ok(problems)
    }

    fn problems_of_file(&self) -> Result<Vec<Problem>, StoreError> {
        let mut check = self.connection.prepare("PRAGMA integrity_check")?;
        let found = check.query_map((), |row| row.get::<_, String>(0))?;
        let mut problems = Vec::new();
        for told in found {
            let told = told?;
            let mend = match told.contains("index") {
                true => Mend::Reindex,
                false => Mend::Never,
            };
            // What a column may hold is told pair by pair.
            if told != "ok" && !told.starts_with("CHECK") {
                problems.push(Problem { told, mend });
            }
        }
        Ok(problems)
    }

    /// Writes again what the file is, where that alone is damaged; tells what was mended.
    ///
    /// # Errors
    /// When it is not a ladder's, or cannot be written.
    pub fn restore_marks(path: &Path) -> Result<Option<String>, StoreError> {
        file::whole_file(path)?;
        schema::restore_marks(&open_to_write(path)?)
    }
}

fn mend_pair(
    transaction: &Transaction<'_>,
    pair: i64,
    mend: &Mend,
    now: u64,
) -> Result<(), StoreError> {
    match mend {
        Mend::PlayAgain(_) => {
            transaction.execute(
                "INSERT INTO spoiled (at_ms, record) SELECT ?2, record FROM game WHERE pair = ?1",
                params![pair, now],
            )?;
            transaction.execute("DELETE FROM game WHERE pair = ?1", [pair])?;
            transaction.execute("DELETE FROM pair WHERE id = ?1", [pair])?;
        }
        Mend::Retime(_) => retime(transaction, pair)?,
        Mend::Renumber(_) => {
            transaction.execute(
                "UPDATE pair SET
                    finished = (SELECT max(0, coalesce(max(finished), 0)) + 1 FROM pair)
                 WHERE id = ?1",
                [pair],
            )?;
        }
        Mend::Release(_) => {
            transaction.execute("DELETE FROM pair WHERE id = ?1", [pair])?;
        }
        Mend::Never | Mend::Reindex | Mend::Fence => {}
    }
    Ok(())
}

fn retime(connection: &Connection, pair: i64) -> Result<(), StoreError> {
    let mut select = connection.prepare("SELECT place, record FROM game WHERE pair = ?1")?;
    let games: Vec<(i64, String)> = select
        .query_map([pair], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (place, record) in games {
        // A record that cannot be read is a problem of its own, and its pair played again.
        if let Ok(record) = serde_json::from_str::<GameRecord>(&record) {
            let [black, white] = times_of(&record);
            connection.execute(
                "UPDATE game SET black_us = ?3, white_us = ?4 WHERE pair = ?1 AND place = ?2",
                params![pair, place, black, white],
            )?;
        }
    }
    Ok(())
}
