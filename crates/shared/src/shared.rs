//! What machines share in addition to games: publications for workers, the workers, builds, and replays.

use super::{PostgresStore, roles};
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::shared::{
    Build, Machine, Publication, Replay, Roles, SharedStore, Worker,
};
use crownhead_ladder::store::sql::{Database, Row, Sql, Value};
use crownhead_record::Termination;
use std::collections::HashMap;
use std::time::Duration;

impl PostgresStore {
    fn rows(&self, select: &'static str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let values = values.to_vec();
        self.read(move |sql| sql.rows(select, &values))
    }

    fn row(&self, select: &'static str, values: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(select, values)?.into_iter().next())
    }

    fn change(&self, statement: &'static str, values: &[Value]) -> Result<u64, StoreError> {
        let values = values.to_vec();
        self.transact(move |sql| sql.change(statement, &values))
    }

    /// A change that all players must see, if there is one.
    fn revise(&self, statement: &'static str, values: &[Value]) -> Result<bool, StoreError> {
        let values = values.to_vec();
        self.transact(move |sql| {
            let is_changed = sql.change(statement, &values)? == 1;
            if is_changed {
                sql.change("UPDATE crownhead SET revision = revision + 1", &[])?;
            }
            Ok(is_changed)
        })
    }
}

impl SharedStore for PostgresStore {
    fn set_roles(&self, owner: Option<&str>, worker: Option<&str>) -> Result<Roles, StoreError> {
        roles::set_roles(self, owner, worker)
    }

    fn publish(&self, ladder: &Publication) -> Result<bool, StoreError> {
        let content = serde_json::to_string(ladder).expect("a publication is plain data");
        let insert = "INSERT INTO publication (content) VALUES (?1)
             ON CONFLICT (id) DO UPDATE SET content = ?1 WHERE publication.content <> ?1";
        self.revise(insert, &[Value::Text(content)])
    }

    fn publication(&self) -> Result<Option<Publication>, StoreError> {
        let Some(row) = self.row("SELECT content FROM publication", &[])? else {
            return Ok(None);
        };
        serde_json::from_str(&row.text(0)?).map_err(|error| {
            StoreError::Content(format!(
                "what is published for workers cannot be read, another version of Crownhead may have written it: \
                 {error}"
            ))
        })
    }

    fn revision(&self) -> Result<u64, StoreError> {
        self.read(|sql| sql.number("SELECT revision FROM crownhead", &[]))
    }

    fn missing_files(&self, hashes: &[String]) -> Result<Vec<String>, StoreError> {
        let select = "SELECT wanted FROM unnest(string_to_array(?1, ' ')) AS wanted
             WHERE NOT EXISTS (SELECT 1 FROM file WHERE hash = wanted)";
        let rows = self.rows(select, &[Value::Text(hashes.join(" "))])?;
        rows.iter().map(|row| row.text(0)).collect()
    }

    fn keep_file(&self, hash: &str, content: &[u8]) -> Result<(), StoreError> {
        let insert = "INSERT INTO file (hash, content) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        self.change(insert, &[hash.into(), Value::Bytes(content.into())])
            .map(drop)
    }

    fn file(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let row = self.row("SELECT content FROM file WHERE hash = ?1", &[hash.into()])?;
        row.map(|row| row.bytes(0)).transpose()
    }

    fn join(&self, run: u64, worker: &Machine) -> Result<(), StoreError> {
        let name = Value::from(&worker.name);
        let speed = [Value::Real(worker.speed)];
        let own = [run.into(), name.clone()];
        let machine = [
            name,
            run.into(),
            u64::from(worker.cores).into(),
            u64::from(worker.concurrency).into(),
            worker.safe_games.map(u64::from).into(),
            speed[0].clone(),
        ];
        self.transact(move |sql| {
            let insert = "INSERT INTO worker (name, run, cores, concurrency, safe_games, speed, doing)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'joins')
                 ON CONFLICT (name) DO UPDATE SET run = ?2, cores = ?3, concurrency = ?4, safe_games = ?5, speed = ?6,
                    doing = 'joins', joined = clock_timestamp(), seen = clock_timestamp()";
            sql.change(insert, &machine)?;
            sql.change("UPDATE run SET worker = ?2 WHERE id = ?1", &own)?;
            let first = "UPDATE crownhead SET reference_speed = ?1 WHERE reference_speed IS NULL";
            sql.change(first, &speed).map(drop)
        })
    }

