//! Decides which run plays which pair.
//!
//! A run's leases last while it lives: it holds a lock on a file of its own beside the games. The system frees the lock
//! when the run ends, however it ends. No clock is read, so the calendar and its changes do not matter.

use super::identity::beside;
use crate::store::StoreError;
use rusqlite::Connection;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The lock of a living run.
#[derive(Debug)]
pub(super) struct RunLock {
    path: PathBuf,
    _file: File,
}

/// The file that run `run` of these games locks.
pub(super) fn lock_of(games: &Path, run: u64) -> PathBuf {
    beside(games, &format!("-run-{run}"))
}

impl RunLock {
    /// Takes the lock of a new run.
    pub(super) fn take(games: &Path, run: u64) -> io::Result<RunLock> {
        let path = lock_of(games, run);
        let file = File::create(&path)?;
        file.try_lock()?;
        Ok(RunLock { path, _file: file })
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Ends the leases of runs that no longer live, so that their pairs can be claimed.
pub(super) fn end_leases_of_the_dead(
    connection: &Connection,
    games: &Path,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT run FROM pair WHERE finished IS NULL AND run IS NOT NULL",
    )?;
    let runs = statement.query_map((), |row| row.get(0))?;
    for run in runs.collect::<Result<Vec<u64>, _>>()? {
        let path = lock_of(games, run);
        let lives = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        if !File::open(&path).is_ok_and(lives) {
            let end = "UPDATE pair SET run = NULL WHERE run = ?1 AND finished IS NULL";
            connection.execute(end, [run])?;
            let _ = std::fs::remove_file(path);
        }
    }
    Ok(())
}
