//! The extra part of a store that many machines share: everything that a worker needs to play without the ladder's
//! folder, and data about the workers.

use super::{Store, StoreError};
use crate::{UnusableLadder, refuse};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::time::Duration;

/// The part of a store that only a server has.
///
/// # Errors
/// All methods fail when the server does.
pub trait SharedStore: Debug {
    /// Creates the roles of owners and workers in the database if they are missing, and sets their privileges. By
    /// default, they are named after the database.
    fn set_roles(&self, owner: Option<&str>, worker: Option<&str>) -> Result<Roles, StoreError>;

    /// Publishes this for workers. `false` if it was published already.
    fn publish(&self, ladder: &Publication) -> Result<bool, StoreError>;

    /// What workers play; `None` before anything was published.
    fn publication(&self) -> Result<Option<Publication>, StoreError>;

    /// Changes whenever something is published.
    fn revision(&self) -> Result<u64, StoreError>;

    /// The hashes among these whose files are not stored yet.
    fn missing_files(&self, hashes: &[String]) -> Result<Vec<String>, StoreError>;

    /// Keeps a file under the hash of its content.
    fn keep_file(&self, hash: &str, content: &[u8]) -> Result<(), StoreError>;

    /// The file of this hash, if it is kept.
    fn file(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Registers a worker that is about to play as this run. Its speed is the ladder's if it is the first. A worker that
    /// had this name before loses it.
    fn join(&self, run: u64, worker: &Machine) -> Result<(), StoreError>;

    /// The speed of the first worker, once one has joined.
    fn reference_speed(&self) -> Result<Option<f64>, StoreError>;

    /// Notes that a worker is alive, and what it does; `None` once it has ended. Returns `false` if another has taken
    /// its name.
    fn seen(&self, run: u64, worker: &str, doing: Option<&str>) -> Result<bool, StoreError>;

    /// All workers that ever joined, by name.
    fn workers(&self) -> Result<Vec<Worker>, StoreError>;
}

/// The shared part of a store.
///
/// # Errors
/// When the ladder's games are in a file.
pub fn expect_shared(store: &dyn Store) -> Result<&dyn SharedStore, UnusableLadder> {
    store.shared().ok_or_else(|| {
        refuse(
            "the ladder's games are in a file, which other machines do not see. `crownhead ladder new FOLDER --store \
             postgres://…` begins one in a database",
        )
    })
}

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
