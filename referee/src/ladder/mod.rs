//! Setting up tables: which game is played by whom from where, and playing many of them at once.

mod game;
mod plan;
mod pool;
mod run;
mod sequential;

pub use game::{Entrant, Fixture, Setting};
pub use plan::MatchPlan;
pub use run::run;
pub use sequential::run_sprt;
