//! When a bot is ready for its first turn.

use super::running::RunningBot;
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
    /// How long it took until the bot waited for its input; unknown of one that never did, or where the system does not
    /// show it.
    pub(super) took: Option<Duration>,
}

impl StartUp {
    pub(super) fn new() -> StartUp {
        StartUp {
            began: Instant::now(),
            step: FIRST_STEP,
            took: None,
        }
    }

    /// Whether the bot needs more waiting for, after a step if it does.
    pub(super) fn goes_on(&mut self, bot: &mut RunningBot) -> bool {
        let is_ready = bot.reads_input();
        let took = self.began.elapsed();
        self.took = is_ready.unwrap_or_default().then_some(took);
        if is_ready != Some(false) {
            return false;
        }
        // It speaks before it is asked, or has ended: that is for its first turn to find.
        let has_spoken = !bot.pipes.lines.bytes.is_empty() || bot.pipes.output_ended();
        if has_spoken || bot.backend.ended().is_some() || took >= START_UP {
            return false;
        }
        let waited = bot.wait(Instant::now() + self.step);
        self.step = (self.step * 2).min(LONGEST_STEP);
        waited.is_ok()
    }
}
