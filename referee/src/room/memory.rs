//! What is known of a bot's memory: counted by a control group, or looked at now and then.

use super::cgroup::kills;
use super::message::{Cause, Facts, Order};
use super::tree;
use crate::table::ExitKind;
use nix::sys::resource::{UsageWho, getrusage};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The memory of one bot.
pub(super) struct Memory {
    limit: u64,
    /// The count of kills, opened before the door was locked.
    kills: Option<File>,
    unlimited: bool,
    exceeded: bool,
}

impl Memory {
    pub(super) fn watch(order: &Order, facts: &Facts) -> Memory {
        Memory {
            limit: order.limits.memory,
            kills: facts.kills.as_ref().and_then(|path| File::open(path).ok()),
            unlimited: !order.confined,
            exceeded: false,
        }
    }

    /// Whether nobody else limits what it uses.
    pub(super) fn needs_watching(&self) -> bool {
        self.kills.is_none() && !self.unlimited
    }

    /// Looks whether the bot's processes use too much together. `alone` when the warden is the first process
    /// of a namespace, to which orphans fall; otherwise they fall to the keeper, its parent.
    pub(super) fn is_over(&mut self, alone: bool) -> bool {
        if !self.needs_watching() {
            return false;
        }
        let ancestor = if alone {
            // The number that this `/proc` knows it by.
            let own = std::fs::read_link("/proc/self").ok();
            own.and_then(|link| link.to_str()?.parse().ok())
        } else {
            Some(std::os::unix::process::parent_id())
        };
        let processes = ancestor.map(tree::descendants).unwrap_or_default();
        self.exceeded |= tree::resident(&processes) > self.limit;
        self.exceeded
    }

    /// What is known of the cause when the bot has ended so.
    pub(super) fn cause_of(&self, ended: ExitKind) -> Cause {
        let killed = || ended == ExitKind::Signal(9) && self.kill_count() > 0;
        if self.exceeded || killed() {
            Cause::TooMuchMemory
        } else if ended != ExitKind::Code(0) && !self.unlimited && self.peak() > self.limit / 5 * 4
        {
            Cause::ShortOfMemory
        } else {
            Cause::Own
        }
    }

    fn kill_count(&self) -> u64 {
        let Some(file) = &self.kills else { return 0 };
        let mut text = [0; 512];
        let count = file.read_at(&mut text, 0).unwrap_or(0);
        kills(&String::from_utf8_lossy(&text[..count]))
    }

    /// The most memory that any one process which has ended had at once.
    fn peak(&self) -> u64 {
        getrusage(UsageWho::RUSAGE_CHILDREN)
            .map_or(0, |usage| u64::try_from(usage.max_rss()).unwrap_or(0) << 10)
    }
}