    fn reference_speed(&self) -> Result<Option<f64>, StoreError> {
        let row = self.row("SELECT reference_speed FROM crownhead", &[])?;
        row.map_or(Ok(None), |row| row.optional(0, Row::real))
    }

    fn seen(&self, run: u64, worker: &str, doing: Option<&str>) -> Result<bool, StoreError> {
        let update =
            "UPDATE worker SET seen = clock_timestamp(), doing = ?3 WHERE name = ?2 AND run = ?1";
        Ok(self.change(update, &[run.into(), worker.into(), doing.into()])? == 1)
    }

    fn workers(&self) -> Result<Vec<Worker>, StoreError> {
        let mut faults: HashMap<String, u64> = HashMap::new();
        let endings = "SELECT run.worker, game.termination, count(*)
             FROM game JOIN pair ON pair.id = game.pair JOIN run ON run.id = pair.run
             WHERE run.worker IS NOT NULL GROUP BY 1, 2";
        for row in self.rows(endings, &[])? {
            // A value of a later version is no error here.
            let ending = row.named::<Termination>(1, "how a game ended");
            if ending.is_ok_and(|ending| ending.is_fault()) {
                *faults.entry(row.text(0)?).or_default() += row.number(2)?;
            }
        }
        let select = "SELECT name, cores, concurrency, safe_games, speed,
                extract(epoch FROM clock_timestamp() - seen)::float8, doing, excluded,
                played.pairs, played.void, replayed.pairs, replayed.different
             FROM worker
             CROSS JOIN LATERAL (
                SELECT count(*) AS pairs, count(*) FILTER (WHERE void IS NOT NULL) AS void
                FROM pair JOIN run ON run.id = pair.run
                WHERE run.worker = name AND stored IS NOT NULL) played
             CROSS JOIN LATERAL (
                SELECT count(*) AS pairs, count(*) FILTER (WHERE difference IS NOT NULL) AS different
                FROM replay JOIN pair ON pair.id = replay.pair JOIN run ON run.id = pair.run
                WHERE run.worker = name AND done IS NOT NULL) replayed
             ORDER BY name";
        let worker = |row: &Row| {
            let (name, void) = (row.text(0)?, row.number(9)?);
            Ok(Worker {
                faults: faults.get(&name).copied().unwrap_or(0),
                name,
                cores: row.number(1)?,
                at_once: row.number(2)?,
                safe_games: row.optional(3, Row::number)?,
                speed: row.real(4)?,
                seen: Duration::try_from_secs_f64(row.real(5)?).unwrap_or_default(),
                doing: row.optional(6, Row::text)?,
                excluded: row.optional(7, Row::text)?,
                games: 2 * (row.number(8)? - void),
                void,
                replayed: row.number(10)?,
                different: row.number(11)?,
                residual: None,
            })
        };
        self.rows(select, &[])?.iter().map(worker).collect()
    }

    fn played_by(&self) -> Result<Vec<(u64, String)>, StoreError> {
        let select = "SELECT finished, run.worker FROM pair JOIN run ON run.id = pair.run
             WHERE finished > 0 AND run.worker IS NOT NULL ORDER BY finished";
        let rows = self.rows(select, &[])?;
        let played = |row: &Row| Ok((row.number(0)?, row.text(1)?));
        rows.iter().map(played).collect()
    }

