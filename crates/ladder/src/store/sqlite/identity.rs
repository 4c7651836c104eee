//! Which file is behind a store: the same for as long as it is used.

use crate::store::StoreError;
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
