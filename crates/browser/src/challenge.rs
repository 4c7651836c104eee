//! What a page asks for at the start of a game and during it.

use super::computer::Computer;
use super::position::Setup;
use crownhead_record::text::excerpt;
use serde::Deserialize;
use std::time::Duration;

/// A game that a page asks for.
#[derive(Clone, Debug, Deserialize)]
pub struct Challenge {
    /// Where to begin.
    #[serde(flatten)]
    pub setup: Setup,
    /// Against whom.
    pub opponent: Opponent,
    /// The side of the person, as the game calls it.
    pub side: String,
}

/// Who sits opposite.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// One of `OPPONENTS`.
    BuiltIn(String),
    /// Another person at the same page.
    Person,
}

/// The built-in bots that a page offers, as a command line names them, from the weakest on.
pub(super) const OPPONENTS: [(&str, Computer); 7] = [
    ("random", Computer::Random),
    ("greedy", Computer::Greedy),
    ("alphabeta --depth 1", Computer::Depth(1)),
    ("alphabeta --depth 3", Computer::Depth(3)),
    ("alphabeta --depth 6", Computer::Depth(6)),
    ("alphabeta", Computer::Time(Duration::from_millis(100))),
    (
        "alphabeta --time 1s",
        Computer::Time(Duration::from_secs(1)),
    ),
];

/// What a person wants.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// This move, as it was clicked or typed.
    Move(String),
    /// The last turn back.
    Undo,
    /// A turn again that was taken back.
    Redo,
}

impl Challenge {
    /// The number of the player who asks, in a game of these sides.
    ///
    /// # Errors
    /// With a sentence, when there is no such side.
    pub(super) fn person(&self, sides: [&str; 2]) -> Result<usize, String> {
        let person = sides.iter().position(|own| *own == self.side);
        let [one, other] = sides;
        person.ok_or_else(|| {
            format!(
                "no side is called `{}`: expected {one} or {other}",
                excerpt(&self.side)
            )
        })
    }
}

/// The built-in bot that is called so on a page.
pub(super) fn built_in(words: &str) -> Option<Computer> {
    let known = OPPONENTS.iter().find(|(name, _)| *name == words);
    known.map(|(_, computer)| *computer)
}
