//! What people take away of a game: its record as a line of a file of records, and the same as PDN.

use crownhead_record::{GameRecord, read_games, write_pdn};
use serde::Serialize;

/// A game as files, each with its last line feed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Download {
    /// Its record, one JSON object on one line.
    pub(super) line: String,
    /// `None` for a game that PDN cannot tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pdn: Option<String>,
}

impl Download {
    /// The files of this game.
    pub fn of_record(record: &GameRecord) -> Download {
        let line = serde_json::to_string(record).expect("a record is plain data");
        Download {
            line: line + "\n",
            pdn: pdn(record),
        }
    }

    /// The same of a game whose line is known; it stays as it is.
    pub(super) fn of_line(line: String) -> Download {
        let record = read_games(line.as_bytes()).next().and_then(Result::ok);
        Download {
            pdn: record.as_ref().and_then(pdn),
            line: line + "\n",
        }
    }
}

fn pdn(record: &GameRecord) -> Option<String> {
    write_pdn(record).ok()
}
