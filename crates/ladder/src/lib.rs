//! A ladder: a folder in which many bots play for days, and no finished game is lost.
//!
//! Reads the configuration, decides who plays whom, keeps the games and rates the bots.
//! [`runner`](crownhead_arena::runner) plays a pair of games, and [`store`] keeps games in a file.

mod check;
mod claim;
mod config;
mod entrants;
mod error;
mod files;
mod folder;
mod grants;
mod groups;
mod ladder_run;
mod live_file;
mod policy;
mod publish;
mod published;
mod role;
mod roster;
mod run;
mod schedule;
mod standings;
pub mod store;
#[cfg(test)]
mod tests;
mod version;
mod worker;

pub use check::{DAMAGED, Findings, check};
pub use config::{Bot, CONFIG_FILE, Config, ConfigError};
pub use entrants::{Update, smoke_game, update};
pub use error::LadderError;
pub use folder::Folder;
pub use grants::Grants;
pub use ladder_run::Progress;
pub use live_file::live_runs;
pub use publish::{Published, publish};
pub use published::{PublishedLadder, WorkerOptions};
pub use roster::Roster;
pub use run::run_ladder;
pub use schedule::Schedule;
pub use standings::{LadderTally, RatingHistory, Standings, StandingsRow, ratings_over_pairs};
pub use version::version_of_files;
pub use worker::{published, run_worker};
