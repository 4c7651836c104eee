//! A ladder's games in one SQLite file.
//!
//! What is stored is on the disk before the call returns (`journal_mode=WAL`, `synchronous=FULL`): a finished pair
//! survives the loss of power. Claims are written with `synchronous=NORMAL`: after a loss of power the pair is played
//! again.
//!
//! The file is watched (`file`): nothing is stored in one that is no longer where it was.

mod file;
mod identity;
mod leases;
mod schema;
mod statements;
mod store;
mod wait;

pub use store::SqliteStore;
pub use wait::tell_waits_by;

#[cfg(test)]
mod tests;
