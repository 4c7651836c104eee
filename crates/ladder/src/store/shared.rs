//! What machines that share a ladder exchange: everything that a worker needs to play without the ladder's folder, and
//! data about the workers.

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
