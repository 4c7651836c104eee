//! Ladders, each test with the real program: one run or many, in a file or in a database, damaged, killed, watched.

mod bots;
#[cfg(feature = "shared")]
#[path = "../../../crates/ladder/tests/database/cluster.rs"]
pub(crate) mod cluster;
mod config;
mod damage;
mod endurance;
#[cfg(feature = "shared")]
mod hostile;
mod looking;
#[cfg(feature = "shared")]
mod machines;
#[cfg(feature = "shared")]
mod postgres;
#[cfg(feature = "shared")]
mod roles;
mod run;
mod said;
mod screen;
mod serve;
#[cfg(feature = "shared")]
mod worker_faults;
#[cfg(feature = "shared")]
mod workers;
