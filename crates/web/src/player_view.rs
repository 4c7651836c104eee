//! A player of a recorded game, as pages show it.

use crownhead_record::{Figures, PlayerRecord, Stderr};
use serde::Serialize;

/// A player of a game: its name, and its output outside its turns.
#[derive(Debug, Serialize)]
pub(super) struct PlayerView {
    name: String,
    #[serde(skip_serializing_if = "Stderr::is_empty")]
    stderr_before: Stderr,
    #[serde(skip_serializing_if = "Stderr::is_empty")]
    stderr_after: Stderr,
    #[serde(skip_serializing_if = "Figures::is_empty")]
    figures: Figures,
}

impl PlayerView {
    pub(super) fn of(player: PlayerRecord) -> PlayerView {
        PlayerView {
            name: player.name,
            stderr_before: player.stderr_before,
            stderr_after: player.stderr_after,
            figures: player.figures,
        }
    }
}
