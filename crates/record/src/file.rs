//! Files of records: JSON lines.

use super::{GameRecord, VERSION};
use crate::PdnError;
use crate::format_error::plain_format;
use crate::input::{LONGEST_RECORD, LineReader};
use crate::site::SiteError;
use serde::Deserialize;
use serde_json::error::Category;
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

/// Reads the record in this line of a file.
///
/// # Errors
/// If it is none, or is of another version.
pub fn read_game(line: usize, text: &[u8]) -> Result<GameRecord, ReadError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let not_a_record = |error| ReadError::Record { line, error };
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
    #[error("line {line} is no game's record: {}", why_no_record(error))]
    Record {
        /// The number of the line.
        line: usize,
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
    #[error(transparent)]
    Pdn(#[from] PdnError),
    /// A game of the site.
    #[error(transparent)]
    Site(#[from] SiteError),
}

fn why_no_record(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => format!("it ends at column {}, within a record", error.column()),
        Category::Data => plain_format(&error.to_string()),
        Category::Syntax | Category::Io => "it is not JSON".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::played;

    #[test]
    fn a_line_that_is_no_record_is_reported_by_its_place_and_those_around_it_are_read() {
        let record = played(&["B4C5"]);
        let line = serde_json::to_string(&record).unwrap();
        let newer = line.replacen("\"version\":3", "\"version\":4", 1);
        let text = format!("{line}\n\n  \t\n{newer}\n{{\"version\":3,\n{line}");
        let read: Vec<_> = read_games(text.as_bytes())
            .map(|game| game.map_err(|error| error.to_string()))
            .collect();
        assert_eq!(read.len(), 4);
        assert_eq!([&read[0], &read[3]], [&Ok(record.clone()), &Ok(record)]);
        let told = "line 4: the record has version 4; this program reads version 3";
        assert_eq!(read[1], Err(told.into()));
        let told = read[2].as_ref().unwrap_err();
        assert_eq!(
            told,
            "line 5 is no game's record: it ends at column 13, within a record"
        );
    }

    #[test]
    fn reading_ends_where_the_file_cannot_be_read() {
        let mut read = read_games(&b"\xff\xfe{\0}\0\n\0{}\n"[..]);
        assert!(matches!(read.next(), Some(Err(ReadError::File(_)))));
        assert!(read.next().is_none());
    }
}
