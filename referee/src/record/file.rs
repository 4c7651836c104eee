//! Files of records: JSON lines.

use super::{GameRecord, VERSION};
use serde::Deserialize;
use std::io::{self, BufRead};

/// The games in a file of records, in order. Blank lines are skipped.
///
/// Each game is read on its own: an error in one line leaves the others readable.
pub fn read_games(file: impl BufRead) -> impl Iterator<Item = Result<GameRecord, ReadError>> {
    (1..)
        .zip(file.lines())
        .filter_map(|(line, text)| match text {
            Ok(text) if text.trim().is_empty() => None,
            Ok(text) => Some(read_game(line, &text)),
            Err(error) => Some(Err(ReadError::File { line, error })),
        })
}

fn read_game(line: usize, text: &str) -> Result<GameRecord, ReadError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let not_a_record = |error: serde_json::Error| ReadError::Record {
        line,
        column: error.column(),
        error,
    };
    let Versioned { version } = serde_json::from_str(text).map_err(not_a_record)?;
    if version != VERSION {
        return Err(ReadError::Version { line, version });
    }
    serde_json::from_str(text).map_err(not_a_record)
}

/// A line of a file of records that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file failed.
    #[error("line {line}: {error}")]
    File {
        /// The number of the line.
        line: usize,
        /// What went wrong.
        error: io::Error,
    },
    /// The line is no record.
    #[error(
        "line {line}, column {column}: {error}; expected a game's record, one JSON object a line"
    )]
    Record {
        /// The number of the line.
        line: usize,
        /// Where in the line.
        column: usize,
        /// What went wrong.
        error: serde_json::Error,
    },
    /// The record is of another version.
    #[error("line {line}: the record has version {version}; this program reads version {VERSION}")]
    Version {
        /// The number of the line.
        line: usize,
        /// The version it has.
        version: u32,
    },
}
