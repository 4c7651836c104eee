//! The settings of self-play, as a file of training games keeps them.

use serde::{Deserialize, Serialize};

/// How games of self-play are played.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlay {
    /// Positions to look at in a turn, up to a thousand more.
    pub nodes: u64,
    /// The fewest and the most random turns of an opening.
    pub opening: (u32, u32),
    /// The highest score, for either side, of the position after the opening, in hundredths of a man.
    pub balance: i16,
    /// The share of moves after the opening that are random.
    pub random: f64,
    /// After so many turns without a capture a game is drawn.
    pub draw_after: u32,
    /// A game is broken off when so many pieces have been captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_captured: Option<u32>,
}
