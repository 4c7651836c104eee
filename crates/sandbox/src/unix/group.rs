//! A child in a process group of its own. What leaves the group outlives it.

#[cfg(target_os = "macos")]
use super::macos as system;
use crate::program::{Cause, Ended, ExitKind, ProcessGroup, StartError};
use crate::start::Ends;
#[cfg(target_os = "linux")]
use crate::system;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug)]
struct PlainChild {
    child: Child,
    /// How many bytes of memory all processes may hold, if the system shows that.
    memory: Option<u64>,
    /// When their memory was looked at last.
    looked: Instant,
    cause: Cause,
}

/// How often the memory of all processes is looked at.
const MEMORY_STEP: Duration = Duration::from_millis(50);

/// Starts a program as the leader of a new group.
pub(crate) fn start_group(
    program: &mut Command,
    memory: Option<u64>,
) -> io::Result<(Box<dyn ProcessGroup>, Ends)> {
    let child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let mut plain = PlainChild {
        child,
        memory: memory.filter(|_| cfg!(target_os = "macos")),
        looked: Instant::now(),
        cause: Cause::Own,
    };
    let child = &mut plain.child;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(error)) => Ok((Box::new(plain), (input, output, error))),
        _ => Err(io::Error::other("a process without its pipes")),
    }
}

impl PlainChild {
    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(Pid::from_child(&self.child), signal);
    }

    /// Ends all processes if they hold more memory than they may.
    fn look_at_memory(&mut self) {
        let Some(limit) = self.memory else { return };
        if self.looked.elapsed() < MEMORY_STEP {
            return;
        }
        self.looked = Instant::now();
        let processes = self.processes();
        let held = processes.into_iter().filter_map(system::resident_memory);
        if held.sum::<u64>() > limit {
            self.cause = Cause::MemoryLimit;
            self.signal(Signal::KILL);
        }
    }
}

impl ProcessGroup for PlainChild {
    fn await_running(&mut self) -> Result<Option<u32>, StartError> {
        Ok(Some(self.child.id()))
    }

    fn ended(&mut self) -> io::Result<Option<Ended>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(Pid::from_child(&self.child)), options)?;
        let Some(ended) = ended else {
            self.look_at_memory();
            return Ok(None);
        };
        // macOS gives more of the number than a status has.
        let status = ended.exit_status().map(|status| status & 0xff);
        Ok(Some(Ended {
            kind: ExitKind::of(status, ended.terminating_signal()),
            cause: self.cause,
        }))
    }

    fn begin_end(&mut self) {
        self.signal(Signal::KILL);
    }

    #[cfg(target_os = "macos")]
    fn processor_time(&self) -> Option<Duration> {
        Some(system::processor_time(&self.processes()))
    }

    fn reaped_time(&self) -> Duration {
        system::reaped_time(&self.processes())
    }

    /// The pids of it and of what it has started, as far as that has not lost its parent.
    fn processes(&self) -> Vec<u32> {
        let mut all = vec![self.child.id()];
        all.extend(system::descendants(self.child.id()));
        all
    }

    fn pause(&mut self) {
        self.signal(Signal::STOP);
    }

    fn resume(&mut self) {
        self.signal(Signal::CONT);
    }
}

impl Drop for PlainChild {
    fn drop(&mut self) {
        // Before the process is reaped: until then its pid is not reused.
        self.signal(Signal::KILL);
        let _ = self.child.wait();
    }
}
