//! Setting up tables: which game is played by whom from where, and playing many of them at once.
//!
//! A *match* is games between two bots, a *test* plays them until it knows which is better, and a *ladder* is
//! a folder in which many bots play over days, and nothing that was played is lost.

mod config;
mod folder;
mod game;
mod plan;
mod pool;
mod progress;
mod run;
mod running;
mod schedule;
mod sequential;
mod standings;

pub use config::{Bot, CONFIG_FILE, Config, ConfigError, MOST_AT_ONCE, Spanned};
pub use folder::{Folder, RunLock};
pub use game::{GameSpec, Participant, PlayedPair, Setting};
pub use plan::MatchPlan;
pub use progress::Progress;
pub use run::run;
pub use running::run_ladder;
pub use schedule::{Schedule, matched};
pub use sequential::run_sprt;
pub use standings::{Row, Standings, Tally};
