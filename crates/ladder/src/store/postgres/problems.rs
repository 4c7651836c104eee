//! What can be wrong in a database that the constraints of its tables do not keep out.

use super::pairs::Columns;
use super::{PostgresStore, natural};
use crate::store::pairs::{parse_name, read_record};
use crate::store::problem::Mend;
use crate::store::{Problem, ProblemStore, StoreError};
use crownhead_record::RecordedResult;
use crownhead_record::Termination;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Pairs that cannot be right, and what is wrong with them.
const IMPOSSIBLE: [(&str, &str); 2] = [
    (
        "is finished and has not two games",
        "SELECT id FROM pair LEFT JOIN game ON game.pair = id
         WHERE stored IS NOT NULL AND void IS NULL GROUP BY id HAVING count(game.pair) <> 2",
    ),
    (
        "is not finished, or void, and has games",
        "SELECT DISTINCT id FROM pair JOIN game ON game.pair = id
         WHERE stored IS NULL OR void IS NOT NULL",
    ),
];

const MISNAMED: (&str, &str) = (
    "is between bots that its games do not name, each once a colour",
    "SELECT id FROM pair JOIN game ON game.pair = id GROUP BY id
     HAVING count(*) = 2 AND (min(black) <> first OR max(black) <> second
        OR min(white) <> first OR max(white) <> second OR bool_or(black = white))",
);

impl ProblemStore for PostgresStore {
    fn problems(&self) -> Result<Vec<Problem>, StoreError> {
        let mut problems = self.problems_of_pairs()?;
        problems.extend(self.impossible(MISNAMED)?);
        self.each_row(|pair, record, columns| {
            let told = match read_record(pair, record) {
                Ok(game) if Columns::of(&game) == columns => None,
                Ok(_) => Some(format!(
                    "pair {pair} has a record that says otherwise than its columns"
                )),
                Err(error) => Some(error.to_string()),
            };
            problems.extend(told.map(|told| Problem::of_pair(pair, told)));
            ControlFlow::Continue(())
        })?;
        Ok(problems)
    }

    fn problems_of_pairs(&self) -> Result<Vec<Problem>, StoreError> {
        let mut problems = Vec::new();
        for what in IMPOSSIBLE {
            problems.extend(self.impossible(what)?);
        }
        problems.extend(self.unknown_endings()?);
        Ok(problems)
    }

    fn repair(&mut self, problems: &[Problem]) -> Result<Vec<String>, StoreError> {
        // Constraints keep everything out that is mended otherwise.
        let pairs = problems.iter().filter_map(|problem| match problem.mend {
            Mend::PlayAgain(pair) => Some(pair),
            _ => None,
        });
        let pairs: Vec<i64> = pairs.collect::<BTreeSet<_>>().into_iter().collect();
        self.connection.run(move |client| {
            let mut transaction = client.transaction()?;
            for step in [
                "INSERT INTO spoiled (record) SELECT record FROM game WHERE pair = ANY ($1)
                 ON CONFLICT DO NOTHING",
                "DELETE FROM game WHERE pair = ANY ($1)",
                "UPDATE pair SET run = NULL, leased_until = NULL, stored = NULL, finished = NULL, void = NULL
                 WHERE id = ANY ($1)",
            ] {
                transaction.execute(step, &[&pairs])?;
            }
            transaction.commit()
        })?;
        Ok(problems.iter().map(Problem::told_as_mended).collect())
    }
}

impl PostgresStore {
    fn impossible(
        &self,
        (what, select): (&'static str, &'static str),
    ) -> Result<Vec<Problem>, StoreError> {
        let rows = self.connection.run(|client| client.query(select, &[]))?;
        let problem = |row: &postgres::Row| {
            let pair = natural(row.get(0));
            Problem::of_pair(pair, format!("pair {pair} {what}"))
        };
        Ok(rows.iter().map(problem).collect())
    }

    /// Results and endings that there are not.
    fn unknown_endings(&self) -> Result<Vec<Problem>, StoreError> {
        let endings = self
            .connection
            .run(|client| client.query("SELECT DISTINCT result, termination FROM game", &[]))?;
        let mut problems = Vec::new();
        for row in endings {
            let (result, ending): (String, String) = (row.get(0), row.get(1));
            let known = parse_name::<RecordedResult>(result.clone()).map(drop);
            let known = known.and(parse_name::<Termination>(ending.clone()).map(drop));
            let Err(error) = known else {
                continue;
            };
            let pairs = self.connection.run(move |client| {
                let select =
                    "SELECT DISTINCT pair FROM game WHERE result = $1 AND termination = $2";
                client.query(select, &[&result, &ending])
            })?;
            problems.extend(pairs.iter().map(|row| natural(row.get(0))).map(|pair| {
                let told = format!("pair {pair} did not end in any known way: {error}");
                Problem::of_pair(pair, told)
            }));
        }
        Ok(problems)
    }
}
