//! What is published in a shared ladder's database, which a stranger may have written, and what a worker makes of it on its
//! own machine before it starts a bot.

use crownhead_ladder::store::shared::{Machine, Publication};
use crownhead_ladder::store::sql::{Database, Row, Sql, Value, Work};
use crownhead_ladder::store::{Address, Store, StoreError};
use crownhead_ladder::{Grants, PublishedLadder, WorkerOptions};
use crownhead_sandbox::SandboxMode;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The letters of a version.
const LETTERS: usize = 12;

/// A database in which there is what a document says.
#[derive(Clone, Debug)]
struct Document(Arc<Map<String, Json>>);

/// A document of the publication, the bots' versions and their files: what a worker has of it lies in the worker's folder,
/// or it is refused with a reason, and nothing beside that folder is written to.
pub fn published(bytes: &[u8]) {
    let Ok(Json::Object(document)) = serde_json::from_slice(bytes) else {
        return;
    };
    let publication = document.get("publication").cloned().unwrap_or_default();
    let Ok(mut publication) = serde_json::from_value::<Publication>(publication) else {
        return;
    };
    let mut store = Document(Arc::new(document));
    // Bots are published in the versions that are stored: files are read of no others.
    for row in store.rows("FROM version", &[]).expect("rows") {
        let (bot, version) = (row.text(0).expect("text"), row.text(1).expect("text"));
        let mut published = publication.bots.iter_mut();
        if let Some(published) = published.find(|published| published.bot == bot) {
            published.version = version;
        }
    }
    let machine = tempfile::tempdir().expect("a folder");
    let (cache, beside) = (machine.path().join("cache"), machine.path().join("beside"));
    std::fs::write(&beside, "as it was").expect("a file");
    let options = WorkerOptions {
        address: Address::parse("postgres://one@host/ladder").expect("an address"),
        cache: cache.clone(),
        machine: Machine {
            name: "one".into(),
            cores: 1,
            concurrency: 1,
            speed: 1.0,
        },
        sandbox: SandboxMode::Auto,
        grants: Grants::default(),
    };
    let store = Store::from(store);
    if let Ok((ladder, folder)) = PublishedLadder::new(options, publication)
        && let Ok(config) = folder.config()
    {
        for bot in &config.bots {
            let _ = ladder.fetch(bot, &store);
        }
    }
    assert_eq!(
        std::fs::read_to_string(&beside).expect("a file"),
        "as it was"
    );
    let names = std::fs::read_dir(machine.path()).expect("a folder");
    for name in names {
        let path = name.expect("a file").path();
        assert!(path == cache || path == beside, "{}", path.display());
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Sql for Document {
    /// The bots' versions, each called as its description has it, or the file of a hash.
    fn rows(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        if statement.contains("FROM file") {
            let files = self.0.get("files").and_then(Json::as_array);
            let mut files = files.into_iter().flatten().filter_map(Json::as_str);
            let wanted = |file: &&str| values == [Value::Text(hash(file.as_bytes()))];
            let file = files.find(wanted);
            return Ok(file
                .map(|file| Row(vec![Value::Bytes(file.into())]))
                .into_iter()
                .collect());
        }
        if !statement.contains("FROM version") {
            return Ok(Vec::new());
        }
        let versions = self.0.get("versions").and_then(Json::as_object);
        let row = |(bot, description): (&String, &Json)| {
            let description = match description {
                Json::String(text) => text.clone(),
                other => other.to_string(),
            };
            let version = hash(description.as_bytes())[..LETTERS].to_string();
            Row(vec![
                Value::Text(bot.clone()),
                Value::Text(version),
                Value::Text(description),
                Value::Number(1),
            ])
        };
        Ok(versions.into_iter().flatten().map(row).collect())
    }

    fn change(&mut self, _: &str, _: &[Value]) -> Result<u64, StoreError> {
        Ok(0)
    }

    fn lock(&mut self) -> Result<(), StoreError> {
        Ok(())
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

    fn is_shared(&self) -> bool {
        true
    }
}
