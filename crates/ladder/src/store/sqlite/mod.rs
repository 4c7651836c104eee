//! A ladder's games in one SQLite file.
//!
//! Stored data is on the disk before the call returns (`journal_mode=WAL`, `synchronous=FULL`), so a finished pair
//! survives the loss of power. Claims are written with `synchronous=NORMAL`; after a loss of power, the pair is played
//! again.
//!
//! The file is watched (`file`), so that nothing is stored in a file that was moved or removed.

mod file;
mod identity;
mod leases;
mod schema;
mod statements;
mod store;
mod wait;

pub use store::SqliteStore;
pub(super) use wait::LOCK_PATIENCE;
pub use wait::tell_waits_by;

#[cfg(test)]
mod tests;
