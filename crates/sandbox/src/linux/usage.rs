//! How much a program uses of its limits. A control group counts memory. Without one, the memory that all processes have
//! in use is summed at intervals from `/proc` (proc(5)); what the kernel keeps for them, such as the contents of pipes
//! and sockets, is not seen. So is the size of the private folder, if that is on disk.

use super::cgroup::OomKills;
use super::files;
use super::message::Cause;
use super::processes::{descendants, live_folder, own_pid};
use super::setup::Setup;
use super::sys;
use crate::config::Sandbox;
use rustix::process::{Signal, WaitStatus};
use std::fs;
use std::path::PathBuf;

/// Monitors what one program uses, and enforces its limits.
pub(super) struct UsageMonitor {
    /// Limits of a confined program.
    memory_limit: Option<u64>,
    /// The kernel's count of kills, opened before this process was confined.
    oom_kills: Option<OomKills>,
    memory_exceeded: bool,
    /// A folder whose size only this process limits, and the limit.
    folder: Option<(PathBuf, u64)>,
    folder_exceeded: bool,
    /// Whether this PID namespace has only the program's processes. Then this process is its init and inherits orphans.
    /// Otherwise its parent, the supervisor, inherits them.
    pub(super) own_processes: bool,
}

impl UsageMonitor {
    pub(super) fn new(sandbox: &Sandbox, setup: &Setup) -> UsageMonitor {
        let oom_kills = setup.cgroups.oom_kills.as_ref();
        let folder = setup.folder.clone();
        UsageMonitor {
            memory_limit: sandbox.confines().then_some(sandbox.limits.memory),
            oom_kills: oom_kills.and_then(|kills| kills.try_clone().ok()),
            memory_exceeded: false,
            folder: folder.map(|folder| (folder, sandbox.limits.folder)),
            folder_exceeded: false,
            own_processes: setup.namespaces.is_some(),
        }
    }

    /// Whether the kernel leaves a limit unenforced.
    pub(super) fn needs_checking(&self) -> bool {
        self.unenforced_memory_limit().is_some() || self.folder.is_some()
    }

    fn unenforced_memory_limit(&self) -> Option<u64> {
        self.memory_limit.filter(|_| self.oom_kills.is_none())
    }

    /// Whether the program's processes have used too much together.
    pub(super) fn check(&mut self) -> bool {
        let ancestor = if self.own_processes {
            own_pid()
        } else {
            Some(std::os::unix::process::parent_id())
        };
        let processes = ancestor.map(descendants).unwrap_or_default();
        let memory_limit = self.unenforced_memory_limit();
        self.memory_exceeded |= memory_limit.is_some_and(|limit| memory_of(&processes) > limit);
        self.folder_exceeded |= self.folder.as_ref().is_some_and(|(folder, limit)| {
            files::size_of(folder) + files::size_of_unlinked(&processes, folder) > *limit
        });
        self.memory_exceeded || self.folder_exceeded
    }

    /// What is known about the cause of this end.
    pub(super) fn cause_of(&self, status: WaitStatus) -> Cause {
        let killed = status.terminating_signal() == Some(Signal::KILL.as_raw());
        let succeeded = status.exit_status() == Some(0);
        let is_near = |limit: u64| sys::peak_memory_of_children() > limit / 5 * 4;
        if self.folder_exceeded {
            Cause::FolderLimit
        } else if self.memory_exceeded || killed && self.is_out_of_memory() {
            Cause::MemoryLimit
        } else if !succeeded && self.memory_limit.is_some_and(is_near) {
            Cause::NearMemoryLimit
        } else {
            Cause::Own
        }
    }

    fn is_out_of_memory(&self) -> bool {
        self.oom_kills.as_ref().is_some_and(OomKills::happened)
    }
}

/// Bytes of memory that these processes have in use together. Files do not count, because the kernel can drop them from
/// memory.
fn memory_of(processes: &[u32]) -> u64 {
    let own = processes.iter().map(|pid| {
        let status = fs::read_to_string(live_folder(*pid).join("status")).unwrap_or_default();
        ["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"]
            .map(|name| parse_kilobytes(&status, name) << 10)
    });
    own.flatten().sum()
}

/// The number in the line with this name, if there is one.
fn parse_kilobytes(status: &str, name: &str) -> u64 {
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    let number = value.and_then(|value| value.trim().strip_suffix(" kB"));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_what_it_has_touched() {
        let own = std::process::id();
        let before = memory_of(&[own]);
        let block = vec![1u8; 32 << 20];
        let used = memory_of(&[own]).saturating_sub(before);
        // Other tests in this process allocate and free a little.
        assert!(used > (30 << 20) && used < (64 << 20), "{used}");
        drop(std::hint::black_box(block));
    }
}
