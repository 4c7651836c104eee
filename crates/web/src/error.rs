//! Why a site cannot be shown.

use crownhead_ladder::LadderError;
use crownhead_record::system_error::PathError;
use std::io;

/// Why a site cannot be shown. Its message is complete: print no source after it.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The ladder cannot be read.
    #[error(transparent)]
    Ladder(#[from] LadderError),
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] PathError),
    /// The system refuses something, such as to write to a pipe that was closed.
    #[error(transparent)]
    System(#[from] io::Error),
    /// None of the server's addresses can be listened on.
    #[error("{0}")]
    CannotListen(String),
    /// Something else failed.
    #[error("{0}")]
    Failed(String),
}

/// Fails for this reason.
pub(super) fn fail(why: impl ToString) -> SiteError {
    SiteError::Failed(why.to_string())
}
