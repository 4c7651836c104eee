//! One SQLite file as a ladder's database.

use super::identity::{FileIdentity, whole_file};
use super::leases::{RunLock, end_leases_of_the_dead};
use super::schema;
use super::statements::{Statements, is_corrupt, is_locked};
use super::wait::{of_file, wait};
use crate::store::sql::{Database, Durability, Work};
use crate::store::{Problem, StoreError};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for another program that uses the file while a run plays. The run asks again and reports it
/// meanwhile.
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
        use_wal(&connection)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        schema::expect_ladder(&connection)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(SqliteStore::of(connection, identity))
    }

    /// A ladder that has not begun, without games and without a file.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn empty() -> Result<SqliteStore, StoreError> {
        let connection = Connection::open_in_memory()?;
        schema::create(&connection)?;
        Ok(SqliteStore::of(
            connection,
            FileIdentity::of(Path::new("/")),
        ))
    }

    pub(super) fn of(connection: Connection, identity: FileIdentity) -> SqliteStore {
        SqliteStore {
            connection,
            identity,
            lock: None,
            folder: None,
        }
    }

    /// A transaction. When this returns, it is in the file that the path names.
    fn transact(&mut self, work: &Work<'_>) -> Result<(), StoreError> {
        self.identity.check()?;
        let immediate = TransactionBehavior::Immediate;
        let transaction = Transaction::new(&mut self.connection, immediate)?;
        work(&mut Statements(&transaction))?;
        transaction.commit()?;
        self.identity.check()
    }
}

impl Database for SqliteStore {
    fn read(&self, work: &Work<'_>) -> Result<(), StoreError> {
        work(&mut Statements(&self.connection))
    }

    fn write(&mut self, durability: Durability, work: &Work<'_>) -> Result<(), StoreError> {
        if durability == Durability::Disk {
            return self.transact(work);
        }
        self.connection
            .pragma_update(None, "synchronous", "NORMAL")?;
        let done = self.transact(work);
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        done
    }

    fn play(&mut self, run: u64) -> Result<(), StoreError> {
        self.lock = Some(RunLock::take(self.identity.path(), run)?);
        Ok(self.connection.busy_timeout(MOMENT)?)
    }

    fn end_lapsed_leases(&mut self) -> Result<(), StoreError> {
        end_leases_of_the_dead(&self.connection, self.identity.path())
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
    of_file(path);
    connection.busy_handler(Some(wait))?;
    Ok(connection)
}

/// Lets others read while one writes. If two do this to a new file at once, one fails in SQLite without waiting.
fn use_wal(connection: &Connection) -> Result<(), StoreError> {
    let mut tries = 0..;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_locked(&error) && tries.next().is_some_and(wait) => {}
            done => return Ok(done?),
        }
    }
}
