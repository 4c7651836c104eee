//! Why a store cannot be used.

use std::path::PathBuf;

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
    /// A stored value is none that there is.
    #[error("pair {pair} did not end in any known way: {error}")]
    Ending {
        /// Which pair.
        pair: u64,
        /// What is wrong.
        error: serde::de::value::Error,
    },
    /// The database server refuses, or cannot be reached.
    #[error("{url}: {why}")]
    Server {
        /// The database.
        url: String,
        /// What is wrong.
        why: String,
        /// Whether it may be right again by itself.
        is_passing: bool,
    },
    /// No ladder has begun in the database.
    #[error("{0}: there is no ladder in it; `crownhead ladder new` begins one")]
    NotBegun(String),
    /// What is published for workers is not understood.
    #[error(
        "what is published for workers cannot be read, another version of Crownhead may have written it: {0}"
    )]
    Publication(String),
    /// A ladder has begun there already.
    #[error("{0}: there is a ladder in it already")]
    Begun(String),
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
    /// Whether what failed goes by itself, so that it is worth asking again: what it is, for people.
    pub fn passing(&self) -> Option<String> {
        match self {
            StoreError::Sqlite(error) if is_locked(error) => {
                Some("another program has locked it; the run waits until it is done".into())
            }
            StoreError::Server {
                why,
                is_passing: true,
                ..
            } => Some(format!("{why}; it is tried again")),
            _ => None,
        }
    }

    /// Whether it is about what is in the file, however that is opened.
    pub(super) fn is_about_content(&self) -> bool {
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

/// Whether another program has the file locked.
pub(super) fn is_locked(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    let code = error.sqlite_error_code();
    code.is_some_and(|code| matches!(code, DatabaseBusy | DatabaseLocked))
}
