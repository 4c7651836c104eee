//! Identifies a store's file, so that it stays the same while in use.

use crate::store::StoreError;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The file in use. A path can get another file while the old one is still written to. What is stored then is lost when
/// the old one is closed.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct FileIdentity {
    path: PathBuf,
    file: Option<(u64, u64)>,
    /// The log with the changes that are not in the database yet, once it exists.
    log: Option<(u64, u64)>,
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let file = path.metadata().ok()?;
    Some((file.dev(), file.ino()))
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

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
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
