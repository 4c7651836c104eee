//! Stopping all processes of a program by signals (signal(7)), if no control group freezes them.
//!
//! A stopped process stays stopped until it gets `SIGCONT`. The filter of system calls keeps the program from sending
//! it. The kernel itself sends it to the stopped processes of a group that becomes an orphan because a process ends,
//! which may have been ending already. So all processes are checked until they are stopped, and [again](AGAIN) while
//! they should be.
//!
//! One thread of a process, chosen by the kernel, takes a signal, and only then stops the others. A thread that waits
//! in the kernel for a child of vfork(2) takes no signal as long as that child runs, while the other threads keep
//! running. So every thread is checked, and a thread that is not stopped gets a signal of its own.

use super::files::read_text;
use super::processes::{Stat, descendants, stop_thread};
use rustix::process::Signal;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

/// Interval at which paused processes are stopped again.
pub(super) const AGAIN: Duration = Duration::from_millis(50);

/// How long to wait for processes that do not stop.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many times to check them with only a moment in between, which is enough if they have the same core; then the
/// first and the longest of the intervals that follow.
const MOMENTS: usize = 4;
const FIRST_STEP: Duration = Duration::from_micros(50);
const LONGEST_STEP: Duration = Duration::from_millis(4);

/// Stops all descendants of `ancestor` except the `spared` ones. `stop` sends the signal to those that still run.
pub(super) fn stop_all(ancestor: u32, spared: &[u32], stop: impl Fn(&[u32])) {
    stop_within(PATIENCE, ancestor, spared, stop);
}

/// The same, with a limit on how long to wait for those.
fn stop_within(patience: Duration, ancestor: u32, spared: &[u32], stop: impl Fn(&[u32])) {
    let deadline = Instant::now() + patience;
    let mut step = FIRST_STEP;
    for round in 0.. {
        let mut processes = descendants(ancestor);
        processes.retain(|pid| !spared.contains(pid));
        let threads = processes
            .iter()
            .map(|&pid| (pid, restless_threads(pid)))
            .filter(|(_, threads)| !threads.is_empty());
        let restless: Vec<(u32, Vec<u32>)> = threads.collect();
        if restless.is_empty() || Instant::now() >= deadline {
            return;
        }
        stop(&restless.iter().map(|(pid, _)| *pid).collect::<Vec<_>>());
        // The first signal stops all threads of most processes.
        for (process, threads) in restless.iter().filter(|_| round > 0) {
            threads
                .iter()
                .for_each(|&thread| stop_thread(*process, thread));
        }
        if round < MOMENTS {
            std::thread::yield_now();
        } else {
            std::thread::sleep(step);
            step = (2 * step).min(LONGEST_STEP);
        }
    }
}

/// The threads of a process that may still run an instruction, or end, before they are continued.
fn restless_threads(process: u32) -> Vec<u32> {
    let folder = format!("/proc/{process}/task");
    let names = fs::read_dir(&folder).and_then(|threads| {
        let names = threads.map(|thread| Ok(thread?.file_name()));
        names.collect::<io::Result<Vec<_>>>()
    });
    let Ok(names) = names else {
        // A process that is gone needs nothing.
        return Vec::from_iter(exists(&folder).then_some(process));
    };
    let numbers = names.iter().filter_map(|name| name.to_str()?.parse().ok());
    numbers
        .filter(|thread| !stands_still(&format!("{folder}/{thread}")))
        .collect()
}

/// Whether the thread of this folder is stopped or gone.
fn stands_still(thread: &str) -> bool {
    let read = |name| read_text(format!("{thread}/{name}")).ok();
    let still = read("stat").and_then(|stat| match is_still(Stat::parse(&stat)?) {
        Stillness::Still => Some(true),
        Stillness::UntilSignalled => read("status").map(|status| has_stop_pending(&status)),
        Stillness::Restless => Some(false),
    });
    still.unwrap_or_else(|| !exists(thread))
}

fn exists(path: &str) -> bool {
    fs::exists(path).unwrap_or(true)
}

/// What a thread's state means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stillness {
    Still,
    /// It waits in the kernel, for example for a child of vfork(2). It stops before it returns from there, if the
    /// signal was sent to it.
    UntilSignalled,
    Restless,
}

fn is_still(stat: Stat) -> Stillness {
    match stat.state {
        // Stopped, or ended. It stays ended if the process continues without its first thread.
        b'T' | b't' | b'Z' | b'X' => Stillness::Still,
        b'D' if !stat.is_ending() => Stillness::UntilSignalled,
        _ => Stillness::Restless,
    }
}

/// Whether the stop signal was sent to this thread itself, from its `status` in proc_pid_status(5). Another thread may
/// take a signal that was sent to the process.
fn has_stop_pending(status: &str) -> bool {
    let pending = status.lines().find_map(|line| line.strip_prefix("SigPnd:"));
    let pending = pending.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    pending.is_some_and(|set| set & 1 << (Signal::STOP.as_raw() - 1) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, kill_process};
    use std::process::{Command, Stdio};

    #[test]
    fn a_thread_stands_still_that_is_stopped_or_dead_or_stops_before_it_leaves_the_kernel() {
        use Stillness::{Restless, Still, UntilSignalled};
        for (state, flags, still) in [
            ("T", 0, Still),
            ("R", 0, Restless),
            ("S", 0, Restless),
            ("D", 0, UntilSignalled),
            ("D", 4, Restless),
            ("Z", 4, Still),
            ("R", 4, Restless),
        ] {
            let line = format!("7 (a) b) {state} 1 7 7 0 -1 {flags} 0 0 0 0 1 1 0 0 20 0 1 0 99");
            assert_eq!(is_still(Stat::parse(&line).unwrap()), still, "{line}");
        }
        assert!(has_stop_pending("SigQ:\t1/9\nSigPnd:\t0000000000040000\n"));
        assert!(!has_stop_pending(
            "SigPnd:\t0000000000020000\nShdPnd:\t0000000000040000"
        ));
    }

    #[test]
    fn a_process_that_was_continued_is_stopped_again() {
        let script = "while :; do :; done & while :; do :; done";
        let mut shell = Command::new("sh");
        let mut shell = shell
            .args(["-c", script])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let all = || [vec![shell.id()], descendants(shell.id())].concat();
        while all().len() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let first = all()[1];
        let send = |pids: &[u32], signal| {
            for &pid in pids {
                let _ = kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal);
            }
        };
        let stop = |pids: &[u32]| send(pids, Signal::STOP);
        let stands_still = |pid| restless_threads(pid).is_empty();
        // On a busy machine, it may take long until they stop.
        let stop_all = |spared: &[u32]| {
            stop_within(Duration::from_secs(60), shell.id(), spared, stop);
        };
        for _ in 0..2 {
            stop_all(&[]);
            assert!(stands_still(first));
            assert!(!stands_still(shell.id()), "it is no descendant of its own");
            send(&[first], Signal::CONT);
            while stands_still(first) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        stop_all(&[first]);
        assert!(!stands_still(first));
        send(&all(), Signal::KILL);
        shell.wait().unwrap();
    }
}
