//! What a bot is doing now: what all its threads do, taken together.

use super::backend::ProcessBackend;
use super::pipes::Pipes;
use crate::diagnosis::Doing;
#[cfg(target_os = "linux")]
use crownhead_sandbox::{Activity, Thread};

/// What the threads of a bot do that have not ended.
pub(super) struct Activities {
    #[cfg(target_os = "linux")]
    of_threads: Vec<Activity>,
}

#[cfg(target_os = "linux")]
impl Activities {
    /// `None` where the system does not show them.
    pub(super) fn of(backend: &ProcessBackend, pipes: &Pipes) -> Option<Activities> {
        let input = pipes.input_name()?;
        let threads = Thread::all_of(&backend.processes());
        let activities = threads.iter().map(|thread| thread.activity(&input));
        let of_threads: Vec<Activity> = activities
            .filter(|activity| *activity != Activity::Ended)
            .collect();
        let is_hidden = of_threads.is_empty() || of_threads.contains(&Activity::Unknown);
        (!is_hidden).then_some(Activities { of_threads })
    }

    /// Whether a thread waits for the bot's input, whatever the others do.
    pub(super) fn reads_input(&self) -> bool {
        self.of_threads.contains(&Activity::ReadsInput)
    }

    /// What the bot does.
    pub(super) fn taken_together(&self) -> Doing {
        if self.of_threads.contains(&Activity::Runnable) {
            Doing::Computes
        } else if self.reads_input() {
            // Those that wait for a child do nothing else until it has ended.
            let for_good = !self.of_threads.contains(&Activity::Blocked);
            Doing::AwaitsInput { for_good }
        } else {
            Doing::Sleeps
        }
    }
}

/// Systems other than Linux show nothing.
#[cfg(not(target_os = "linux"))]
impl Activities {
    pub(super) fn of(_backend: &ProcessBackend, _pipes: &Pipes) -> Option<Activities> {
        None
    }

    pub(super) fn reads_input(&self) -> bool {
        false
    }

    pub(super) fn taken_together(&self) -> Doing {
        Doing::Unknown
    }
}
