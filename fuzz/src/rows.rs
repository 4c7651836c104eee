//! Rows of a ladder's database into which a stranger may write, and what the owner's commands make of them.

use crownhead_bots::BoardGame;
use crownhead_ladder::store::sql::{Database, Row, Sql, Value, Work};
use crownhead_ladder::store::{Store, StoreError, StoredPair};
use crownhead_ladder::{Config, LadderTally, Roster, ratings_over_pairs};
use crownhead_record::{GameRecord, GameSummary};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// What tells a statement by its text, the name of its rows in the document, and how many columns each has.
const STATEMENTS: [(&str, &str, usize); 6] = [
    ("string_agg", "pairs", 6),
    ("SELECT pair, place, record", "records", 4),
    ("FROM version", "versions", 4),
    ("FROM disabled", "disabled", 2),
    ("FROM enabled", "enabled", 2),
    ("SELECT DISTINCT pair.id", "impossible", 1),
];

/// A database that answers what a document says.
#[derive(Clone, Debug)]
struct Document(Arc<Map<String, Json>>);

/// A document of rows by [`STATEMENTS`]: they are read or refused with a reason, rated, and checked.
pub fn rows(bytes: &[u8]) {
    let Ok(Json::Object(document)) = serde_json::from_slice(bytes) else {
        return;
    };
    let store = Store::from(Document(Arc::new(document)));
    let told = |error: StoreError| drop(error.to_string());
    let versions = store.versions().map_err(told).unwrap_or_default();
    let states = store.bot_states().map_err(told).unwrap_or_default();
    let config =
        Config::parse("[[bot]]\nname = \"one\"\ncommand = \"greedy\"\n").expect("a ladder");
    let roster = Roster::new(&config, &versions);
    let pairs = store.pairs(0).map_err(told).unwrap_or_default();
    let mut tally = LadderTally::new(roster.clone());
    pairs.iter().for_each(|pair| tally.add(pair));
    let standings = tally.standings(&config, &states.disabled);
    for row in &standings.rows {
        assert!(!row.rating.is_some_and(f64::is_nan), "{row:?}");
    }
    let history = ratings_over_pairs(&config, &roster, &pairs);
    drop(serde_json::to_string(&(standings, history)).expect("plain data"));
    let _ = pairs.iter().flat_map(StoredPair::rated).count();
    for record in store.records() {
        drop(
            record
                .as_ref()
                .map(GameSummary::of)
                .map_err(ToString::to_string),
        );
    }
    let problems = store.problems(&mut |game: &GameRecord| {
        let rules: &'static dyn BoardGame = super::CHECKERS;
        game.rebuild(rules).err().map(|error| error.to_string())
    });
    drop(problems.map_err(told));
}

impl Sql for Document {
    fn rows(&mut self, statement: &str, _: &[Value]) -> Result<Vec<Row>, StoreError> {
        let known = STATEMENTS
            .iter()
            .find(|(text, ..)| statement.contains(text));
        let Some((_, name, columns)) = known else {
            return Ok(Vec::new());
        };
        let rows = self.0.get(*name).and_then(Json::as_array);
        Ok(rows
            .into_iter()
            .flatten()
            .map(|row| as_row(row, *columns))
            .collect())
    }

    fn change(&mut self, _: &str, _: &[Value]) -> Result<u64, StoreError> {
        Ok(0)
    }

    fn lock(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A row of so many columns: a server gives as many as were asked for.
fn as_row(row: &Json, columns: usize) -> Row {
    let mut values: Vec<Value> = row.as_array().into_iter().flatten().map(value).collect();
    values.resize(columns, Value::Null);
    Row(values)
}

fn value(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(is_true) => Value::Number((*is_true).into()),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Number(number),
            None => Value::Real(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::Text(text.clone()),
        // A record stands as it is.
        other => Value::Text(other.to_string()),
    }
}

impl Database for Document {
    fn read(&self, work: &Work<'_>) -> Result<(), StoreError> {
        work(&mut self.clone())
    }

    fn write(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        work(self)
    }

    fn play(&mut self, _: u64) -> Result<(), StoreError> {
        Ok(())
    }
}
