//! A child in a process group of its own. What leaves the group outlives it.

use crate::program::{Cause, Ended, ExitKind, ProcessGroup, StartError};
use crate::start::Ends;
use crate::system;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[derive(Debug)]
struct PlainChild(Child);

/// Starts a program as the leader of a new group.
pub(crate) fn start_group(
    program: &mut Command,
    _: Option<u64>,
) -> io::Result<(Box<dyn ProcessGroup>, Ends)> {
    let child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let mut plain = PlainChild(child);
    let child = &mut plain.0;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(error)) => Ok((Box::new(plain), (input, output, error))),
        _ => Err(io::Error::other("a process without its pipes")),
    }
}

impl PlainChild {
    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(Pid::from_child(&self.0), signal);
    }
}

impl ProcessGroup for PlainChild {
    fn await_running(&mut self) -> Result<Option<u32>, StartError> {
        Ok(Some(self.0.id()))
    }

    fn ended(&mut self) -> io::Result<Option<Ended>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(Pid::from_child(&self.0)), options)?;
        Ok(ended.map(|ended| Ended {
            kind: ExitKind::of(ended.exit_status(), ended.terminating_signal()),
            cause: Cause::Own,
        }))
    }

    fn begin_end(&mut self) {
        self.signal(Signal::KILL);
    }

    fn reaped_time(&self) -> Duration {
        system::reaped_time(&self.processes())
    }

    /// The pids of it and of what it has started, as far as that has not lost its parent.
    fn processes(&self) -> Vec<u32> {
        let mut all = vec![self.0.id()];
        all.extend(system::descendants(self.0.id()));
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
        let _ = self.0.wait();
    }
}
