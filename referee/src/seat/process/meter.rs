//! Measures where a bot's time goes: processor time, and waiting for a core.

use crate::judge::Spent;
use std::time::Duration;

/// Reads the clocks of one process.
#[derive(Debug)]
pub(super) struct Meter {
    #[cfg(target_os = "linux")]
    linux: Option<linux::Clocks>,
}

/// A moment on all of a process's clocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    work: Option<Duration>,
    ran: Option<Duration>,
    waited: Option<Duration>,
    /// Of all the bot's processes; the seat reads it where that is cheap.
    pub(super) whole: Option<Duration>,
}

impl Reading {
    /// The processor time since the process was started.
    pub(super) fn work(&self) -> Option<Duration> {
        self.work
    }

    /// What was spent from an earlier moment to this one, of which this much on the wall.
    pub(super) fn since(&self, earlier: &Reading, wall: Duration) -> Spent {
        let between = |now: Option<Duration>, then: Option<Duration>| {
            now.zip(then).map(|(now, then)| now.saturating_sub(then))
        };
        Spent {
            wall,
            work: between(self.work, earlier.work),
            ran: between(self.ran, earlier.ran),
            waited: between(self.waited, earlier.waited),
            whole: between(self.whole, earlier.whole),
            stolen: None,
        }
    }
}

#[cfg(target_os = "linux")]
impl Meter {
    /// A meter of the process with this pid, if that is known.
    pub(super) fn of(pid: Option<u32>) -> Meter {
        Meter {
            linux: pid.and_then(linux::Clocks::of),
        }
    }

    /// The clocks now. Waiting that has not ended is not in it: the kernel counts it when it ends.
    pub(super) fn read(&self) -> Reading {
        self.linux
            .as_ref()
            .map(linux::Clocks::read)
            .unwrap_or_default()
    }

    /// Whether the main thread is runnable and has not run since `earlier`.
    pub(super) fn waits_in_queue(&self, earlier: &Reading) -> bool {
        let Some(clocks) = &self.linux else {
            return false;
        };
        clocks.is_runnable() && self.read().work == earlier.work
    }
}

#[cfg(not(target_os = "linux"))]
impl Meter {
    pub(super) fn of(_pid: Option<u32>) -> Meter {
        Meter {}
    }

    pub(super) fn read(&self) -> Reading {
        Reading::default()
    }

    pub(super) fn waits_in_queue(&self, _earlier: &Reading) -> bool {
        false
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::Reading;
    use crownhead_sandbox::ProcessClock;
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::time::Duration;

    /// Where Linux shows the times of a process.
    #[derive(Debug)]
    pub(super) struct Clocks {
        work: ProcessClock,
        /// The main thread's: time it ran, time it waited in the run queue, how often it ran.
        schedule: File,
        state: File,
    }

    impl Clocks {
        pub(super) fn of(pid: u32) -> Option<Clocks> {
            Some(Clocks {
                work: ProcessClock::of(pid).ok()?,
                schedule: File::open(format!("/proc/{pid}/schedstat")).ok()?,
                state: File::open(format!("/proc/{pid}/stat")).ok()?,
            })
        }

        pub(super) fn read(&self) -> Reading {
            let (ran, waited) = self.schedule().unzip();
            Reading {
                work: self.work.now().ok(),
                ran,
                waited,
                whole: None,
            }
        }

        /// For how long the main thread ran, and waited to.
        fn schedule(&self) -> Option<(Duration, Duration)> {
            let mut text = [0; 96];
            let count = self.schedule.read_at(&mut text, 0).ok()?;
            let mut words = str::from_utf8(&text[..count]).ok()?.split_whitespace();
            let mut next = || words.next()?.parse().ok().map(Duration::from_nanos);
            Some((next()?, next()?))
        }

        /// Running, or waiting to.
        pub(super) fn is_runnable(&self) -> bool {
            let mut text = [0; 96];
            let count = self.state.read_at(&mut text, 0).unwrap_or(0);
            // The name of the program stands in brackets and may hold any character.
            let after_name = text[..count].rsplit(|&byte| byte == b')').next();
            after_name.is_some_and(|rest| rest.starts_with(b" R"))
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Meter;
    use std::time::{Duration, Instant};

    #[test]
    fn work_is_counted_and_sleep_is_not() {
        let meter = Meter::of(Some(std::process::id()));
        let before = meter.read();
        let started = Instant::now();
        let mut spun = 0u64;
        while meter.read().since(&before, started.elapsed()).work < Some(Duration::from_millis(20))
        {
            spun = std::hint::black_box(spun + 1);
        }
        let spent = meter.read().since(&before, started.elapsed());
        assert!(spent.work.unwrap() >= Duration::from_millis(20));
        assert!(spent.waited.is_some());
    }
}
