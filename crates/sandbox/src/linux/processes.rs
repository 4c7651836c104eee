//! Finds, signals and reaps the descendants of a process, from `/proc` (proc(5)).

use super::files::{entries, read_text};
use super::sys;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, pidfd_open, pidfd_send_signal, wait};
use std::fs;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// The pids of all processes that descend from `ancestor` now. Empty if the kernel does not list children.
pub(crate) fn descendants(ancestor: u32) -> Vec<u32> {
    let mut found = children(ancestor);
    let mut seen = 0;
    while let Some(&parent) = found.get(seen) {
        found.extend(children(parent));
        seen += 1;
    }
    found
}

fn children(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for thread in entries(format!("/proc/{parent}/task")) {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let pids = children.split_whitespace();
        // 0 stands for a process that this PID namespace does not show.
        found.extend(pids.filter_map(|pid| pid.parse().ok().filter(|&pid: &u32| pid != 0)));
    }
    found
}

/// The fields of a process or thread that are used here, from its proc_pid_stat(5).
#[derive(Clone, Copy, Debug)]
pub(super) struct Stat {
    /// The letter of its state.
    pub(super) state: u8,
    pub(super) parent: u32,
    flags: u32,
    /// The processor time of waited-for children, in ticks.
    reaped: u64,
}

impl Stat {
    /// Of a process, by its pid.
    pub(super) fn of_process(process: u32) -> Option<Stat> {
        Stat::parse(&read_text(format!("/proc/{process}/stat")).ok()?)
    }

    /// From the file's text. The name is in brackets and may contain any character.
    pub(super) fn parse(text: &str) -> Option<Stat> {
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().take(15).collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        Some(Stat {
            state: *fields.first()?.as_bytes().first()?,
            parent: number(1)? as u32,
            flags: number(6)? as u32,
            // In user mode and in the kernel.
            reaped: number(13)? + number(14)?,
        })
    }

    /// Whether it has ended and only remains to be waited for.
    pub(super) fn has_ended(self) -> bool {
        matches!(self.state, b'Z' | b'X')
    }

    /// Whether the kernel is ending it: `PF_EXITING` in linux/sched.h.
    pub(super) fn is_ending(self) -> bool {
        self.flags & 4 != 0
    }
}

/// This process's pid in this `/proc`, which may belong to an outer namespace.
pub(super) fn own_pid() -> Option<u32> {
    let own = fs::read_link("/proc/self").ok()?;
    own.to_str()?.parse().ok()
}

/// A pid as `/proc` names it.
pub(super) fn number_of(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}

/// The pid, here, of the child of `parent` that is `inner` in its own PID namespace.
pub(super) fn child_with_inner_pid(parent: Pid, inner: u32) -> Option<u32> {
    let children = children(number_of(parent));
    if let [only] = children[..] {
        return Some(only);
    }
    let has_inner_pid = |pid: &u32| inner_number(&status_of(*pid, *pid), "NSpid:") == Some(inner);
    children.into_iter().find(has_inner_pid)
}

fn status_of(process: u32, thread: u32) -> String {
    read_text(format!("/proc/{process}/task/{thread}/status")).unwrap_or_default()
}

/// A thread's number in its own PID namespace, from its proc_pid_status(5).
fn inner_number(status: &str, name: &str) -> Option<u32> {
    let numbers = status.lines().find_map(|line| line.strip_prefix(name));
    numbers?.split_whitespace().last()?.parse().ok()
}

/// The folder of a process in `/proc`, or of one of its threads if the first thread has ended. Then the process's own
/// folder shows neither memory nor files, although its threads have them. All threads have the same ones, because the
/// filter of system calls allows no thread with open files of its own.
pub(super) fn live_folder(process: u32) -> PathBuf {
    let own = PathBuf::from(format!("/proc/{process}"));
    let has_memory = |folder: &PathBuf| {
        let status = read_text(folder.join("status"));
        status.is_ok_and(|status| status.contains("\nVmSize:"))
    };
    if has_memory(&own) {
        return own;
    }
    let mut threads = entries(own.join("task")).map(|thread| thread.path());
    threads.find(has_memory).unwrap_or(own)
}

