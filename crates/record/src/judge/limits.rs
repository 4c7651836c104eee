//! How long a player may think, and how long a bot's start may take.

use super::whole::microseconds;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest time to wait after a bot's start until it reads. Then its first turn is sent, and its clock runs.
pub const START_UP: Duration = Duration::from_secs(5);

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeLimits {
    /// For a player's first turn.
    #[serde(rename = "first_turn_us", with = "microseconds")]
    pub first_turn: Duration,
    /// For each turn after it.
    #[serde(rename = "turn_us", with = "microseconds")]
    pub turn: Duration,
}

impl TimeLimits {
    /// The limit of a player's turn of this number, from 1.
    pub fn of(&self, own_turn: usize) -> Duration {
        match own_turn {
            1 => self.first_turn,
            _ => self.turn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_players_first_turn_has_a_limit_of_its_own() {
        let limits = TimeLimits {
            first_turn: Duration::from_secs(1),
            turn: Duration::from_millis(100),
        };
        assert_eq!(
            [1, 2, 3].map(|turn| limits.of(turn).as_millis()),
            [1000, 100, 100]
        );
    }
}
