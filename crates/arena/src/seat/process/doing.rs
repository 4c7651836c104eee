//! What a bot is doing now: what all its threads do, taken together; and when it is ready for its first turn.

use super::pipes::Waited;
use super::running::RunningBot;
use crate::diagnosis::Doing;
use crownhead_record::judge::START_UP;
use std::time::{Duration, Instant};

/// Intervals at which a bot that starts is looked at: the first one, and the longest.
const FIRST_STEP: Duration = Duration::from_micros(200);
const LONGEST_STEP: Duration = Duration::from_millis(4);

/// A bot that starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartUp {
    began: Instant,
    step: Duration,
}

impl StartUp {
    pub(super) fn new() -> StartUp {
        StartUp {
            began: Instant::now(),
            step: FIRST_STEP,
        }
    }

    /// Whether the bot needs no more waiting for, after a step if it does: how long it took to wait for its input, or
    /// `Some(None)` where that is not known, for it never did, or the system does not show it.
    pub(super) fn is_over(&mut self, bot: &mut RunningBot) -> Option<Option<Duration>> {
        let is_ready = bot.reads_input();
        let took = self.began.elapsed();
        match is_ready {
            Some(true) => return Some(Some(took)),
            None => return Some(None),
            Some(false) => {}
        }
        // It speaks before it is asked, or has ended: that is for its first turn to find.
        let has_spoken = bot.pipes.pending() > 0 || bot.pipes.output_ended();
        if has_spoken || bot.backend.ended().is_some() || took >= START_UP {
            return Some(None);
        }
        match bot.wait(Instant::now() + self.step) {
            Ok(Waited::Something | Waited::TimeUp) => {}
            Err(_) => return Some(None),
        }
        self.step = (self.step * 2).min(LONGEST_STEP);
        None
    }
}

impl RunningBot {
    /// What it is doing.
    pub(super) fn doing(&self) -> Doing {
        self.activities()
            .map_or(Doing::Unknown, |activities| activities.taken_together())
    }

    /// Whether a thread of it waits for its input, whatever the others do; `None` where the system does not show it.
    fn reads_input(&self) -> Option<bool> {
        Some(self.activities()?.reads_input())
    }
}

/// Systems other than Linux show nothing.
#[cfg(not(target_os = "linux"))]
enum Activities {}

#[cfg(not(target_os = "linux"))]
impl RunningBot {
    fn activities(&self) -> Option<Activities> {
        None
    }
}

#[cfg(not(target_os = "linux"))]
impl Activities {
    fn reads_input(&self) -> bool {
        match *self {}
    }

    fn taken_together(&self) -> Doing {
        match *self {}
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::super::running::RunningBot;
    use crate::diagnosis::Doing;
    use crownhead_sandbox::{Activity, Thread};

    /// What the threads of a bot do that have not ended.
    pub(super) struct Activities(Vec<Activity>);

    impl RunningBot {
        pub(super) fn activities(&self) -> Option<Activities> {
            let input = self.pipes.input_name()?;
            let threads = Thread::all_of(&self.backend.processes());
            let activities = threads.iter().map(|thread| thread.activity(&input));
            let alive: Vec<Activity> = activities
                .filter(|activity| *activity != Activity::Ended)
                .collect();
            let is_hidden = alive.is_empty() || alive.contains(&Activity::Unknown);
            (!is_hidden).then_some(Activities(alive))
        }
    }

    impl Activities {
        pub(super) fn reads_input(&self) -> bool {
            self.0.contains(&Activity::ReadsInput)
        }

        pub(super) fn taken_together(&self) -> Doing {
            if self.0.contains(&Activity::Runnable) {
                Doing::Computes
            } else if self.reads_input() {
                // Those that wait for a child do nothing else until it has ended.
                let for_good = !self.0.contains(&Activity::Blocked);
                Doing::AwaitsInput { for_good }
            } else {
                Doing::Sleeps
            }
        }
    }
}
