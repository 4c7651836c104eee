//! What is published for workers: configuration, bots and their files.

use super::{PostgresStore, natural, whole, workers};
use crate::error::OrStoreError;
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::shared::{Build, Machine, Publication, Replay, SharedStore, Worker};
use postgres::GenericClient;

impl SharedStore for PostgresStore {
    fn publish(&self, ladder: &Publication) -> Result<bool, StoreError> {
        let content = serde_json::to_string(ladder).expect("a publication is plain data");
        self.connection.run(move |client| {
            let mut transaction = client.transaction().or_store_error()?;
            let insert = "INSERT INTO publication (content) VALUES ($1)
                 ON CONFLICT (id) DO UPDATE SET content = $1 WHERE publication.content <> $1";
            let is_new = transaction.execute(insert, &[&content]).or_store_error()? == 1;
            if is_new {
                revise(&mut transaction)?;
            }
            transaction.commit().or_store_error()?;
            Ok(is_new)
        })
    }

    fn publication(&self) -> Result<Option<Publication>, StoreError> {
        let content: Option<String> = self.connection.run(|client| {
            let row = client
                .query_opt("SELECT content FROM publication", &[])
                .or_store_error()?;
            Ok(row.map(|row| row.get(0)))
        })?;
        let read = |content: String| {
            serde_json::from_str(&content)
                .map_err(|error| StoreError::Publication(error.to_string()))
        };
        content.map(read).transpose()
    }

    fn revision(&self) -> Result<u64, StoreError> {
        self.connection.run(|client| {
            let row = client
                .query_one("SELECT revision FROM crownhead", &[])
                .or_store_error()?;
            Ok(natural(row.get(0)))
        })
    }

    fn missing_files(&self, hashes: &[String]) -> Result<Vec<String>, StoreError> {
        let hashes = hashes.to_vec();
        self.connection.run(move |client| {
            let select = "SELECT wanted FROM unnest($1::text[]) AS wanted
                 WHERE NOT EXISTS (SELECT 1 FROM file WHERE hash = wanted)";
            let rows = client.query(select, &[&hashes]).or_store_error()?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    fn keep_file(&self, hash: &str, content: &[u8]) -> Result<(), StoreError> {
        let (hash, content) = (hash.to_string(), content.to_vec());
        self.connection.run(move |client| {
            let insert = "INSERT INTO file (hash, content) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            client
                .execute(insert, &[&hash, &content])
                .or_store_error()?;
            Ok(())
        })
    }

    fn file(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let hash = hash.to_string();
        self.connection.run(move |client| {
            let row = client
                .query_opt("SELECT content FROM file WHERE hash = $1", &[&hash])
                .or_store_error()?;
            Ok(row.map(|row| row.get(0)))
        })
    }

    fn join(&self, run: u64, worker: &Machine) -> Result<(), StoreError> {
        let (run, worker) = (whole(run), worker.clone());
        self.connection.run(move |client| {
            let mut transaction = client.transaction().or_store_error()?;
            workers::join(&mut transaction, run, &worker)?;
            transaction.commit().or_store_error()
        })
    }

    fn reference_speed(&self) -> Result<Option<f64>, StoreError> {
        self.connection.run(|client| {
            let row = client
                .query_one("SELECT reference_speed FROM crownhead", &[])
                .or_store_error()?;
            Ok(row.get(0))
        })
    }

    fn seen(&self, run: u64, worker: &str, doing: Option<&str>) -> Result<bool, StoreError> {
        let (run, worker, doing) = (whole(run), worker.to_string(), doing.map(str::to_string));
        self.connection.run(move |client| {
            let update = "UPDATE worker SET seen = clock_timestamp(), doing = $3
                 WHERE name = $2 AND run = $1";
            Ok(client
                .execute(update, &[&run, &worker, &doing])
                .or_store_error()?
                == 1)
        })
    }

    fn workers(&self) -> Result<Vec<Worker>, StoreError> {
        self.connection.run(workers::workers)
    }

    fn played_by(&self, after: u64) -> Result<Vec<(u64, String)>, StoreError> {
        let after = whole(after);
        self.connection.run(move |client| {
            let select = "SELECT finished, run.worker FROM pair JOIN run ON run.id = pair.run
                 WHERE finished > $1 AND run.worker IS NOT NULL ORDER BY finished";
            let rows = client.query(select, &[&after]).or_store_error()?;
            Ok(rows
                .iter()
                .map(|row| (natural(row.get(0)), row.get(1)))
                .collect())
        })
    }

    fn exclude(&self, worker: &str, reason: Option<&str>) -> Result<bool, StoreError> {
        let (worker, reason) = (worker.to_string(), reason.map(str::to_string));
        self.connection.run(move |client| {
            let mut transaction = client.transaction().or_store_error()?;
            let update = "UPDATE worker SET excluded = $2 WHERE name = $1";
            let is_known = transaction
                .execute(update, &[&worker, &reason])
                .or_store_error()?
                == 1;
            revise(&mut transaction)?;
            transaction.commit().or_store_error()?;
            Ok(is_known)
        })
    }

    fn note_build(&self, run: u64, build: &Build) -> Result<(), StoreError> {
        let (run, build) = (whole(run), build.clone());
        self.connection.run(move |client| {
            let insert = "INSERT INTO build (run, bot, version, program, compiler)
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
            let Build {
                bot,
                version,
                program,
                compiler,
            } = &build;
            client
                .execute(insert, &[&run, bot, version, program, compiler])
                .or_store_error()?;
            Ok(())
        })
    }

    fn builds(&self) -> Result<Vec<Build>, StoreError> {
        self.connection.run(|client| {
            let select =
                "SELECT DISTINCT bot, version, program, compiler FROM build ORDER BY 1, 2, 3, 4";
            let rows = client.query(select, &[]).or_store_error()?;
            let build = |row: &postgres::Row| Build {
                bot: row.get(0),
                version: row.get(1),
                program: row.get(2),
                compiler: row.get(3),
            };
            Ok(rows.iter().map(build).collect())
        })
    }

    fn claim_replay(
        &self,
        run: u64,
        bots: &[String],
        percent: u32,
    ) -> Result<Option<Replay>, StoreError> {
        let (run, bots, percent) = (whole(run), bots.to_vec(), i64::from(percent));
        self.connection.run(move |client| {
            let mut transaction = client.transaction().or_store_error()?;
            let replay = workers::claim_replay(&mut transaction, run, &bots, percent)?;
            transaction.commit().or_store_error()?;
            Ok(replay)
        })
    }

    fn finish_replay(
        &self,
        run: u64,
        pair: u64,
        difference: Option<&str>,
    ) -> Result<(), StoreError> {
        let (run, pair, difference) = (whole(run), whole(pair), difference.map(str::to_string));
        self.connection.run(move |client| {
            let update = "UPDATE replay SET done = clock_timestamp(), difference = $3
                 WHERE pair = $1 AND run = $2 AND done IS NULL
                   AND began > clock_timestamp() - make_interval(hours => 1)";
            client
                .execute(update, &[&pair, &run, &difference])
                .or_store_error()?;
            Ok(())
        })
    }
}

/// Tells all who play that something has changed.
fn revise(client: &mut impl GenericClient) -> Result<(), StoreError> {
    client
        .execute("UPDATE crownhead SET revision = revision + 1", &[])
        .or_store_error()?;
    Ok(())
}
