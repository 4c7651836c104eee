//! What machines that share a ladder exchange: everything that a worker needs to play without the ladder's folder, and
//! data about the workers. Only a database of a server has the tables.

use super::StoreError;
use super::sql::{Row, Store, Value};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The PostgreSQL roles of a ladder's database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roles {
    /// May change all that is stored.
    pub owner: String,
    /// May play: claim pairs and store them.
    pub worker: String,
}

/// Everything that a worker needs from a ladder, except its games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Publication {
    /// The configuration; a file of openings is separate.
    pub config: String,
    /// The content of that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// The description of the external referee: its command and its files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<String>,
    /// The signature of the built-in search that plays.
    pub signature: u64,
    /// The bots that play.
    pub bots: Vec<PublishedBot>,
}

/// How to start a version of a bot, wherever its files are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PublishedBot {
    /// Its name.
    pub bot: String,
    /// Its version.
    pub version: String,
    /// The words of its command line; none of a built-in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<Word>,
    /// Whether it runs where its files are, and not in its private folder.
    #[serde(default)]
    pub in_folder: bool,
}

/// A word of a command line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// As it is.
    Text(String),
    /// A prefix, such as `--book=`, and one of the version's files.
    File(String, String),
}

/// A machine with a worker.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Machine {
    /// The worker's name.
    pub name: String,
    /// How many cores it has.
    pub cores: u64,
    /// How many pairs it plays at once.
    #[serde(rename = "at_once")]
    pub concurrency: u64,
    /// Positions a second of the built-in search, with this many searches at once.
    pub speed: f64,
}

/// A worker as it is listed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Worker {
    /// What it is.
    #[serde(flatten)]
    pub machine: Machine,
    /// Time since it was last seen, by the server's clock.
    #[serde(rename = "seen_us", with = "crownhead_record::judge::microseconds")]
    pub seen: Duration,
    /// What it does; `None` if it has ended.
    pub doing: Option<String>,
    /// Its rated games.
    pub games: u64,
    /// Void pairs: other programs may have made a bot late.
    pub void: u64,
}

impl Store {
    /// # Errors
    /// When the ladder's games are in a file.
    pub fn expect_shared(&self) -> Result<(), String> {
        let told = "the ladder's games are in a file, which other machines do not see. `crownhead ladder new FOLDER \
                    --store postgres://…` begins one in a database";
        self.is_shared().then_some(()).ok_or_else(|| told.into())
    }

    fn rows(&self, select: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        self.read(|sql| sql.rows(select, values))
    }

    fn row(&self, select: &str, values: &[Value]) -> Result<Option<Row>, StoreError> {
        self.read(|sql| sql.row(select, values))
    }

