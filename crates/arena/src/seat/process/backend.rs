//! The processes behind a bot's pipes: in a sandbox, or a plain child of the referee.

use crate::table::{ExitKind, Fault};
#[cfg(target_os = "linux")]
use crownhead_sandbox::{Cause, ResourceLimits, SandboxedChild, StartError};
use crownhead_sandbox::{Sandbox, is_resource_shortage};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A bot's processes. When this is dropped, they are gone.
#[derive(Debug)]
pub(super) enum ProcessBackend {
    /// A child in a process group of its own.
    Plain(PlainChild),
    /// Under a supervisor, with everything it starts.
    #[cfg(target_os = "linux")]
    Sandboxed {
        child: SandboxedChild,
        limits: ResourceLimits,
    },
}

/// The referee's ends of a bot's pipes.
type Ends = (ChildStdin, ChildStdout, ChildStderr);

impl ProcessBackend {
    /// Starts a bot. In a sandbox, this returns before the bot runs.
    pub(super) fn start(
        program: &mut Command,
        sandbox: &Sandbox,
    ) -> Result<(ProcessBackend, Ends), Fault> {
        #[cfg(target_os = "linux")]
        if sandbox.supervisor.is_some() {
            let started = SandboxedChild::spawn(program, sandbox);
            let (child, ends) = started.map_err(|error| {
                // The program is not reached yet, but its command line is known.
                let bots_own = error.kind() == io::ErrorKind::ArgumentListTooLong;
                fault_of_start(&error, program, bots_own)
            })?;
            let limits = sandbox.limits;
            return Ok((ProcessBackend::Sandboxed { child, limits }, ends));
        }
        let _ = sandbox;
        let started = PlainChild::start(program);
        let (child, ends) = started.map_err(|error| {
            let bots_own = !is_resource_shortage(&error);
            fault_of_start(&error, program, bots_own)
        })?;
        Ok((ProcessBackend::Plain(child), ends))
    }

    /// Waits until the bot runs, and gives its pid, if the system tells it.
    pub(super) fn await_start(&mut self) -> Result<Option<u32>, Fault> {
        match self {
            ProcessBackend::Plain(child) => Ok(Some(child.0.id())),
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => match child.await_start() {
                Ok(started) => Ok(started.pid),
                Err(StartError::Program(why)) => Err(Fault::CannotStart(why.clone())),
                Err(StartError::Sandbox(why)) => Err(Fault::RefereeFault(why.clone())),
            },
        }
    }

    /// The fault of having ended, if the bot has.
    pub(super) fn ended(&mut self) -> Option<Fault> {
        match self {
            ProcessBackend::Plain(child) => match child.exit_kind() {
                Ok(kind) => kind.map(Fault::Ended),
                Err(error) => Some(Fault::RefereeFault(error.to_string())),
            },
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, limits } => {
                let ended = child.ended()?;
                let kind = exit_kind(ended.status().code(), ended.status().signal());
                Some(match ended.cause {
                    Cause::MemoryLimit => Fault::OutOfMemory {
                        limit: limits.memory,
                    },
                    Cause::FolderLimit => Fault::FilledFolder {
                        limit: limits.folder,
                    },
                    Cause::NearMemoryLimit => Fault::EndedShortOfMemory(kind),
                    Cause::SandboxFailed => Fault::RefereeFault("its sandbox has failed".into()),
                    Cause::Own => Fault::Ended(kind),
                })
            }
        }
    }

    /// What becomes readable when the bot ends, where there is such a file.
    pub(super) fn exit_fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            ProcessBackend::Plain(_) => None,
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => child.exit_fd(),
        }
    }

    /// Has the bot's processes ended; dropping this waits until they are.
    pub(super) fn begin_end(&mut self) {
        match self {
            ProcessBackend::Plain(child) => child.signal(Signal::KILL),
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => child.begin_end(),
        }
    }

    /// Whether pausing costs next to nothing.
    pub(super) fn can_freeze(&self) -> bool {
        match self {
            ProcessBackend::Plain(_) => false,
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => child.can_freeze(),
        }
    }

    /// The processor time of all the bot's processes, where that is quickly known.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        match self {
            ProcessBackend::Plain(_) => None,
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => child.processor_time(),
        }
    }

    /// The processor time of the bot's processes that have ended, in ticks of some milliseconds.
    pub(super) fn reaped_time(&self) -> Duration {
        match self {
            #[cfg(target_os = "linux")]
            ProcessBackend::Plain(child) => crownhead_sandbox::reaped_time(&child.processes()),
            #[cfg(not(target_os = "linux"))]
            ProcessBackend::Plain(_) => Duration::ZERO,
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => child.reaped_time(),
        }
    }

    /// The pids of the bot's processes, as far as the system tells.
    #[cfg(target_os = "linux")]
    pub(super) fn processes(&self) -> Vec<u32> {
        match self {
            ProcessBackend::Plain(child) => child.processes(),
            ProcessBackend::Sandboxed { child, .. } => child.processes(),
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn processes(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Stops the bot's processes.
    pub(super) fn pause(&mut self) {
        match self {
            ProcessBackend::Plain(child) => child.signal(Signal::STOP),
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => child.pause(),
        }
    }

    /// Lets them go on.
    pub(super) fn resume(&mut self) {
        match self {
            ProcessBackend::Plain(child) => child.signal(Signal::CONT),
            #[cfg(target_os = "linux")]
            ProcessBackend::Sandboxed { child, .. } => child.resume(),
        }
    }
}

fn fault_of_start(error: &io::Error, program: &Command, bots_own: bool) -> Fault {
    let why = format!("{}: {error}", program.get_program().to_string_lossy());
    if bots_own {
        Fault::CannotStart(why)
    } else {
        Fault::RefereeFault(why)
    }
}

/// How a process ended that had this exit status, or was killed by this signal.
fn exit_kind(status: Option<i32>, signal: Option<i32>) -> ExitKind {
    match status {
        Some(status) => ExitKind::Code(status),
        None => ExitKind::Signal(signal.unwrap_or(0)),
    }
}

/// A child in a process group of its own. What leaves the group outlives it.
#[derive(Debug)]
pub(super) struct PlainChild(Child);

impl PlainChild {
    fn start(program: &mut Command) -> io::Result<(PlainChild, Ends)> {
        let child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let mut plain = PlainChild(child);
        let child = &mut plain.0;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), Some(error)) => Ok((plain, (input, output, error))),
            _ => Err(io::Error::other("a process without its pipes")),
        }
    }

    /// How the process ended, if it has. It is not reaped, so that its pid is not reused.
    fn exit_kind(&self) -> rustix::io::Result<Option<ExitKind>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(self.pid()), options)?;
        let kind = |ended: WaitIdStatus| exit_kind(ended.exit_status(), ended.terminating_signal());
        Ok(ended.map(kind))
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    /// The pids of it and of what it has started, as far as that has not lost its parent.
    #[cfg(target_os = "linux")]
    fn processes(&self) -> Vec<u32> {
        let mut all = vec![self.0.id()];
        all.extend(crownhead_sandbox::descendants(self.0.id()));
        all
    }

    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.pid(), signal);
    }
}

impl Drop for PlainChild {
    fn drop(&mut self) {
        // Before the process is reaped: until then its pid is not reused.
        self.signal(Signal::KILL);
        let _ = self.0.wait();
    }
}
