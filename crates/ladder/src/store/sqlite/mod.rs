//! A ladder's games in one SQLite file.
//!
//! Stored data is on the disk before the call returns (`journal_mode=WAL`, `synchronous=FULL`), so a finished pair
//! survives the loss of power.
//!
//! The file is watched (`file`), so that nothing is stored in a file that was moved or removed.

mod file;
mod statements;
mod store;

pub(super) use store::LOCK_PATIENCE;
pub use store::{SqliteStore, tell_waits_by};

#[cfg(test)]
mod tests;
