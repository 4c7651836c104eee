//! How much time and output a bot is allowed: limits, clocks, and the profiles that set them.
//!
//! Pure data and functions. Leaves out how a reply is obtained (`seat`) and how it is judged (`table`).

mod clock;
pub mod profile;

pub use clock::{Clock, HARD_CAP, Lag, Overrun, Spent, most_waiting};
pub use profile::{ColourLine, Grace, KNOWS_THE_LIVE_LINE, Profile, START_UP, TimeLimits};

use std::time::Duration;

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

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use std::time::Duration;

    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    struct Times {
        #[serde(with = "super::microseconds")]
        known: Duration,
        #[serde(with = "super::optional_microseconds")]
        other: Option<Duration>,
    }

    #[test]
    fn a_duration_is_written_and_read_as_whole_microseconds() {
        for (other, json) in [
            (
                Some(Duration::from_micros(7)),
                r#"{"known":1500000,"other":7}"#,
            ),
            (None, r#"{"known":1500000,"other":null}"#),
        ] {
            let known = Duration::from_millis(1500);
            let times = Times { known, other };
            assert_eq!(serde_json::to_string(&times).unwrap(), json);
            assert_eq!(serde_json::from_str::<Times>(json).unwrap(), times);
        }
    }
}
