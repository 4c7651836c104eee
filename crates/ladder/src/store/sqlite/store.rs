//! One SQLite file as a ladder's database.
//!
//! A run's leases last while it lives: it holds a lock on a file of its own beside the games. The system frees the lock
//! when the run ends, however it ends. No clock is read, so the calendar and its changes do not matter.

use super::file::{FileIdentity, beside, whole_file};
use super::statements::{Statements, create_ladder, expect_ladder, is_corrupt};
use crate::store::sql::{Database, Work};
use crate::store::{Problem, StoreError};
use crownhead_sandbox::{is_locked, try_lock};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// How long to wait for another program that uses the file.
pub(in crate::store) const LOCK_PATIENCE: Duration = Duration::from_secs(30);
/// The attempts after which a note says so: a second.
const SILENT: i32 = 100;
/// Interval between attempts.
const TRY: Duration = Duration::from_millis(10);
/// How long to wait while a run plays. The run asks again and reports it meanwhile.
const MOMENT: Duration = Duration::from_secs(1);

/// The games of one ladder.
#[derive(Debug)]
pub struct SqliteStore {
    pub(super) connection: Connection,
    pub(super) identity: FileIdentity,
    /// Held while a run plays.
    lock: Option<RunLock>,
    /// The folder of a copy that is read instead of the file.
    pub(super) folder: Option<tempfile::TempDir>,
}

impl SqliteStore {
    /// Opens an existing file.
    ///
    /// # Errors
    /// When it does not exist, is not a ladder's, has another version, or cannot be used.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let identity = whole_file(path)?;
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        use_log(&connection)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        expect_ladder(&connection)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(SqliteStore::of(connection, identity))
    }

    /// A ladder that has not begun, without games and without a file.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn empty() -> Result<SqliteStore, StoreError> {
        let connection = Connection::open_in_memory()?;
        create_ladder(&connection)?;
        let nowhere = FileIdentity::of(Path::new("/"));
        Ok(SqliteStore::of(connection, nowhere))
    }

    pub(super) fn of(connection: Connection, identity: FileIdentity) -> SqliteStore {
        SqliteStore {
            connection,
            identity,
            lock: None,
            folder: None,
        }
    }
}

impl Database for SqliteStore {
    fn read(&self, work: &Work<'_>) -> Result<(), StoreError> {
        work(&mut Statements(&self.connection))
    }

    /// When this returns, the work is in the file that the path names.
    fn write(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        self.identity.check()?;
        let immediate = TransactionBehavior::Immediate;
        let transaction = Transaction::new(&mut self.connection, immediate)?;
        work(&mut Statements(&transaction))?;
        transaction.commit()?;
        self.identity.check()
    }

    fn play(&mut self, run: u64) -> Result<(), StoreError> {
        self.lock = Some(RunLock::take(&self.identity.path, run)?);
        Ok(self.connection.busy_timeout(MOMENT)?)
    }

    fn end_lapsed_leases(&mut self) -> Result<(), StoreError> {
        end_leases_of_the_dead(&self.connection, &self.identity.path)
    }

    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError> {
        let rescued = self.write_rescued()?;
        self.identity.remove_orphaned_log();
        Ok(Some(rescued))
    }

    fn problems_of_file(&self) -> Result<Vec<Problem>, StoreError> {
        let mut check = self.connection.prepare("PRAGMA integrity_check")?;
        let mut problems = Vec::new();
        for told in check.query_map((), |row| row.get(0))? {
            let told: String = match told {
                // As far as SQLite gets.
                Err(error) if is_corrupt(&error) => error.to_string(),
                told => told?,
            };
            // The first has a title, which only names the database.
            for told in told
                .lines()
                .filter(|told| *told != "ok" && !told.starts_with("***"))
            {
                let told = told.into();
                problems.push(Problem { told, pair: None });
            }
        }
        Ok(problems)
    }
}

/// Connects, and waits for another program that is writing.
pub(super) fn connect(path: &Path, access: OpenFlags) -> Result<Connection, StoreError> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(wait))?;
    Ok(connection)
}

static TELL: OnceLock<fn(&str)> = OnceLock::new();

/// Registers the function that reports a wait for another program.
pub fn tell_waits_by(tell: fn(&str)) {
    // The first one counts.
    let _ = TELL.set(tell);
}

/// Waits a moment, after this many attempts. Returns whether to try again.
fn wait(before: i32) -> bool {
    if before == SILENT {
        let patience = LOCK_PATIENCE.as_secs();
        let told = format!("games.db: another program holds it; waiting for up to {patience} s");
        TELL.get().into_iter().for_each(|tell| tell(&told));
    }
    std::thread::sleep(TRY);
    TRY * before.unsigned_abs() < LOCK_PATIENCE
}

/// Lets others read while one writes: changes go to a log first (`journal_mode=WAL`).
pub(super) fn use_log(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.pragma_update(None, "journal_mode", "WAL")?)
}

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
        try_lock(&file)?;
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
        if !File::open(&path).is_ok_and(|file| is_locked(&file)) {
            let end = "UPDATE pair SET run = NULL WHERE run = ?1 AND finished IS NULL";
            connection.execute(end, [run])?;
            let _ = std::fs::remove_file(path);
        }
    }
    Ok(())
}
