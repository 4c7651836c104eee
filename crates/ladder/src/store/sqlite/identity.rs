//! Which file is behind a store: the same for as long as it is used.

use crate::store::StoreError;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Which file is used. A path can be given another file while the old one is still written to, and what is stored
/// then is gone when it is closed.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct FileIdentity {
    path: PathBuf,
    file: Option<(u64, u64)>,
    /// The file with the changes that are not in the database yet, once there is one.
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
    /// The file that is there now.
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

    /// Whether the file is still the one that is used.
    ///
    /// # Errors
    /// When it was removed or another one has taken its place.
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

    /// Removes the log beside a path that no longer names the file which the log belongs to. SQLite would take it for that
    /// of the file which is there now, or comes there (sqlite.org/howtocorrupt.html, 1.4).
    pub(super) fn remove_orphaned_log(&self) {
        let log = beside(&self.path, "-wal");
        if identity(&self.path) != self.file && self.log.is_some() && identity(&log) == self.log {
            for file in [log, beside(&self.path, "-shm")] {
                // It may be gone as well; where a copy could be written, a file can be removed.
                let _ = std::fs::remove_file(file);
            }
        }
    }
}

/// The file, if it can hold anything.
///
/// # Errors
/// When it is not there or empty.
pub(super) fn whole_file(path: &Path) -> Result<FileIdentity, StoreError> {
    // SQLite takes a file without a byte for a new database.
    if path.metadata()?.len() == 0 {
        return Err(StoreError::Empty);
    }
    Ok(FileIdentity::of(path))
}
