//! When a bot is ready for its first turn.

use super::pipes::Waited;
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
