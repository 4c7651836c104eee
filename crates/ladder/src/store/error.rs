//! Why a store cannot be used.

use super::sql::VERSION;
use super::sqlite::LOCK_PATIENCE;
use std::error::Error;
use std::path::PathBuf;

/// The store cannot be used, or its content cannot be right.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database fails.
    #[error("the ladder's database: {0}")]
    Database(Box<dyn Error + Send + Sync>),
    /// Another program has locked it.
    #[error(
        "another program has held the ladder's file for {} s. Try again when that program has ended; `fuser -v games.db` \
         in the ladder's folder says which it is",
        LOCK_PATIENCE.as_secs()
    )]
    Locked,
    /// It may not be written to.
    #[error("it cannot be written to. You need the right to write to the file and to its folder")]
    NotWritable,
    /// The file system failed.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// It is empty.
    #[error(
        "the file is empty, so the games that were in it are lost; put a copy back, or remove it and begin anew \
         with `crownhead ladder new`"
    )]
    Empty,
    /// It is another program's database.
    #[error("it is a database of something else; expected a ladder's games")]
    NotALadder,
    /// It is of this other version.
    #[error(
        "the ladder's database has version {0}; this program uses version {VERSION}. Play it with the Crownhead that \
         made it, or begin another ladder with `crownhead ladder new`"
    )]
    Version(i64),
    /// The stored data of a pair cannot be right.
    #[error("pair {pair} {what}; `crownhead ladder check` tells all that is wrong")]
    Pair {
        /// Which pair.
        pair: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Stored data is not what it should be, or cannot be read.
    #[error("{0}")]
    Content(String),
    /// The database server refuses, or cannot be reached.
    #[error("{url}: {why}")]
    Server {
        /// The database.
        url: String,
        /// What is wrong.
        why: String,
        /// Whether the problem may pass by itself.
        is_passing: bool,
    },
    /// The database server does not let this role do that.
    #[error(
        "{url}: {why}; `crownhead ladder roles` says what the roles of owners and workers may do"
    )]
    Denied {
        /// The database.
        url: String,
        /// What the server says.
        why: String,
    },
    /// The path no longer names the file in use.
    #[error("{} was {what} while it was used", path.display())]
    Gone {
        /// The path.
        path: PathBuf,
        /// What happened to it.
        what: &'static str,
    },
}

impl StoreError {
    /// The server at this address refuses, or the address is wrong.
    pub fn server(url: &str, why: impl Into<String>) -> StoreError {
        StoreError::Server {
            url: url.into(),
            why: why.into(),
            is_passing: false,
        }
    }

    /// Whether the failure is temporary, so that asking again is worthwhile.
    pub fn is_passing(&self) -> bool {
        self.passing().is_some()
    }

    /// A description for people if the failure is temporary.
    pub fn passing(&self) -> Option<String> {
        match self {
            StoreError::Locked => {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_by_itself_is_told_so_and_nothing_else_is() {
        let server = |is_passing| StoreError::Server {
            url: "postgres://host".into(),
            why: "it is starting up".into(),
            is_passing,
        };
        let told = server(true).passing();
        assert_eq!(
            told.as_deref(),
            Some("it is starting up; it is tried again")
        );
        let told = StoreError::Locked.passing().unwrap();
        assert!(told.starts_with("another program has locked it"), "{told}");
        assert_eq!(
            StoreError::Locked.to_string(),
            "another program has held the ladder's file for 30 s. Try again when that program has ended; `fuser -v \
             games.db` in the ladder's folder says which it is"
        );
        assert_eq!(server(false).passing(), None);
        assert_eq!(StoreError::server("postgres://host", "no").passing(), None);
        assert_eq!(StoreError::Content(String::new()).passing(), None);
    }
}
