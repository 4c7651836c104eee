//! The time as a store reads it: handed in, so that a test can move it.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// What a store asks for the time.
pub trait Clock: Debug + Send {
    /// The time since some moment, which only this process knows and nobody moves.
    fn elapsed(&self) -> Duration;
}

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock(Instant::now())
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
