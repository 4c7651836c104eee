//! All games as lists of rows, which the page filters and sorts.

use super::index::Index;
use crownhead_record::Termination;
use serde::Serialize;

/// The games of one list.
const LISTED: usize = 2000;

/// What the lists are, and the meaning of their numbers.
#[derive(Debug, Serialize)]
pub(super) struct Contents<'a> {
    /// Within an edition, games are only added.
    edition: u64,
    /// The games of a full list.
    size: usize,
    pub(super) lists: usize,
    bots: Vec<&'a String>,
    openings: Vec<&'a String>,
    /// The first game of each chunk of games, where these are files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) chunks: Vec<u64>,
}

/// A game's number, its players, their points and scores, its ending, its turns, its opening, and whether it was played
/// again.
type Row<'a> = (
    u64,
    &'a [u32],
    Option<&'a [f64]>,
    &'a [f64],
    Termination,
    u32,
    u32,
    bool,
);

impl Index {
    /// What the lists are.
    pub(super) fn contents(&self) -> Contents<'_> {
        Contents {
            edition: self.edition,
            size: LISTED,
            lists: self.entries.len().div_ceil(LISTED),
            bots: self.bots.iter().collect(),
            openings: self.openings.iter().collect(),
            chunks: Vec::new(),
        }
    }

    /// The list of this number, if there is one.
    pub(super) fn list(&self, number: usize) -> Option<Vec<Row<'_>>> {
        let entries = self.entries.chunks(LISTED).nth(number)?.iter();
        let row = entries.map(|entry| {
            (
                entry.id,
                &*entry.players,
                entry.points.as_deref(),
                &*entry.scores,
                entry.termination,
                entry.turns,
                entry.opening,
                entry.replayed,
            )
        });
        Some(row.collect())
    }
}
