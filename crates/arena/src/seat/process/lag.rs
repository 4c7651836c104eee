//! How well the referee itself watches a bot: it wakes by a tick of its own, and what it sleeps longer than that is
//! lag.
//!
//! A referee that was stopped, or has no core, finds an answer long after it came. How long it was away is known here;
//! what follows from it is the [clock's](crownhead_record::judge::Clock). While the thread of a game reads what its bot wrote, the bot
//! can hold it up; then only a thread that no bot can hold up, the pulse, shows whether the referee was away.

use crownhead_record::judge::Lag;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Interval at which a waiting referee wakes.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// The referee's attention in one turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct LagMeter {
    /// When it looked last.
    looked: Instant,
    /// What the pulse had missed by then.
    missed: Duration,
    /// When it meant to look again.
    pub(super) due: Instant,
    /// For how long it was not watching.
    pub(super) lag: Lag,
}

impl LagMeter {
    /// The referee looks at a bot from now on.
    pub(super) fn start(now: Instant) -> LagMeter {
        LagMeter {
            looked: now,
            missed: pulse::missed(),
            due: now + TICK,
            lag: Lag::default(),
        }
    }

    /// It has waited, and looks now: what it waited longer than it meant to is lag.
    pub(super) fn look(&mut self, now: Instant) {
        self.add(now.saturating_duration_since(self.due));
        self.looked = now;
        self.missed = pulse::missed();
        self.due = now + TICK;
    }

    /// It worked from its last look until now. If that took longer than a tick, the pulse shows how much is lag.
    /// Gives that.
    pub(super) fn work(&mut self, now: Instant) -> Duration {
        let took = now.saturating_duration_since(self.looked);
        if took <= TICK {
            return Duration::ZERO;
        }
        // By then the pulse has noted what it has missed.
        std::thread::sleep(2 * TICK);
        let missed = pulse::missed();
        let lag = missed.saturating_sub(self.missed).min(took);
        self.add(lag);
        self.looked = now;
        self.missed = missed;
        lag
    }

    fn add(&mut self, lag: Duration) {
        self.lag.sum += lag;
        self.lag.longest = self.lag.longest.max(lag);
    }
}

/// A thread that only wakes at every tick and notes how late it was.
mod pulse {
    use super::{AtomicU64, Duration, Instant, OnceLock, Ordering, TICK};

    static MISSED_US: AtomicU64 = AtomicU64::new(0);

    /// How much it was late in all, since the first bot was watched. What is less than a tick is left out.
    pub(super) fn missed() -> Duration {
        static BEATS: OnceLock<bool> = OnceLock::new();
        BEATS.get_or_init(|| {
            let thread = std::thread::Builder::new().name("pulse".into());
            thread.stack_size(1 << 16).spawn(beat).is_ok()
        });
        Duration::from_micros(MISSED_US.load(Ordering::Relaxed))
    }

    fn beat() {
        let mut last = Instant::now();
        loop {
            std::thread::sleep(TICK);
            let now = Instant::now();
            let late = now.duration_since(last).saturating_sub(TICK);
            if late >= TICK {
                let late = late.as_micros().try_into().unwrap_or(u64::MAX);
                MISSED_US.fetch_add(late, Ordering::Relaxed);
            }
            last = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_longer_than_was_meant_is_lag() {
        let start = Instant::now();
        let at = |time: u64| start + Duration::from_millis(time);
        let mut watch = LagMeter::start(start);
        watch.look(at(9));
        watch.due = at(20);
        watch.look(at(23));
        watch.look(at(33));
        watch.look(at(4043));
        let lag = Lag {
            sum: Duration::from_millis(4003),
            longest: Duration::from_millis(4000),
        };
        assert_eq!(watch.lag, lag);
    }

    #[test]
    fn a_bot_that_holds_the_referee_up_makes_no_lag() {
        let before = pulse::missed();
        let now = Instant::now();
        let mut watch = LagMeter::start(now);
        let lag = watch.work(now + Duration::from_millis(300));
        // A busy machine may have kept the pulse from its tick too, and nothing else counts.
        let missed = pulse::missed() - before;
        assert!(lag <= missed, "{lag:?} of {missed:?}");
    }
}
