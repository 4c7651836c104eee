//! Why a ladder cannot be used or played.

use crate::config::ConfigError;
use crate::store::StoreError;
use crownhead_record::system_error::PathError;
use std::fmt::Display;
use std::io;

/// Why a ladder cannot be used or played. Its message is complete: print no source after it.
#[derive(Debug, thiserror::Error)]
pub enum LadderError {
    /// The ladder cannot be used as it is: what is wrong, and what to type instead.
    #[error("{0}")]
    Unusable(String),
    /// A line of the configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The games cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another file or folder cannot be used.
    #[error(transparent)]
    File(#[from] PathError),
    /// The system refuses something, such as to write to a pipe that was closed.
    #[error(transparent)]
    System(#[from] io::Error),
    /// Something else failed.
    #[error("{0}")]
    Failed(String),
    /// What an error is about, and the error.
    #[error("{0}: {1}")]
    About(String, Box<LadderError>),
}

impl LadderError {
    /// The error itself, without what it is about.
    pub fn root(&self) -> &LadderError {
        match self {
            LadderError::About(_, error) => error.root(),
            root => root,
        }
    }

    /// Whether the ladder cannot be used as it is.
    pub fn is_unusable(&self) -> bool {
        matches!(self.root(), LadderError::Unusable(_))
    }
}

/// Refuses the ladder for this reason.
pub(crate) fn refuse(why: impl ToString) -> LadderError {
    LadderError::Unusable(why.to_string())
}

/// Fails for this reason.
pub(crate) fn fail(why: impl ToString) -> LadderError {
    LadderError::Failed(why.to_string())
}

/// Says what an error is about.
pub(crate) fn about<E: Into<LadderError>>(what: impl Display) -> impl FnOnce(E) -> LadderError {
    move |error| LadderError::About(what.to_string(), Box::new(error.into()))
}
