//! What a bot is doing now: what all its threads do, taken together; and when it is ready for its first turn.

use super::pipes::Waited;
use super::running::RunningBot;
use crate::diagnosis::Doing;
use crate::judge::START_UP;
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
        let doing = bot.doing();
        let took = self.began.elapsed();
        match doing {
            Doing::AwaitsInput { .. } => return Some(Some(took)),
            Doing::Unknown => return Some(None),
            Doing::Computes | Doing::Sleeps => {}
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
    #[cfg(target_os = "linux")]
    pub(super) fn doing(&self) -> Doing {
        use crownhead_sandbox::{Activity, Thread};
        let Some(input) = self.pipes.input_name() else {
            return Doing::Unknown;
        };
        let threads = Thread::all_of(&self.backend.processes());
        let activities = threads.iter().map(|thread| thread.activity(&input));
        let alive: Vec<Activity> = activities
            .filter(|activity| *activity != Activity::Ended)
            .collect();
        let does = |wanted| alive.contains(&wanted);
        // Those that wait for a child do nothing else until it has ended.
        let others = alive.iter().filter(|&&one| one == Activity::Blocked);
        if does(Activity::Runnable) {
            Doing::Computes
        } else if does(Activity::Unknown) || alive.is_empty() {
            Doing::Unknown
        } else if does(Activity::ReadsInput) {
            let for_good = others.count() == 0;
            Doing::AwaitsInput { for_good }
        } else {
            Doing::Sleeps
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn doing(&self) -> Doing {
        Doing::Unknown
    }
}
