//! A child in a job of its own, which holds all that it starts.

use super::sys::{self, Job};
use crate::program::{Cause, Ended, ExitKind, ProcessGroup, StartError};
use crate::start::Ends;
use std::io;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Once};
use std::time::{Duration, Instant};
use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, CREATE_SUSPENDED};

#[derive(Debug)]
struct ChildInJob {
    child: Child,
    job: Job,
    memory: Option<u64>,
}

/// How long the processes of a job are waited for once they are to end.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// Starts a program as the first process of a new job, whose processes may commit this many bytes.
pub(crate) fn start_group(
    program: &mut Command,
    memory: Option<u64>,
) -> io::Result<(Box<dyn ProcessGroup>, Ends)> {
    static CLOCK: Once = Once::new();
    CLOCK.call_once(sys::wake_in_time);
    // If this process is killed before the new one is in its own job, that one is in this job, and ends too.
    static OURS: LazyLock<io::Result<Job>> = LazyLock::new(Job::of_this_process);
    LazyLock::force(&OURS);
    let job = Job::new(memory)?;
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // It runs once it is in the job, so that nothing which it starts is outside. What ends the caller's console, such as
        // Ctrl-C, is for the caller alone.
        .creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW)
        .spawn()?;
    let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    if let Err(error) = job.add(&child) {
        let _ = child.kill();
        return Err(error);
    }
    sys::set_running(&child, true);
    let started = ChildInJob { child, job, memory };
    match ends {
        (Some(input), Some(output), Some(error)) => Ok((Box::new(started), (input, output, error))),
        _ => Err(io::Error::other("a process without its pipes")),
    }
}

impl ChildInJob {
    fn set_running(&self, runs: bool) {
        for process in self.job.processes() {
            if let Ok(process) = sys::process(process) {
                sys::set_running(&process, runs);
            }
        }
    }
}

impl ProcessGroup for ChildInJob {
    fn await_running(&mut self) -> Result<Option<u32>, StartError> {
        Ok(Some(self.child.id()))
    }

    fn ended(&mut self) -> io::Result<Option<Ended>> {
        let Some(status) = self.child.try_wait()? else {
            return Ok(None);
        };
        // Of its limit, it had used nine tenths.
        let is_short = |limit: u64| {
            self.job
                .peak_memory()
                .is_ok_and(|peak| peak > limit / 10 * 9)
        };
        Ok(Some(Ended {
            kind: ExitKind::of(status.code(), None),
            cause: match self.memory.is_some_and(is_short) && !status.success() {
                true => Cause::NearMemoryLimit,
                false => Cause::Own,
            },
        }))
    }

    fn begin_end(&mut self) {
        self.job.end();
    }

    fn processor_time(&self) -> Option<Duration> {
        self.job.processor_time().ok()
    }

    fn memory(&self) -> Option<u64> {
        let processes = self.job.processes().into_iter();
        let sizes = processes.filter_map(|process| sys::memory(&sys::process(process).ok()?).ok());
        Some(sizes.sum())
    }

    /// In the time of all.
    fn reaped_time(&self) -> Duration {
        Duration::ZERO
    }

    fn processes(&self) -> Vec<u32> {
        self.job.processes()
    }

    fn pause(&mut self) {
        self.set_running(false);
    }

    fn resume(&mut self) {
        self.set_running(true);
    }
}

impl Drop for ChildInJob {
    fn drop(&mut self) {
        self.job.end();
        let _ = self.child.wait();
        let deadline = Instant::now() + END_TIMEOUT;
        while !self.job.processes().is_empty() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
