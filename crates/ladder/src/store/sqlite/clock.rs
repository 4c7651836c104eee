//! The time as a store reads it: handed in, so that a test can move it.

use std::fmt::Debug;
use std::time::{Duration, Instant, SystemTime};

/// What a store asks for the time.
pub trait Clock: Debug + Send {
    /// What the calendar says, in milliseconds since 1970. People move it: it is written down and never compared.
    fn calendar_ms(&self) -> u64;

    /// The time since some moment, which only this process knows and nobody moves.
    fn elapsed(&self) -> Duration;
}

/// The machine's clocks.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock(Instant::now())
    }
}

impl Clock for SystemClock {
    fn calendar_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| since.as_millis() as u64)
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