/// Stops one thread, and with it its process, if it still exists. Only for a caller in the same PID namespace.
pub(super) fn stop_thread(process: u32, thread: u32) {
    let status = status_of(process, thread);
    let number = |name| Pid::from_raw(inner_number(&status, name)?.cast_signed());
    if let Some((process, thread)) = number("NStgid:").zip(number("NSpid:")) {
        let _ = sys::send_signal_to_thread(process, thread, Signal::STOP);
    }
}

/// Sends a signal to the descendants of this process that are meant.
///
/// A listed pid may belong to another process by the time that it is signalled, above all under a fork bomb. So each
/// signal goes through a pidfd, of a process that was seen to be the child of a living descendant.
pub(super) fn signal_descendants(signal: Signal, is_meant: impl Fn(u32) -> bool) {
    let mut found: Vec<(u32, Option<OwnedFd>)> = vec![(std::process::id(), None)];
    let mut seen = 0;
    while let Some(&(parent, _)) = found.get(seen) {
        for child in children(parent) {
            let pid = Pid::from_raw(child.cast_signed());
            let fd = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
            // As long as both live, neither number is another's.
            if Stat::of_process(child).is_some_and(|stat| stat.parent == parent)
                && is_alive(&found[seen].1)
                && is_alive(&fd)
            {
                found.push((child, fd));
            }
        }
        seen += 1;
    }
    let meant = found.iter().filter(|(pid, _)| is_meant(*pid));
    for fd in meant.filter_map(|(_, fd)| fd.as_ref()) {
        let _ = pidfd_send_signal(fd, signal);
    }
}

/// Whether the process of a pidfd has not ended; `None` stands for this process.
fn is_alive(pidfd: &Option<OwnedFd>) -> bool {
    let Some(fd) = pidfd else { return true };
    poll(
        &mut [PollFd::new(fd, PollFlags::IN)],
        Some(&Timespec::default()),
    ) == Ok(0)
}

/// The processor time of the ended children that these processes have waited for, in ticks of some milliseconds.
pub(crate) fn reaped_time(processes: &[u32]) -> Duration {
    let all = processes.iter().filter_map(|&pid| Stat::of_process(pid));
    let ticks: u64 = all.map(|stat| stat.reaped).sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second().max(1))
}

/// How much memory a process has in use, in bytes: its resident size (proc_pid_statm(5)).
pub fn resident_memory(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The most bytes that the kernel keeps for one socket: data that was sent and not read yet. A pipe holds less.
///
/// That is the socket's buffer and a last packet, which is smaller. The filter of system calls keeps buffers at their
/// initial size, `net.core.wmem_default` (socket(7)). It is read once, before this process enters a network namespace,
/// because older kernels do not show it there.
pub(super) fn most_held_by_socket() -> u64 {
    static MOST: OnceLock<u64> = OnceLock::new();
    *MOST.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        2 * text.trim().parse().unwrap_or(USUAL_BUFFER)
    })
}

/// The kernel's own `net.core.wmem_default`.
const USUAL_BUFFER: u64 = 212_992;

/// Kills and reaps until no child is left: every orphan of a child becomes a child of this subreaper as well.
///
/// This outruns a fork bomb, because the number of its processes is limited and a killed process no longer forks.
pub(super) fn kill_all_children() {
    loop {
        // Reap what is dead; wait for the first that is not.
        while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
        signal_descendants(Signal::KILL, |_| true);
        match wait(WaitOptions::empty()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn only_descendants_that_are_meant_are_signalled() {
        let spawn = || Command::new("sleep").arg("60").spawn().unwrap();
        let [mut meant, mut spared] = [spawn(), spawn()];
        signal_descendants(Signal::KILL, |pid| pid == meant.id());
        assert!(!meant.wait().unwrap().success());
        assert!(spared.try_wait().unwrap().is_none());
        let fd = pidfd_open(Pid::from_child(&spared), PidfdFlags::empty()).ok();
        assert!(is_alive(&fd));
        spared.kill().unwrap();
        spared.wait().unwrap();
        assert!(!is_alive(&fd), "its number may be another's");
    }
}