    fn change(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError> {
        self.write(|sql| sql.change(statement, values))
    }

    /// Publishes this for workers. `false` if it was published already.
    pub fn publish(&mut self, ladder: &Publication) -> Result<bool, StoreError> {
        let content = serde_json::to_string(ladder).expect("a publication is plain data");
        let content = [Value::Text(content)];
        let insert = "INSERT INTO publication (content) VALUES (?1)
             ON CONFLICT (id) DO UPDATE SET content = ?1 WHERE publication.content <> ?1";
        self.write(|sql| {
            let is_new = sql.change(insert, &content)? == 1;
            if is_new {
                sql.change("UPDATE crownhead SET revision = revision + 1", &[])?;
            }
            Ok(is_new)
        })
    }

    /// What workers play; `None` before anything was published.
    pub fn publication(&self) -> Result<Option<Publication>, StoreError> {
        let Some(row) = self.row("SELECT content FROM publication", &[])? else {
            return Ok(None);
        };
        serde_json::from_str(&row.text(0)?).map_err(|error| {
            let told = "what is published for workers cannot be read, another version of Crownhead may have written it";
            StoreError::Content(format!("{told}: {error}"))
        })
    }

    /// Changes whenever something is published.
    pub fn revision(&self) -> Result<u64, StoreError> {
        self.read(|sql| sql.number("SELECT revision FROM crownhead", &[]))
    }

    /// The hashes among these whose files are not stored yet.
    pub fn missing_files(&self, hashes: &[String]) -> Result<Vec<String>, StoreError> {
        let select = "SELECT wanted FROM unnest(string_to_array(?1, ' ')) AS wanted
             WHERE NOT EXISTS (SELECT 1 FROM file WHERE hash = wanted)";
        let rows = self.rows(select, &[Value::Text(hashes.join(" "))])?;
        rows.iter().map(|row| row.text(0)).collect()
    }

    /// Keeps a file under the hash of its content.
    pub fn keep_file(&mut self, hash: &str, content: &[u8]) -> Result<(), StoreError> {
        let insert = "INSERT INTO file (hash, content) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        self.change(insert, &[hash.into(), Value::Bytes(content.into())])
            .map(drop)
    }

    /// The file of this hash, if it is kept.
    pub fn file(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let row = self.row("SELECT content FROM file WHERE hash = ?1", &[hash.into()])?;
        row.map(|row| row.bytes(0)).transpose()
    }

    /// Registers a worker that is about to play as this run. Its speed is the ladder's if it is the first. A worker that
    /// had this name before loses it.
    pub fn join(&mut self, run: u64, worker: &Machine) -> Result<(), StoreError> {
        let machine = [
            Value::from(&worker.name),
            run.into(),
            worker.cores.into(),
            worker.concurrency.into(),
            Value::Real(worker.speed),
        ];
        self.write(|sql| {
            let insert = "INSERT INTO worker (name, run, cores, concurrency, speed, doing)
                 VALUES (?1, ?2, ?3, ?4, ?5, 'joins')
                 ON CONFLICT (name) DO UPDATE SET run = ?2, cores = ?3, concurrency = ?4, speed = ?5,
                    doing = 'joins', joined = clock_timestamp(), seen = clock_timestamp()";
            sql.change(insert, &machine)?;
            sql.change("UPDATE run SET worker = ?1 WHERE id = ?2", &machine[..2])?;
            let first = "UPDATE crownhead SET reference_speed = ?1 WHERE reference_speed IS NULL";
            sql.change(first, &machine[4..]).map(drop)
        })
    }

    /// The speed of the first worker, once one has joined.
    pub fn reference_speed(&self) -> Result<Option<f64>, StoreError> {
        let row = self.row("SELECT reference_speed FROM crownhead", &[])?;
        row.map_or(Ok(None), |row| row.optional(0, Row::real))
    }

    /// Notes that a worker is alive, and what it does; `None` once it has ended. Returns `false` if another has taken
    /// its name.
    pub fn seen(
        &mut self,
        run: u64,
        worker: &str,
        doing: Option<&str>,
    ) -> Result<bool, StoreError> {
        let update =
            "UPDATE worker SET seen = clock_timestamp(), doing = ?3 WHERE name = ?2 AND run = ?1";
        Ok(self.change(update, &[run.into(), worker.into(), doing.into()])? == 1)
    }

    /// All workers that ever joined, by name.
    pub fn workers(&self) -> Result<Vec<Worker>, StoreError> {
        let select = "SELECT name, cores, concurrency, speed, extract(epoch FROM clock_timestamp() - seen)::float8,
                doing, played.games, played.void
             FROM worker
             CROSS JOIN LATERAL (
                SELECT coalesce(sum(json_array_length(bots::json)) FILTER (WHERE void IS NULL), 0) AS games,
                    count(*) FILTER (WHERE void IS NOT NULL) AS void
                FROM pair JOIN run ON run.id = pair.run
                WHERE run.worker = name AND stored IS NOT NULL) played
             ORDER BY name";
        let worker = |row: &Row| {
            Ok(Worker {
                machine: Machine {
                    name: row.text(0)?,
                    cores: row.number(1)?,
                    concurrency: row.number(2)?,
                    speed: row.real(3)?,
                },
                seen: Duration::try_from_secs_f64(row.real(4)?).unwrap_or_default(),
                doing: row.optional(5, Row::text)?,
                games: row.number(6)?,
                void: row.number(7)?,
            })
        };
        self.rows(select, &[])?.iter().map(worker).collect()
    }
}
