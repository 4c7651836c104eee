//! A ladder's games in one SQLite file.
//!
//! What is stored is on the disk before the call returns (`journal_mode=WAL`, `synchronous=FULL`): a finished pair
//! survives the loss of power. Claims are written with `synchronous=NORMAL`: after a loss of power the pair is played
//! again.
//!
//! The file is watched (`file`): nothing is stored in one that is no longer where it was.

mod bots;
mod clock;
mod damage;
mod file;
mod leases;
mod pairs;
mod schema;
mod summaries;

pub use clock::{Clock, SystemClock};

use super::error::is_locked;
use super::{Store, StoreError};
use file::FileIdentity;
use leases::Watch;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another program that uses the file is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same while a run plays, which asks again and tells of it meanwhile.
const MOMENT: Duration = Duration::from_secs(2);

/// The games of one ladder.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    identity: FileIdentity,
    clock: Box<dyn Clock>,
    watch: Watch,
    /// Where a copy lies that is read instead of the file.
    folder: Option<tempfile::TempDir>,
}

impl SqliteStore {
    /// Opens a file that is there and brings it to the newest version.
    ///
    /// # Errors
    /// When it is not there, is not a ladder's, is of a newer version, or cannot be used.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let identity = file::whole_file(path)?;
        let mut connection = open_to_write(path)?;
        schema::migrate(&mut connection)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(SqliteStore::of(connection, identity))
    }

    /// A ladder that has not begun: no games, in no file.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn empty() -> Result<SqliteStore, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        schema::migrate(&mut connection)?;
        let identity = FileIdentity::of(Path::new("/"))?;
        Ok(SqliteStore::of(connection, identity))
    }

    fn of(connection: Connection, identity: FileIdentity) -> SqliteStore {
        SqliteStore {
            connection,
            identity,
            clock: Box::<SystemClock>::default(),
            watch: Watch::default(),
            folder: None,
        }
    }

    /// The same store on another clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock + 'static) -> SqliteStore {
        SqliteStore {
            clock: Box::new(clock),
            ..self
        }
    }

    /// A transaction that is on the disk, in the file that the path names, when this returns.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.identity.check()?;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        self.identity.check()?;
        Ok(done)
    }

    /// A transaction that survives the death of this program, but perhaps not the loss of power.
    fn write_without_fsync<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.connection
            .pragma_update(None, "synchronous", "NORMAL")?;
        let done = self.write(work);
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        done
    }
}

impl Store for SqliteStore {
    fn begin_run(&mut self) -> Result<u64, StoreError> {
        let now = self.clock.calendar_ms();
        let run = self.write(|transaction| {
            transaction.execute("INSERT INTO run (began_ms) VALUES (?1)", [now])?;
            Ok(transaction.last_insert_rowid() as u64)
        })?;
        self.connection.busy_timeout(MOMENT)?;
        Ok(run)
    }

    fn close_and_count(self: Box<Self>, run: u64) -> Result<u64, StoreError> {
        let path = self.identity.path().to_path_buf();
        drop(self);
        let store = SqliteStore::open_for_reading(&path)?;
        let count = "SELECT count(*) FROM pair WHERE run = ?1 AND finished IS NOT NULL";
        Ok(store.connection.query_row(count, [run], |row| row.get(0))?)
    }

    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError> {
        self.write_rescued().map(Some)
    }
}

fn open_to_write(path: &Path) -> Result<Connection, StoreError> {
    use rusqlite::OpenFlags;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // Wait for another program that is writing.
    connection.busy_timeout(PATIENCE)?;
    use_wal(&connection)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    Ok(connection)
}

/// Lets others read while one writes. When two do this to a new file at once, SQLite fails one of them without
/// waiting.
fn use_wal(connection: &Connection) -> Result<(), StoreError> {
    let patience = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_locked(&error) && Instant::now() < patience => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return Ok(done?),
        }
    }
}

#[cfg(test)]
mod tests;
