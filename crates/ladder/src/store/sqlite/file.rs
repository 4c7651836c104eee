//! The file of a store: created once, recognised while it is in use, read if it cannot be written, and rescued.

use super::statements::{create_ladder, expect_ladder};
use super::store::{SqliteStore, connect, use_log};
use crate::store::StoreError;
use crownhead_sandbox::file_identity as identity;
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
        create_ladder(&connection)?;
        use_log(&connection)?;
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
            Err(error) if !matches!(error, StoreError::Locked | StoreError::File(_)) => {
                SqliteStore::read_copy(path, &error)
            }
            done => done,
        }
    }

    fn open_for_reading(path: &Path) -> Result<SqliteStore, StoreError> {
        let identity = whole_file(path)?;
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        expect_ladder(&connection)?;
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
        let told = format!("{why}; and a copy to read cannot be made: {copied}");
        Err(StoreError::Content(told))
    }

    /// Writes this store's content into a new file beside it, even if its file was removed. Returns the path and the
    /// number of finished pairs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_rescued(&self) -> Result<(PathBuf, u64), StoreError> {
        let path = |number: u32| {
            let name = format!("rescued-{number}.db");
            self.identity.path.with_extension(name)
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

/// The file in use. A path can get another file while the old one is still written to. What is stored then is lost when
/// the old one is closed.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct FileIdentity {
    pub(super) path: PathBuf,
    file: Option<(u64, u64)>,
    /// The log with the changes that are not in the database yet, once it exists.
    log: Option<(u64, u64)>,
}

/// The path of a file that SQLite keeps beside a database.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

impl FileIdentity {
    /// The present file.
    pub(super) fn of(path: &Path) -> FileIdentity {
        FileIdentity {
            path: path.into(),
            file: identity(path),
            log: None,
        }
    }

    /// Whether the file is still the one in use.
    ///
    /// # Errors
    /// When it was removed or replaced.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        let log = beside(&self.path, "-wal");
        for (path, known) in [(&self.path, &mut self.file), (&log, &mut self.log)] {
            let found = identity(path);
            if known.is_some() && found != *known {
                return Err(StoreError::Gone {
                    path: path.clone(),
                    what: found.map_or("removed", |_| "replaced by another file"),
                });
            }
            *known = found;
        }
        Ok(())
    }

    /// Removes the log beside a path that no longer names the log's file. SQLite would take it for the log of the
    /// present or next file there (sqlite.org/howtocorrupt.html, 1.4).
    pub(super) fn remove_orphaned_log(&self) {
        let log = beside(&self.path, "-wal");
        if identity(&self.path) != self.file && self.log.is_some() && identity(&log) == self.log {
            for file in [log, beside(&self.path, "-shm")] {
                // It may be gone as well. If a copy could be written, a file can be removed.
                let _ = std::fs::remove_file(file);
            }
        }
    }
}

/// The file, if it has content.
///
/// # Errors
/// When it is missing or empty.
pub(super) fn whole_file(path: &Path) -> Result<FileIdentity, StoreError> {
    // SQLite takes an empty file for a new database.
    if path.metadata()?.len() == 0 {
        return Err(StoreError::Empty);
    }
    Ok(FileIdentity::of(path))
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
