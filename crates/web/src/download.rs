//! The downloads of a game: its record as a line of a record file, and PDN.

use crownhead_record::{GameRecord, write_pdn};
use serde::Serialize;

/// A game as files, each with a final line feed.
#[derive(Debug, Serialize)]
pub(super) struct Download {
    /// Its record, one JSON object on one line.
    pub(super) line: String,
    /// `None` for a game that PDN cannot express.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pdn: Option<String>,
}

impl Download {
    /// The files of this game, whose record is this line.
    pub(super) fn new(record: &GameRecord, line: String) -> Download {
        Download {
            line: line + "\n",
            pdn: write_pdn(record).ok(),
        }
    }
}
