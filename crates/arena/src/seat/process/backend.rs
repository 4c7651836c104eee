//! The processes behind a bot's pipes: in a sandbox, or a plain child of the referee.

use crate::table::{ExitKind, Fault};
#[cfg(target_os = "linux")]
use crownhead_sandbox::{Cause, FOLDER_LIMIT, MEMORY_LIMIT, SandboxedChild, StartError};
use crownhead_sandbox::{Sandbox, Suspension, is_resource_shortage};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A bot's processes. When this is dropped, they are gone.
pub(super) trait ProcessBackend: std::fmt::Debug {
    /// Waits until the bot runs, and gives its pid, if the system shows it.
    fn await_start(&mut self) -> Result<Option<u32>, Fault>;

    /// The fault of having ended, if the bot has.
    fn ended(&mut self) -> Option<Fault>;

    /// What becomes readable when the bot ends, where there is such a file.
    fn exit_fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Has the bot's processes ended; dropping this waits until they are.
    fn begin_end(&mut self);

    /// How well the bot's processes stand still when they are paused.
    fn suspension(&self) -> Suspension {
        Suspension::Undone
    }

    /// The processor time of all the bot's processes, where that is quickly known.
    fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// The processor time of the bot's processes that have ended, in ticks of some milliseconds.
    fn reaped_time(&self) -> Duration;

    /// The pids of the bot's processes, as far as the system shows them.
    fn processes(&self) -> Vec<u32>;

    /// Stops the bot's processes.
    fn pause(&mut self);

    /// Lets them continue.
    fn resume(&mut self);
}

/// The referee's ends of a bot's pipes.
type Ends = (ChildStdin, ChildStdout, ChildStderr);

/// Starts a bot. In a sandbox, this returns before the bot runs.
pub(super) fn start(
    program: &mut Command,
    sandbox: &Sandbox,
) -> Result<(Box<dyn ProcessBackend>, Ends), Fault> {
    #[cfg(target_os = "linux")]
    if sandbox.supervisor.is_some() {
        let (child, ends) = SandboxedChild::spawn(program, sandbox).map_err(|error| {
            // The program is not reached yet, but its command line is known.
            let bots_own = error.kind() == io::ErrorKind::ArgumentListTooLong;
            fault_of_start(&error, program, bots_own)
        })?;
        return Ok((Box::new(SandboxedBackend(child)), ends));
    }
    let _ = sandbox;
    let (child, ends) = PlainChild::start(program)
        .map_err(|error| fault_of_start(&error, program, !is_resource_shortage(&error)))?;
    Ok((Box::new(child), ends))
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

/// A bot under a supervisor, with everything it starts.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct SandboxedBackend(SandboxedChild);

#[cfg(target_os = "linux")]
impl ProcessBackend for SandboxedBackend {
    fn await_start(&mut self) -> Result<Option<u32>, Fault> {
        match self.0.await_start() {
            Ok(started) => Ok(started.pid),
            Err(StartError::Program(why)) => Err(Fault::CannotStart(why.clone())),
            Err(StartError::Sandbox(why)) => Err(Fault::RefereeFault(why.clone())),
        }
    }

    fn ended(&mut self) -> Option<Fault> {
        let ended = self.0.ended()?;
        let kind = exit_kind(ended.status().code(), ended.status().signal());
        Some(match ended.cause {
            Cause::MemoryLimit => Fault::OutOfMemory {
                limit: MEMORY_LIMIT,
            },
            Cause::FolderLimit => Fault::FilledFolder {
                limit: FOLDER_LIMIT,
            },
            Cause::NearMemoryLimit => Fault::EndedShortOfMemory(kind),
            Cause::SandboxFailed => Fault::RefereeFault("its sandbox has failed".into()),
            Cause::Own => Fault::Ended(kind),
        })
    }

    fn exit_fd(&self) -> Option<BorrowedFd<'_>> {
        self.0.exit_fd()
    }

    fn begin_end(&mut self) {
        self.0.begin_end();
    }

    fn suspension(&self) -> Suspension {
        self.0.suspension()
    }

    fn processor_time(&self) -> Option<Duration> {
        self.0.processor_time()
    }

    fn reaped_time(&self) -> Duration {
        self.0.reaped_time()
    }

    fn processes(&self) -> Vec<u32> {
        self.0.processes()
    }

    fn pause(&mut self) {
        self.0.pause();
    }

    fn resume(&mut self) {
        self.0.resume();
    }
}

/// A child in a process group of its own. What leaves the group outlives it.
#[derive(Debug)]
struct PlainChild(Child);

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

    fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.pid(), signal);
    }
}

impl ProcessBackend for PlainChild {
    fn await_start(&mut self) -> Result<Option<u32>, Fault> {
        Ok(Some(self.0.id()))
    }

    /// The process is not reaped, so that its pid is not reused.
    fn ended(&mut self) -> Option<Fault> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.pid()), options) {
            Ok(ended) => ended
                .map(|ended| exit_kind(ended.exit_status(), ended.terminating_signal()))
                .map(Fault::Ended),
            Err(error) => Some(Fault::RefereeFault(error.to_string())),
        }
    }

    fn begin_end(&mut self) {
        self.signal(Signal::KILL);
    }

    fn reaped_time(&self) -> Duration {
        #[cfg(target_os = "linux")]
        return crownhead_sandbox::reaped_time(&self.processes());
        #[cfg(not(target_os = "linux"))]
        Duration::ZERO
    }

    /// The pids of it and of what it has started, as far as that has not lost its parent.
    fn processes(&self) -> Vec<u32> {
        let mut all = vec![self.0.id()];
        #[cfg(target_os = "linux")]
        all.extend(crownhead_sandbox::descendants(self.0.id()));
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
