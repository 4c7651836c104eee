//! What a store that many machines share has besides games: all that a worker needs to play without the ladder's folder,
//! and what is known of the workers.

use super::{Store, StoreError};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::time::Duration;

/// The part of a store that only one behind a server has.
///
/// # Errors
/// All methods fail when the server does.
pub trait SharedStore: Debug {
    /// Makes the roles of owners and of workers in the database, those that are not there, and says what each may do. Without
    /// names they are called after the database.
    fn set_roles(&self, owner: Option<&str>, worker: Option<&str>) -> Result<Roles, StoreError>;

    /// Makes this what workers play. `false` if it was that already.
    fn publish(&self, ladder: &Publication) -> Result<bool, StoreError>;

    /// What workers play; `None` before anything was published.
    fn publication(&self) -> Result<Option<Publication>, StoreError>;

    /// Changes whenever something was published, or a worker excluded or let in again.
    fn revision(&self) -> Result<u64, StoreError>;

    /// Those of these hashes whose files are not kept yet.
    fn missing_files(&self, hashes: &[String]) -> Result<Vec<String>, StoreError>;

    /// Keeps a file under the hash of its content.
    fn keep_file(&self, hash: &str, content: &[u8]) -> Result<(), StoreError>;

    /// The file of this hash, if it is kept.
    fn file(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Enters a worker that is about to play as this run. The first of all sets the speed that others are held to,
    /// unless the ladder names one. A worker that had this name before loses it.
    fn join(&self, run: u64, worker: &Machine) -> Result<(), StoreError>;

    /// The speed that workers are held to, once one has joined.
    fn reference_speed(&self) -> Result<Option<f64>, StoreError>;

    /// Notes that a worker is there, and what it does; nothing at all once it has ended. `false` if another has taken
    /// its name.
    fn seen(&self, run: u64, worker: &str, doing: Option<&str>) -> Result<bool, StoreError>;

    /// All workers that ever joined, by name.
    fn workers(&self) -> Result<Vec<Worker>, StoreError>;

    /// Which worker played the stored pairs, by their places in the order of storing; none for a run that is no
    /// worker's.
    fn played_by(&self) -> Result<Vec<(u64, String)>, StoreError>;

    /// Leaves a worker's pairs out of all ratings, for this reason, or takes them in again. `false` if there is no
    /// such worker.
    fn exclude(&self, worker: &str, reason: Option<&str>) -> Result<bool, StoreError>;

    /// Notes what a run has built of a bot's version.
    fn note_build(&self, run: u64, build: &Build) -> Result<(), StoreError>;

    /// What workers have built, each program once, in the order of bots, versions and programs.
    fn builds(&self) -> Result<Vec<Build>, StoreError>;

    /// Claims a pair that another worker has played between two of these bots, to be played again here: each pair
    /// once, and of all so many in a hundred.
    fn claim_replay(
        &self,
        run: u64,
        bots: &[String],
        percent: u32,
    ) -> Result<Option<Replay>, StoreError>;

    /// Notes what a pair that was played again came to: what differs, if anything does; nothing if the claim of this run
    /// to play it again has ended.
    fn finish_replay(
        &self,
        run: u64,
        pair: u64,
        difference: Option<&str>,
    ) -> Result<(), StoreError>;
}

/// What is shared of a store.
///
/// # Errors
/// When nothing is: it is no database.
pub fn expect_shared(store: &dyn Store) -> Result<&dyn SharedStore, StoreError> {
    let nothing = || StoreError::Content("the store is a file".into());
    store.shared().ok_or_else(nothing)
}

/// Who may do what in a ladder's database, by the names of PostgreSQL's roles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roles {
    /// May change all that is stored.
    pub owner: String,
    /// May play: claim pairs and store those that it has claimed.
    pub worker: String,
}

/// All that a worker needs of a ladder besides its games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Publication {
    /// The configuration, whose openings are beside it if they are a file.
    pub config: String,
    /// What is in that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// The signature of the built-in search that plays.
    pub signature: u64,
    /// The bots that play.
    pub bots: Vec<PublishedBot>,
}

/// A version of a bot as it is started wherever its files are.
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
    /// What is before it, such as `--book=`, and one of the version's files.
    File(String, String),
}

/// What a worker is, as it joins.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// What it is called.
    pub name: String,
    /// How many cores it has.
    pub cores: u32,
    /// How many games it plays at once.
    pub concurrency: u32,
    /// How many it plays at once without making bots late, if that was measured.
    pub safe_games: Option<u32>,
    /// Positions a second of the built-in search, so many at once.
    pub speed: f64,
}

/// A worker as it is listed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Worker {
    /// What it is called.
    pub name: String,
    /// Since it was seen, by the server's clock.
    #[serde(rename = "seen_us", with = "crownhead_record::judge::microseconds")]
    pub seen: Duration,
    /// What it does; `None` if it has ended.
    pub doing: Option<String>,
    /// Its cores.
    pub cores: u64,
    /// How many pairs it plays at once.
    pub at_once: u64,
    /// How many games at once it plays without making bots late, if that was measured.
    pub safe_games: Option<u64>,
    /// Positions a second of the built-in search, so many at once.
    pub speed: f64,
    /// Its games that are rated, unless it is excluded.
    pub games: u64,
    /// Pairs that are void: a bot may have been late by what others did.
    pub void: u64,
    /// Games that a bot has lost by a fault of its own.
    pub faults: u64,
    /// Pairs of it that another worker has replayed.
    pub replayed: u64,
    /// Those of them that came out otherwise.
    pub different: u64,
    /// How its results differ from those of the others; `None` where they have no pairing in common.
    pub residual: Option<Residual>,
    /// Why its pairs are not rated, if they are not.
    pub excluded: Option<String>,
}

/// How far a worker's results are from those of all workers in the same pairings.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Residual {
    /// The sum of the squares of the pairings' deviations.
    pub chi_squared: f64,
    /// How many pairings there are.
    pub pairings: u64,
    /// How often chance alone makes the sum so large.
    pub probability: f64,
}

/// What a worker has built of a bot's version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Build {
    /// The bot.
    pub bot: String,
    /// Its version.
    pub version: String,
    /// The hash of the program.
    pub program: String,
    /// What the compiler calls itself.
    pub compiler: String,
}

/// A pair that is to be played again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The pair's number.
    pub pair: u64,
    /// Its bots, in the order of their names, and their versions.
    pub bots: [super::Entrant; 2],
    /// Its number between them.
    pub round: u64,
    /// What its games were, as records.
    pub records: [String; 2],
}