    fn exclude(&self, worker: &str, reason: Option<&str>) -> Result<bool, StoreError> {
        let update = "UPDATE worker SET excluded = ?2 WHERE name = ?1";
        self.revise(update, &[worker.into(), reason.into()])
    }

    fn note_build(&self, run: u64, build: &Build) -> Result<(), StoreError> {
        let insert = "INSERT INTO build (run, bot, version, program, compiler)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";
        let values = [
            run.into(),
            Value::from(&build.bot),
            Value::from(&build.version),
            Value::from(&build.program),
            Value::from(&build.compiler),
        ];
        self.change(insert, &values).map(drop)
    }

    fn builds(&self) -> Result<Vec<Build>, StoreError> {
        let select =
            "SELECT DISTINCT bot, version, program, compiler FROM build ORDER BY 1, 2, 3, 4";
        let build = |row: &Row| {
            Ok(Build {
                bot: row.text(0)?,
                version: row.text(1)?,
                program: row.text(2)?,
                compiler: row.text(3)?,
            })
        };
        self.rows(select, &[])?.iter().map(build).collect()
    }

    fn claim_replay(
        &self,
        run: u64,
        bots: &[String],
        percent: u32,
    ) -> Result<Option<Replay>, StoreError> {
        let values = [
            run.into(),
            Value::Text(bots.join("\n")),
            u64::from(percent).into(),
        ];
        self.transact(move |sql| claim_replay(sql, &values))
    }

    fn finish_replay(
        &self,
        run: u64,
        pair: u64,
        difference: Option<&str>,
    ) -> Result<(), StoreError> {
        let update = "UPDATE replay SET done = clock_timestamp(), difference = ?3
             WHERE pair = ?1 AND run = ?2 AND done IS NULL
               AND began > clock_timestamp() - make_interval(hours => 1)";
        self.change(update, &[pair.into(), run.into(), difference.into()])
            .map(drop)
    }
}

/// Claims a pair to replay, for the run `?1`, between bots of the lines `?2`, from `?3` percent of all pairs. The
/// pair's number alone decides, like a random choice that is the same for all.
fn claim_replay(sql: &mut dyn Sql, values: &[Value]) -> Result<Option<Replay>, StoreError> {
    let claim = "INSERT INTO replay (pair, run)
         SELECT pair.id, ?1 FROM pair JOIN run ON run.id = pair.run
         WHERE stored IS NOT NULL AND void IS NULL
           AND first = ANY (string_to_array(?2, chr(10))) AND second = ANY (string_to_array(?2, chr(10)))
           AND run.worker <> (SELECT worker FROM run WHERE id = ?1)
           AND abs(hashint8(pair.id)::bigint) % 100 < ?3
           AND NOT EXISTS (
             SELECT 1 FROM replay
             WHERE replay.pair = pair.id
               AND (done IS NOT NULL OR began > clock_timestamp() - make_interval(hours => 1)))
         ORDER BY pair.id LIMIT 1
         ON CONFLICT (pair) DO UPDATE SET run = ?1, began = clock_timestamp()
           WHERE replay.done IS NULL AND replay.began < clock_timestamp() - make_interval(hours => 1)
         RETURNING pair";
    let Some(row) = sql.row(claim, values)? else {
        return Ok(None);
    };
    let pair = row.number(0)?;
    let select =
        "SELECT first, first_version, second, second_version, round, one.record, two.record
         FROM pair
         JOIN game one ON one.pair = pair.id AND one.place = 0
         JOIN game two ON two.pair = pair.id AND two.place = 1
         WHERE pair.id = ?1";
    let replay = |row: Row| {
        Ok(Replay {
            pair,
            bots: [row.entrant(0)?, row.entrant(2)?],
            round: row.number(4)?,
            records: [row.text(5)?, row.text(6)?],
        })
    };
    sql.row(select, &[pair.into()])?.map(replay).transpose()
}
