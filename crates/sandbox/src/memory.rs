//! How much memory a program uses: counted by a control group, or checked at intervals.

use super::cgroup::parse_oom_kills;
use super::message::{Cause, SpawnRequest};
use super::supervisor::Setup;
use super::{sys, tree, usage};
use rustix::process::{Signal, WaitStatus};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Monitors the memory of one program.
pub(super) struct MemoryMonitor {
    limit: u64,
    /// Where the kernel counts kills, opened before this process was confined.
    oom_kills: Option<File>,
    confined: bool,
    exceeded: bool,
}

impl MemoryMonitor {
    pub(super) fn new(request: &SpawnRequest, setup: &Setup) -> MemoryMonitor {
        MemoryMonitor {
            limit: request.limits.memory,
            oom_kills: setup
                .oom_kills
                .as_ref()
                .and_then(|path| File::open(path).ok()),
            confined: request.confined,
            exceeded: false,
        }
    }

    /// Whether there is a limit that no control group enforces.
    pub(super) fn needs_checking(&self) -> bool {
        self.confined && self.oom_kills.is_none()
    }

    /// Whether the program's processes have used too much together. With `own_processes` this process is init of
    /// a PID namespace and inherits orphans; otherwise its parent, the supervisor, does.
    pub(super) fn check(&mut self, own_processes: bool) -> bool {
        if !self.needs_checking() {
            return false;
        }
        let ancestor = if own_processes {
            // The pid that this `/proc` has for it, which may be that of an outer namespace.
            let own = std::fs::read_link("/proc/self").ok();
            own.and_then(|link| link.to_str()?.parse().ok())
        } else {
            Some(std::os::unix::process::parent_id())
        };
        let processes = ancestor.map(tree::pids_of_descendants).unwrap_or_default();
        self.exceeded |= usage::memory_of(&processes) > self.limit;
        self.exceeded
    }

    /// What is known of the cause when the program has ended so.
    pub(super) fn cause_of(&self, status: WaitStatus) -> Cause {
        let killed = status.terminating_signal() == Some(Signal::KILL.as_raw());
        let succeeded = status.exit_status() == Some(0);
        if self.exceeded || killed && self.count_oom_kills() > 0 {
            Cause::MemoryLimit
        } else if !succeeded && self.confined && sys::peak_memory_of_children() > self.limit / 5 * 4
        {
            Cause::NearMemoryLimit
        } else {
            Cause::Own
        }
    }

    fn count_oom_kills(&self) -> u64 {
        let Some(file) = &self.oom_kills else {
            return 0;
        };
        let mut text = [0; 512];
        let count = file.read_at(&mut text, 0).unwrap_or(0);
        parse_oom_kills(&String::from_utf8_lossy(&text[..count]))
    }
}
