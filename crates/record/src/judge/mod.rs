//! What time and output a bot is allowed: limits, clocks, and the profiles that set them.
//!
//! Pure data and functions. Leaves out how a reply is obtained ([`seat`](crownhead_arena::seat)) and what it is worth
//! ([`table`](crownhead_arena::table)).

mod clock;
mod colour_line;
pub mod profile;

use serde::{Deserialize, Serialize};
use std::time::Duration;

pub use clock::{Clock, HARD_CAP, Lag, Overrun, Spent, most_waiting};
pub use colour_line::ColourLine;
pub use colour_line::KNOWS_THE_LIVE_LINE;
pub use profile::{Grace, Profile};

/// The longest time after its start for which a bot that does not read yet is waited for. Then its first turn is sent,
/// and its clock runs.
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

impl Default for TimeLimits {
    /// Those of the [strict profile](profile::STRICT), which are the contest's.
    fn default() -> TimeLimits {
        profile::STRICT.limits
    }
}

/// A duration as whole microseconds, as records have it.
pub fn whole_microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Durations that may be unknown, as whole microseconds.
#[allow(missing_docs)]
pub mod optional_microseconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(super::whole_microseconds).serialize(to)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_micros))
    }
}

/// Durations as whole microseconds, for records.
#[allow(missing_docs)]
pub mod microseconds {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(super::whole_microseconds(*time))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}
