//! How well the referee itself watches a bot: it wakes by a tick of its own, and what it sleeps longer than that is
//! lag.
//!
//! A referee that was stopped, or has no core, finds an answer long after it came. How long it was away is known here;
//! what follows from it is the [clock's](crate::judge::Clock).

use crate::judge::Lag;
use std::time::{Duration, Instant};

/// Interval at which a waiting referee wakes.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// The referee's attention in one turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// When it will have looked again, if nothing keeps it from that.
    due: Instant,
    lag: Lag,
}

impl Watch {
    /// The referee looks at a bot from now on.
    pub(super) fn start(now: Instant) -> Watch {
        Watch {
            due: now + TICK,
            lag: Lag::default(),
        }
    }

    /// The referee looks, and means to look again when it is `due`, or a tick from now.
    pub(super) fn look(&mut self, now: Instant, due: Option<Instant>) {
        let late = now.saturating_duration_since(self.due);
        self.lag.sum += late;
        self.lag.longest = self.lag.longest.max(late);
        self.due = due.unwrap_or(now + TICK);
    }

    pub(super) fn lag(&self) -> Lag {
        self.lag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_longer_than_was_meant_is_lag() {
        let start = Instant::now();
        let at = |time: u64| start + Duration::from_millis(time);
        let mut watch = Watch::start(start);
        watch.look(at(9), None);
        watch.look(at(19), Some(at(20)));
        assert_eq!(watch.lag(), Lag::default());
        watch.look(at(23), None);
        watch.look(at(4033), None);
        let lag = Lag {
            sum: Duration::from_millis(4003),
            longest: Duration::from_millis(4000),
        };
        assert_eq!(watch.lag(), lag);
    }
}
