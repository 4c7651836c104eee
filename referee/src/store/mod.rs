//! Where a ladder's games are kept: one SQLite file. Nothing else in Crownhead knows SQL.
//!
//! A pair is stored whole, both games' records and that it is finished, in one transaction that is on the disk
//! before the call returns (`journal_mode=WAL`, `synchronous=FULL`): a finished pair survives the loss of
//! power. Claims are written with `synchronous=NORMAL`: after a loss of power the pair is played
//! again.
//!
//! Pairs under way are *leased* to a run (`leases`). A run that has lost its lease cannot store the pair. The file
//! is watched (`file`): nothing is stored in one that is no longer where it was.

mod bots;
mod clock;
mod damage;
mod file;
mod leases;
mod pairs;
mod schema;
mod summaries;

pub use bots::{BotVersion, UNKNOWN_VERSION};
pub use clock::{Clock, SystemClock};
pub use damage::Problem;
pub use leases::{Claim, Lease, Quota, RENEWAL};
pub use pairs::{Entrant, FinishedPair, PairKey, StoredGame, StoredPair};
pub use summaries::StoredSummary;

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
pub struct Store {
    connection: Connection,
    identity: FileIdentity,
    clock: Box<dyn Clock>,
    watch: Watch,
    /// Where a copy lies that is read instead of the file.
    folder: Option<tempfile::TempDir>,
}

/// The file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite failed.
    #[error("the ladder's database: {0}")]
    Sqlite(rusqlite::Error),
    /// The file system failed.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// It has no byte.
    #[error(
        "the file is empty, so the games that were in it are lost; put a copy back, or remove it and begin anew \
         with `crownhead ladder new`"
    )]
    Empty,
    /// It is some other program's database.
    #[error("the file is a database of something else; expected a ladder's games")]
    NotALadder,
    /// A newer Crownhead has written it.
    #[error(
        "the ladder's database has version {version}; this program knows versions up to {newest}"
    )]
    TooNew {
        /// The version of the file.
        version: i64,
        /// The newest one known here.
        newest: i64,
    },
    /// No Crownhead has written that.
    #[error(
        "the ladder's database says that it has version {0}, which there never was; \
         `crownhead ladder check --repair` finds out which it has"
    )]
    NoVersion(i64),
    /// It is of an earlier version, and was opened to be read alone.
    #[error("the ladder's database has the earlier version {0}")]
    Earlier(i64),
    /// A stored record cannot be read.
    #[error("a stored record of pair {pair} cannot be read: {error}")]
    Record {
        /// Which pair.
        pair: u64,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// What is used is no longer what its path names.
    #[error("{} was {what} while it was used", path.display())]
    Gone {
        /// The path.
        path: PathBuf,
        /// What became of it.
        what: &'static str,
    },
    /// It cannot be read where it is, and not be copied.
    #[error("{why}; and a copy to read cannot be made: {copied}")]
    Unreadable {
        /// What is wrong with the file.
        why: String,
        /// What is wrong with the copy.
        copied: String,
    },
}

/// Not as its source: SQLite's errors say the same thing at each level.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Sqlite(error)
    }
}

impl StoreError {
    /// Whether another program has the file locked.
    pub fn is_busy(&self) -> bool {
        matches!(self, StoreError::Sqlite(error) if is_busy(error))
    }

    /// Whether it is about what is in the file, however that is opened.
    fn is_about_content(&self) -> bool {
        use StoreError::{Empty, NoVersion, NotALadder, TooNew};
        let missing = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
        match self {
            Empty | NotALadder | TooNew { .. } | NoVersion(_) => true,
            StoreError::File(error) => missing(error),
            StoreError::Sqlite(error) => {
                error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase)
            }
            _ => false,
        }
    }
}

impl Store {
    /// Opens a file that is there and brings it to the newest version.
    ///
    /// # Errors
    /// When it is not there, is not a ladder's, is of a newer version, or cannot be used.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let identity = file::whole_file(path)?;
        let mut connection = open_to_write(path)?;
        schema::migrate(&mut connection)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(Store::of(connection, identity))
    }

    /// A ladder that has not begun: no games, in no file.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn empty() -> Result<Store, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        schema::migrate(&mut connection)?;
        let identity = FileIdentity::of(Path::new("/"))?;
        Ok(Store::of(connection, identity))
    }

    fn of(connection: Connection, identity: FileIdentity) -> Store {
        Store {
            connection,
            identity,
            clock: Box::<SystemClock>::default(),
            watch: Watch::default(),
            folder: None,
        }
    }

    /// The same store on another clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock + 'static) -> Store {
        Store {
            clock: Box::new(clock),
            ..self
        }
    }

    /// Enters a new run and gives its number. From here on a lock is waited for only a moment at a time.
    ///
    /// # Errors
    /// When the file fails; so for all that follow.
    pub fn begin_run(&mut self) -> Result<u64, StoreError> {
        let now = self.clock.calendar_ms();
        let run = self.write(|transaction| {
            transaction.execute("INSERT INTO run (began_ms) VALUES (?1)", [now])?;
            Ok(transaction.last_insert_rowid() as u64)
        })?;
        self.connection.busy_timeout(MOMENT)?;
        Ok(run)
    }

    /// How many pairs a run has stored, as a new reader of the file finds it.
    pub fn pairs_of_run(path: &Path, run: u64) -> Result<u64, StoreError> {
        let store = Store::open_for_reading(path)?;
        let count = "SELECT count(*) FROM pair WHERE run = ?1 AND finished IS NOT NULL";
        Ok(store.connection.query_row(count, [run], |row| row.get(0))?)
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
            Err(error) if is_busy(&error) && Instant::now() < patience => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return Ok(done?),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    let code = error.sqlite_error_code();
    code.is_some_and(|code| matches!(code, DatabaseBusy | DatabaseLocked))
}

#[cfg(test)]
mod tests;
