//! The processes behind a bot's pipes: kept in a room, or plain children of the referee.

#[cfg(target_os = "linux")]
use crate::room::{Cause, Ended, Kept, Limits, Unstarted};
use crate::room::{Room, is_want_of_means};
use crate::table::{ExitKind, Fault};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

/// A bot's processes. When this is dropped, they are gone.
#[derive(Debug)]
pub(super) enum Body {
    /// A child in a process group of its own.
    Plain(Plain),
    /// In a room, with everything it starts.
    #[cfg(target_os = "linux")]
    Kept { kept: Kept, limits: Limits },
}

/// The ends of a bot's pipes.
type Ends = (ChildStdin, ChildStdout, ChildStderr);

impl Body {
    /// Starts a bot. Where it is kept, the start goes on after this returns.
    pub(super) fn start(program: &mut Command, room: &Room) -> Result<(Body, Ends), Fault> {
        #[cfg(target_os = "linux")]
        if room.crownhead.is_some() {
            let started = Kept::start(program, room);
            let (kept, ends) = started.map_err(|error| {
                // Its program is not reached yet, but its words are known.
                let bots_own = error.kind() == io::ErrorKind::ArgumentListTooLong;
                fault_of_start(&error, program, bots_own)
            })?;
            let limits = room.limits;
            return Ok((Body::Kept { kept, limits }, ends));
        }
        let _ = room;
        let started = Plain::start(program);
        let (plain, ends) = started.map_err(|error| {
            let bots_own = !is_want_of_means(&error);
            fault_of_start(&error, program, bots_own)
        })?;
        Ok((Body::Plain(plain), ends))
    }

    /// Waits until the bot runs, and gives its number, if the system tells it.
    pub(super) fn await_start(&mut self) -> Result<Option<u32>, Fault> {
        match self {
            Body::Plain(plain) => Ok(Some(plain.0.id())),
            #[cfg(target_os = "linux")]
            Body::Kept { kept, .. } => match kept.await_start() {
                Ok(started) => Ok(started.pid),
                Err(Unstarted::Program(why)) => Err(Fault::CannotStart(why.clone())),
                Err(Unstarted::Room(why)) => Err(Fault::RefereeFault(why.clone())),
            },
        }
    }

    /// The fault of having ended, if the bot has.
    pub(super) fn ended(&mut self) -> Option<Fault> {
        match self {
            Body::Plain(plain) => match plain.exit_kind() {
                Ok(kind) => kind.map(Fault::Ended),
                Err(error) => Some(Fault::RefereeFault(error.to_string())),
            },
            #[cfg(target_os = "linux")]
            Body::Kept { kept, limits } => {
                let Ended { kind, cause } = kept.ended()?;
                Some(match cause {
                    Cause::TooMuchMemory => Fault::OutOfMemory {
                        limit: limits.memory,
                    },
                    Cause::TooMuchWritten => Fault::FilledFolder {
                        limit: limits.folder,
                    },
                    Cause::ShortOfMemory => Fault::EndedShortOfMemory(kind),
                    Cause::Own => Fault::Ended(kind),
                })
            }
        }
    }

    /// What becomes readable when the bot ends, where there is such a thing.
    pub(super) fn news(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Body::Plain(_) => None,
            #[cfg(target_os = "linux")]
            Body::Kept { kept, .. } => kept.news(),
        }
    }

    /// Makes the bot stand still.
    pub(super) fn pause(&mut self) {
        match self {
            Body::Plain(plain) => plain.signal(Signal::STOP),
            #[cfg(target_os = "linux")]
            Body::Kept { kept, .. } => kept.pause(),
        }
    }

    /// Lets it go on.
    pub(super) fn go_on(&mut self) {
        match self {
            Body::Plain(plain) => plain.signal(Signal::CONT),
            #[cfg(target_os = "linux")]
            Body::Kept { kept, .. } => kept.go_on(),
        }
    }
}

fn fault_of_start(error: &io::Error, program: &Command, bots_own: bool) -> Fault {
    let why = format!("{}: {error}", program.get_program().to_string_lossy());
    match bots_own {
        true => Fault::CannotStart(why),
        false => Fault::RefereeFault(why),
    }
}

/// A child in a process group of its own. What leaves the group outlives it.
#[derive(Debug)]
pub(super) struct Plain(Child);

impl Plain {
    fn start(program: &mut Command) -> io::Result<(Plain, Ends)> {
        let child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let mut plain = Plain(child);
        let child = &mut plain.0;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), Some(error)) => Ok((plain, (input, output, error))),
            _ => Err(io::Error::other("a process without its pipes")),
        }
    }

    /// How the process ended, if it has; it is not reaped, so that its number stays its own.
    fn exit_kind(&self) -> rustix::io::Result<Option<ExitKind>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid()), options)?;
        Ok(
            status.map(|status: WaitIdStatus| match status.exit_status() {
                Some(code) => ExitKind::Code(code),
                None => ExitKind::Signal(status.terminating_signal().unwrap_or(0)),
            }),
        )
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.pid(), signal);
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        // Before the process is reaped: until then nobody else can have its number.
        self.signal(Signal::KILL);
        let _ = self.0.wait();
    }
}
