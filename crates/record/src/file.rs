//! Files of records: JSON lines.

use super::{GameRecord, VERSION};
use crate::PdnError;
use crate::input::{LONGEST_RECORD, LineReader};
use serde::Deserialize;
use std::io::{self, BufRead};

/// The games in a file of records, in order. Blank lines are skipped.
///
/// Each game is read on its own: an error in one record leaves the others readable. An error of the file ends the
/// reading.
pub fn read_games(file: impl BufRead) -> impl Iterator<Item = Result<GameRecord, ReadError>> {
    let mut lines = LineReader::new(file, LONGEST_RECORD);
    std::iter::from_fn(move || {
        loop {
            match lines.next_line() {
                Ok(text) => match text? {
                    text if text.trim_ascii().is_empty() => {}
                    text => return Some(read_game(lines.line(), &text)),
                },
                Err(error) => return Some(Err(ReadError::File(error))),
            }
        }
    })
}

fn read_game(line: usize, text: &[u8]) -> Result<GameRecord, ReadError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let not_a_record = |error: serde_json::Error| ReadError::Record {
        line,
        column: error.column(),
        error,
    };
    let Versioned { version } = serde_json::from_slice(text).map_err(not_a_record)?;
    if version != VERSION {
        return Err(ReadError::Version { line, version });
    }
    serde_json::from_slice(text).map_err(not_a_record)
}

/// A game of a file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read, or is not text.
    #[error(transparent)]
    File(io::Error),
    /// The line is not a record.
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
    /// A game in PDN.
    #[error("{error}")]
    Pdn {
        /// The number of the game.
        number: u64,
        /// What went wrong.
        error: PdnError,
    },
}
