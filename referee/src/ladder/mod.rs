//! Setting up tables: which game is played by whom from where, and playing many of them at once.

mod plan;
mod run;

pub use plan::{Fixture, MatchPlan};
pub use run::run;
