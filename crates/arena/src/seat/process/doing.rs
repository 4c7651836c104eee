//! What a bot is doing now: what all its threads do, taken together.

use super::running::RunningBot;
use crate::diagnosis::Doing;

/// What those threads of a bot do that have not ended.
struct Activities {
    /// One runs or is ready to.
    computes: bool,
    /// One waits for the bot's input.
    reads_input: bool,
    /// One waits for something else; those that wait for a child do nothing else until it has ended.
    is_blocked: bool,
}

impl RunningBot {
    /// What it is doing.
    pub(super) fn doing(&self) -> Doing {
        match self.activities() {
            None => Doing::Unknown,
            Some(all) if all.computes => Doing::Computes,
            Some(all) if all.reads_input => Doing::AwaitsInput {
                for_good: !all.is_blocked,
            },
            Some(_) => Doing::Sleeps,
        }
    }

    /// Whether a thread of it waits for its input, whatever the others do; `None` where the system does not show it.
    pub(super) fn reads_input(&self) -> Option<bool> {
        Some(self.activities()?.reads_input)
    }

    /// `None` where the system does not show them.
    #[cfg(target_os = "linux")]
    fn activities(&self) -> Option<Activities> {
        use crownhead_sandbox::{Activity, Thread};
        let input = self.pipes.input_name()?;
        let threads = Thread::all_of(&self.backend.processes());
        let mut all: Vec<Activity> = threads.iter().map(|one| one.activity(&input)).collect();
        all.retain(|activity| *activity != Activity::Ended);
        let is_hidden = all.is_empty() || all.contains(&Activity::Unknown);
        (!is_hidden).then(|| Activities {
            computes: all.contains(&Activity::Runnable),
            reads_input: all.contains(&Activity::ReadsInput),
            is_blocked: all.contains(&Activity::Blocked),
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn activities(&self) -> Option<Activities> {
        None
    }
}
