//! A ladder: a folder in which many bots play over days, and nothing that was played is lost.
//!
//! Reads the configuration, decides who plays whom, keeps the games and rates the bots. Leaves out how a pair of
//! games is played ([`runner`](crate::runner)) and how games are kept in a file ([`store`](crate::store)).

mod config;
mod folder;
mod pairs;
mod progress;
mod run;
mod schedule;
mod standings;

pub use config::{Bot, CONFIG_FILE, Config, ConfigError};
pub use folder::Folder;
pub use progress::Progress;
pub use run::run_ladder;
pub use schedule::{Schedule, matched};
pub use standings::{LadderTally, Row, Standings};
