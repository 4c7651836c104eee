//! Games as CodinGame's site keeps them, and the files in which people have them.
//!
//! ```text
//! cut      a file, packed or not, into the texts of its games
//! tree     the text of one game into JSON, in bounded memory
//! fields   a game out of that JSON, in any of the forms below
//! ```
//!
//! No one documents the forms: they were collected from the public scripts of contestants (2026), and from the runner of
//! the contest engine (`GameRunner.java` and `GameResultDto.java`, v4.7.8), which writes lists by player. Any field may
//! be missing but the frames. Leaves out whether a game comes out the same when it is played again, because that takes
//! its referee.

mod cut;
mod fields;
mod tree;

pub use cut::{SiteGames, is_site_file};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A game of the site. A player is a place in `players`.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteGame {
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// Its number on the site.
    pub id: Option<u64>,
    /// The name of its contest, in English.
    pub title: Option<String>,
    /// The league by whose rules it was played.
    pub league: Option<u32>,
    /// The seed that its referee was given.
    pub seed: Option<i64>,
    /// What else its referee was given.
    pub parameters: BTreeMap<String, String>,
    /// The names of its players.
    pub players: Vec<String>,
    /// The scores by players; more is better. Empty if the file has none.
    pub scores: Vec<f64>,
    /// The ranks by players, from 0. Empty if the file has none.
    pub ranks: Vec<u64>,
    /// Its steps: the start, then one for each question to a player.
    pub frames: Vec<SiteFrame>,
}

/// A step of a game: a player's answer, and what followed from it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SiteFrame {
    /// The player that was asked; `None` at the start, and where the file does not say it.
    pub player: Option<usize>,
    /// The lines of its answer; `None` if it did not answer.
    pub stdout: Option<String>,
    /// What it wrote on its standard error.
    pub stderr: String,
    /// What happened, as the referee tells people; `None` if the file leaves that out.
    pub summary: Option<String>,
    /// The data for the viewer, if the file has them.
    pub view: Option<String>,
}

/// A game of a file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The file cannot be read, or is not text.
    #[error(transparent)]
    File(std::io::Error),
    /// This game is no game of the site, or is damaged.
    #[error("the game that begins on line {line}: {why}")]
    Game {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong, with what was expected.
        why: String,
    },
}

/// The part of a record about the site that the game was played on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteRecord {
    /// Its number there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The name of its contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether all that the file has came out the same when the game was played again.
    pub verified: bool,
    /// What came out otherwise first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<SiteDifference>,
    /// Why it could not be told: the file has nothing to compare, or the game was not played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unverified: Option<String>,
}

/// What came out otherwise when a game of the site was played again with its recorded answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteDifference {
    /// The turn after which it differs, from 1; 0 is the start.
    pub turn: usize,
    /// What differs: `player`, `summary`, `view`, `scores`, `ranks` or `end`.
    pub what: String,
    /// What the file has.
    pub file: String,
    /// What came out here.
    pub here: String,
}

impl SiteRecord {
    /// What is to be told of a game that is not verified, as a sentence without its full stop.
    pub fn problem(&self) -> Option<String> {
        let difference = self.difference.as_ref().map(
            |SiteDifference {
                 turn,
                 what,
                 file,
                 here,
             }| {
                let after = match turn {
                    0 => "at the start".into(),
                    turn => format!("after turn {turn}"),
                };
                format!("{after}, the {what} differs: `{file}` in the file, `{here}` here")
            },
        );
        difference.or_else(|| Some(format!("not verified: {}", self.unverified.as_ref()?)))
    }
}

#[cfg(test)]
mod tests;
