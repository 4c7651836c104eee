//! Stopping all processes of a program by signals (signal(7)), where no control group freezes them.
//!
//! What is stopped stays so until it is sent `SIGCONT`. The filter of system calls keeps the program from that; the kernel
//! itself sends it to the stopped processes of a group that becomes an orphan because a process ends, as one may that
//! was ending already when it was to be stopped. So all are looked at until they stand still, and [again](AGAIN) while they are to.

use super::processes::descendants;
use std::fs;
use std::time::{Duration, Instant};

/// Interval at which what is to stand still is stopped again.
pub(super) const AGAIN: Duration = Duration::from_millis(50);

/// For how long processes are waited for that do not stand still.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often they are looked at with no more than a moment for them between, which is enough where they have the same core; and
/// the intervals after that: the first, and the longest.
const MOMENTS: usize = 4;
const FIRST_STEP: Duration = Duration::from_micros(50);
const LONGEST_STEP: Duration = Duration::from_millis(4);

/// Has all descendants of `ancestor`, without those that are `spared`, stand still, for which `stop` sends the signal to those
/// that do not.
pub(super) fn stop_all(ancestor: u32, spared: &[u32], stop: impl Fn(&[u32])) {
    let deadline = Instant::now() + PATIENCE;
    let mut step = FIRST_STEP;
    for round in 0.. {
        let mut restless = descendants(ancestor);
        restless.retain(|pid| !spared.contains(pid) && !stands_still(*pid));
        if restless.is_empty() || Instant::now() >= deadline {
            return;
        }
        stop(&restless);
        if round < MOMENTS {
            std::thread::yield_now();
        } else {
            std::thread::sleep(step);
            step = (2 * step).min(LONGEST_STEP);
        }
    }
}

/// Whether a process runs no further instruction of its own, nor ends, before it is continued.
fn stands_still(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"));
    // Once it is gone, nothing follows.
    stat.is_ok_and(|stat| is_still(&stat).unwrap_or(false)) || !exists(process)
}

fn exists(process: u32) -> bool {
    fs::exists(format!("/proc/{process}")).unwrap_or(true)
}

/// The same by its line in proc_pid_stat(5). A thread that waits in the kernel, such as for a child of vfork(2), stops before it
/// returns from there.
fn is_still(stat: &str) -> Option<bool> {
    /// `PF_EXITING` in linux/sched.h.
    const ENDING: u32 = 4;
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let (state, flags) = (*fields.first()?, fields.get(6)?.parse::<u32>().ok()?);
    let threads: u32 = fields.get(17)?.parse().ok()?;
    Some(match state {
        "T" | "t" => true,
        "D" => flags & ENDING == 0,
        // Its first thread has ended; others may live.
        "Z" => threads <= 1,
        "X" => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::processes::send_signal;
    use rustix::process::Signal;
    use std::process::{Command, Stdio};

    /// The line of a process in this state with these flags and threads.
    fn stat(state: &str, flags: u32, threads: u32) -> String {
        format!("7 (a) b) {state} 1 7 7 0 -1 {flags} 0 0 0 0 1 1 0 0 20 0 {threads} 0 99 0 0")
    }

    #[test]
    fn what_is_stopped_or_dead_stands_still_and_what_is_ending_does_not() {
        for (line, still) in [
            (stat("T", 0, 9), true),
            (stat("R", 0, 1), false),
            (stat("S", 0, 1), false),
            (stat("D", 0, 1), true),
            (stat("D", 4, 1), false),
            (stat("Z", 4, 1), true),
            (stat("Z", 4, 2), false),
        ] {
            assert_eq!(is_still(&line), Some(still), "{line}");
        }
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
        let stop = |pids: &[u32]| send_signal(pids, Signal::STOP);
        for _ in 0..2 {
            stop_all(shell.id(), &[], stop);
            assert!(stands_still(first));
            assert!(!stands_still(shell.id()), "it is no descendant of its own");
            send_signal(&[first], Signal::CONT);
            while stands_still(first) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        stop_all(shell.id(), &[first], stop);
        assert!(!stands_still(first));
        send_signal(&all(), Signal::KILL);
        shell.wait().unwrap();
    }
}
