//! How much a program uses of its limits. A control group counts memory. Without one, the memory of all processes is
//! looked up at intervals in `/proc` (proc(5)). So is the size of the private folder, if that is on disk.
//!
//! Memory outside the processes' tables counts as well: shared memory with its size, once for all who share it, and
//! each open file with the most that a socket holds. Nameless files (memfd_create(2)) and files in flight in messages
//! cannot be found like that, so the seccomp filter refuses both. It also refuses calls that leave pages of memory or
//! files in a pipe. Files on disk do not count, because the kernel can drop them from memory.

use super::cgroup::OomKills;
use super::files;
use super::message::Cause;
use super::processes::{descendants, live_folder, own_pid};
use super::setup::Setup;
use super::{sockets, sys};
use crate::config::Sandbox;
use rustix::process::{Signal, WaitStatus};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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

/// Bytes of memory that these processes use together.
fn memory_of(processes: &[u32]) -> u64 {
    let mut shared = BTreeMap::new();
    let own = processes.iter().map(|pid| {
        let folder = live_folder(*pid);
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let kilobytes = |name| parse_kilobytes(&status, name) << 10;
        let private = ["RssAnon:", "VmSwap:", "VmPTE:"].map(kilobytes);
        let mapped = match fs::read_to_string(folder.join("maps")) {
            Ok(maps) => {
                note_shared(&maps, &mut shared);
                0
            }
            // It has hidden them (PR_SET_DUMPABLE in prctl(2)), so all of its memory may be in use.
            Err(_) => kilobytes("VmSize:"),
        };
        private.iter().sum::<u64>() + mapped + sockets::most_held() * open_files(&folder, &status)
    });
    own.sum::<u64>() + shared.values().sum::<u64>()
}

fn open_files(folder: &Path, status: &str) -> u64 {
    let path = folder.join("fd");
    match fs::metadata(&path).map_or(0, |data| data.len()) {
        // Before Linux 6.2, the size of this folder is not the number of files.
        0 => match fs::read_dir(path) {
            Ok(files) => files.count() as u64,
            // It has hidden them, so count as many as it may have.
            Err(_) => field(status, "FDSize:").parse().unwrap_or(0),
        },
        files => files,
    }
}

fn parse_kilobytes(status: &str, name: &str) -> u64 {
    let number = field(status, name).strip_suffix(" kB");
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The value of the line with this name, if there is one.
fn field<'a>(status: &'a str, name: &str) -> &'a str {
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    value.unwrap_or_default().trim()
}

/// Adds the sizes of the anonymous shared memory that this process maps, by its number.
fn note_shared(maps: &str, shared: &mut BTreeMap<String, u64>) {
    for line in maps.lines() {
        // 7f2a5c000000-7f2a5e000000 rw-s 00000000 00:01 2049    /dev/zero (deleted)
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [range, rights, offset, device, number, name, ..] = words[..] else {
            continue;
        };
        let is_memory = ["/dev/zero", "/memfd:", "/SYSV"]
            .iter()
            .any(|kind| name.starts_with(kind));
        if !rights.ends_with('s') || !is_memory {
            continue;
        }
        let number = format!("{device} {number}");
        let hexadecimal = |word| u64::from_str_radix(word, 16).unwrap_or(0);
        let (start, end) = range.split_once('-').unwrap_or((range, range));
        let end = hexadecimal(offset) + hexadecimal(end).saturating_sub(hexadecimal(start));
        let size = shared.entry(number).or_default();
        *size = end.max(*size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    const MAPS: &str = "\
55e0c0000000-55e0c0100000 r-xp 00000000 fe:00 1311    /usr/bin/bot
7f2a5c000000-7f2a5c100000 rw-s 00000000 00:01 2049    /dev/zero (deleted)
7f2a5c100000-7f2a5c200000 rw-s 00100000 00:01 2049    /dev/zero (deleted)
7f2a5d000000-7f2a5d400000 rw-s 00000000 00:01 7       /memfd:eaten (deleted)
7f2a5e000000-7f2a5e100000 rw-s 00000000 fe:00 99      /home/ann/book.bin
7f2a5f000000-7f2a5f800000 rw-p 00000000 00:00 0
";

    #[test]
    fn shared_memory_counts_once_with_its_size_and_files_do_not() {
        let mut shared = BTreeMap::new();
        note_shared(MAPS, &mut shared);
        note_shared(MAPS, &mut shared);
        let sizes: Vec<u64> = shared.values().copied().collect();
        assert_eq!(sizes, [2 << 20, 4 << 20]);
    }

    #[test]
    fn a_process_uses_what_it_has_touched_and_what_its_files_may_hold() {
        let own = std::process::id();
        let before = memory_of(&[own]);
        let block = vec![1u8; 32 << 20];
        let files: Vec<File> = (0..100).map(|_| File::open("/dev/null").unwrap()).collect();
        let used = memory_of(&[own]).saturating_sub(before);
        // Other tests in this process allocate and free a little.
        assert!(used > (30 << 20) + 90 * sockets::most_held(), "{used}");
        assert!(used < (64 << 20) + 200 * sockets::most_held(), "{used}");
        drop((std::hint::black_box(block), files));
    }
}
