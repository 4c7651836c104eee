//! The file of a store: created once, found again, read if it cannot be written, and rescued.

use super::identity::{beside, whole_file};
use super::schema;
use super::store::{SqliteStore, connect};
use crate::store::StoreError;
use rusqlite::{Connection, OpenFlags};
use std::io;
use std::path::{Path, PathBuf};

impl SqliteStore {
    /// Creates a new file without games, whole or not at all. Keeps a file that another run has just created.
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

    /// Opens a file only for reading, even if it cannot be written or the disk is full.
    ///
    /// # Errors
    /// As for [`SqliteStore::open`].
    pub fn read(path: &Path) -> Result<SqliteStore, StoreError> {
        match SqliteStore::open_for_reading(path) {
            Err(error) if !is_final(&error) => SqliteStore::read_copy(path, &error),
            done => done,
        }
    }

    fn open_for_reading(path: &Path) -> Result<SqliteStore, StoreError> {
        let identity = whole_file(path)?;
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        schema::expect_ladder(&connection)?;
        Ok(SqliteStore::of(connection, identity))
    }

    /// Opens a copy, because SQLite cannot read its log if the folder is not writable.
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
        Err(StoreError::Content(format!(
            "{why}; and a copy to read cannot be made: {copied}"
        )))
    }

    /// Writes this store's content into a new file beside it, even if its file was removed. Returns the path and the
    /// number of finished pairs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_rescued(&self) -> Result<(PathBuf, u64), StoreError> {
        let path = |number: u32| {
            let name = format!("rescued-{number}.db");
            self.identity.path().with_extension(name)
        };
        let mut paths = (1..).map(path);
        let path = paths.find(|path| !path.exists()).unwrap_or_default();
        let name = path.to_string_lossy();
        self.connection.execute("VACUUM INTO ?1", [name.as_ref()])?;
        let count = "SELECT count(*) FROM pair WHERE finished IS NOT NULL";
        let pairs = self.connection.query_row(count, (), |row| row.get(0))?;
        Ok((path, pairs))
    }
}

/// Whether an error remains however the file is opened, because it concerns the content or a lock.
fn is_final(error: &StoreError) -> bool {
    match error {
        StoreError::Locked { .. }
        | StoreError::Empty
        | StoreError::NotALadder
        | StoreError::Version { .. } => true,
        StoreError::File(error) => error.kind() == io::ErrorKind::NotFound,
        StoreError::Database(error) => {
            let error = error
                .downcast_ref()
                .and_then(rusqlite::Error::sqlite_error_code);
            error == Some(rusqlite::ErrorCode::NotADatabase)
        }
        _ => false,
    }
}

fn copy_of(path: &Path, parent: &Path) -> io::Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir_in(parent)?;
    let copy = folder.path().join("games.db");
    // Do not copy the modes, because the original may be read-only.
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

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi;

    /// The extended part of SQLite's error code.
    fn of_code(code: i32) -> StoreError {
        rusqlite::Error::SqliteFailure(ffi::Error::new(code), None).into()
    }

    #[test]
    fn a_file_is_opened_otherwise_only_where_that_may_help() {
        let of_kind = |kind| StoreError::File(io::Error::from(kind));
        let (version, expected) = (1, 2);
        for error in [
            StoreError::Empty,
            StoreError::NotALadder,
            StoreError::Version { version, expected },
            of_kind(io::ErrorKind::NotFound),
            of_code(ffi::SQLITE_NOTADB),
            of_code(ffi::SQLITE_BUSY),
        ] {
            assert!(is_final(&error), "{error}");
        }
        for error in [
            of_kind(io::ErrorKind::PermissionDenied),
            of_code(ffi::SQLITE_CANTOPEN),
            of_code(ffi::SQLITE_READONLY),
            of_code(ffi::SQLITE_FULL),
        ] {
            assert!(!is_final(&error), "{error}");
        }
    }

    #[test]
    fn the_error_about_a_damaged_file_names_the_command_that_says_more() {
        let told = of_code(ffi::SQLITE_CORRUPT).to_string();
        assert!(
            told.contains("malformed; `crownhead ladder check` tells what"),
            "{told}"
        );
        let told = of_code(ffi::SQLITE_FULL).to_string();
        assert!(!told.contains("check"), "{told}");
    }
}
