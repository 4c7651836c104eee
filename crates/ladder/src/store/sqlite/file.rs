//! The file behind a store: made once, found again, and the same for as long as it is used.

use super::{SqliteStore, schema};
use crate::store::StoreError;
use rusqlite::{Connection, OpenFlags};
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Which file is used. A path can be given another file while the old one is still written to, and what is stored
/// then is gone when it is closed.
#[derive(Debug)]
pub(super) struct FileIdentity {
    path: PathBuf,
    file: (u64, u64),
    /// The file with the changes that are not in the database yet, once there is one.
    log: Option<(u64, u64)>,
}

fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// The path of a file that SQLite keeps beside a database.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

impl FileIdentity {
    /// The file that is there now.
    pub(super) fn of(path: &Path) -> io::Result<FileIdentity> {
        Ok(FileIdentity {
            path: path.into(),
            file: identity(&path.metadata()?),
            log: None,
        })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file is still the one that is used.
    ///
    /// # Errors
    /// When it was removed or another one has taken its place.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        let gone = |path: PathBuf, what| Err(StoreError::Gone { path, what });
        match self.path.metadata() {
            Err(_) => return gone(self.path.clone(), "removed"),
            Ok(file) if identity(&file) != self.file => {
                return gone(self.path.clone(), "replaced by another file");
            }
            Ok(_) => {}
        }
        let path = beside(&self.path, "-wal");
        match (path.metadata(), self.log) {
            (Ok(file), Some(known)) if identity(&file) != known => {
                gone(path, "replaced by another file")
            }
            (Ok(file), _) => {
                self.log = Some(identity(&file));
                Ok(())
            }
            (Err(_), Some(_)) => gone(path, "removed"),
            (Err(_), None) => Ok(()),
        }
    }
}

impl SqliteStore {
    /// Makes a new file without games, whole or not at all; leaves one that another run has just made.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(path: &Path) -> Result<(), StoreError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let draft = tempfile::NamedTempFile::new_in(folder)?;
        let connection = Connection::open(draft.path())?;
        schema::create(&connection)?;
        connection.close().map_err(|(_, error)| error)?;
        match draft.persist_noclobber(path) {
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(failed) => Err(failed.error.into()),
            Ok(_) => Ok(()),
        }
    }

    /// Opens a file to read it alone: also where it cannot be written, or where the disk is full.
    ///
    /// # Errors
    /// As for [`SqliteStore::open`].
    pub fn read(path: &Path) -> Result<SqliteStore, StoreError> {
        let plain = SqliteStore::open_for_reading(path);
        match plain {
            Ok(store) => Ok(store),
            Err(error) if is_about_content(&error) => Err(error),
            Err(_) => SqliteStore::open(path).or_else(|error| {
                if is_about_content(&error) {
                    return Err(error);
                }
                SqliteStore::read_copy(path, &error)
            }),
        }
    }

    pub(super) fn open_for_reading(path: &Path) -> Result<SqliteStore, StoreError> {
        let identity = whole_file(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(super::PATIENCE)?;
        schema::expect_ladder(&connection)?;
        Ok(SqliteStore::of(connection, identity))
    }

    /// Opens a copy: where the folder cannot be written, SQLite cannot read what is in its log.
    fn read_copy(path: &Path, why: &StoreError) -> Result<SqliteStore, StoreError> {
        let mut failed = None;
        for parent in [std::env::temp_dir(), PathBuf::from("/dev/shm")] {
            match copy_of(path, &parent) {
                Ok((folder, copy)) => {
                    let mut store = SqliteStore::open(&copy)?;
                    store.folder = Some(folder);
                    return Ok(store);
                }
                Err(error) => failed = Some(error),
            }
        }
        let copied = failed.map_or_else(String::new, |error| error.to_string());
        Err(StoreError::Unreadable {
            why: why.to_string(),
            copied,
        })
    }

    /// Writes all that is in this store, also where its file was removed, into a new file beside it; gives its path
    /// and how many finished pairs are in it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_rescued(&self) -> Result<(PathBuf, u64), StoreError> {
        let free = |number: &u32| {
            let path = self
                .identity
                .path
                .with_extension(format!("rescued-{number}.db"));
            !path.exists()
        };
        let number = (1..).find(free).unwrap_or(1);
        let path = self
            .identity
            .path
            .with_extension(format!("rescued-{number}.db"));
        let name = path.to_string_lossy();
        self.connection.execute("VACUUM INTO ?1", [name.as_ref()])?;
        let count = "SELECT count(*) FROM pair WHERE finished IS NOT NULL";
        let pairs = self.connection.query_row(count, (), |row| row.get(0))?;
        Ok((path, pairs))
    }
}

/// Whether an error is about what is in the file, however that is opened.
fn is_about_content(error: &StoreError) -> bool {
    let missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    match error {
        StoreError::Empty | StoreError::NotALadder | StoreError::Version { .. } => true,
        StoreError::File(error) => missing(error),
        StoreError::Database(error) => {
            let error = error
                .downcast_ref()
                .and_then(rusqlite::Error::sqlite_error_code);
            error == Some(rusqlite::ErrorCode::NotADatabase)
        }
        _ => false,
    }
}

/// The file, if it can hold anything.
///
/// # Errors
/// When it is not there or empty.
pub(super) fn whole_file(path: &Path) -> Result<FileIdentity, StoreError> {
    let identity = FileIdentity::of(path)?;
    // SQLite takes a file without a byte for a new database.
    if path.metadata()?.len() == 0 {
        return Err(StoreError::Empty);
    }
    Ok(identity)
}

fn copy_of(path: &Path, parent: &Path) -> io::Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir_in(parent)?;
    let copy = folder.path().join("games.db");
    // Not the modes: the original may be read-only.
    let write = |from: &Path, to: &Path| -> io::Result<()> {
        io::copy(
            &mut std::fs::File::open(from)?,
            &mut std::fs::File::create(to)?,
        )?;
        Ok(())
    };
    write(path, &copy)?;
    let log = beside(path, "-wal");
    if log.exists() {
        write(&log, &beside(&copy, "-wal"))?;
    }
    Ok((folder, copy))
}
