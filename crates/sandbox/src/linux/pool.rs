//! The caller's supervisors: processes that are reused for one program after the other.

use super::files;
use super::message::{END, SandboxReport, receive_until, send, socket_pair};
use super::setup::folder_on_disk;
use crate::config::{HIDDEN_COMMAND, Sandbox};
use crate::environment::inherited_environment;
use crate::missing::is_resource_shortage;
use crate::start::Ends;
use rustix::fs::{Mode, OFlags, open};
use rustix::net::{Shutdown, shutdown};
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::os::fd::{OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Longer than any start takes; after this, the setup has failed.
pub(super) const SETUP_TIMEOUT: Duration = Duration::from_secs(20);

/// The idle supervisors of this process. There are never more than were busy at once. They end with this process.
static IDLE: Mutex<Vec<Supervisor>> = Mutex::new(Vec::new());

/// A supervisor's process. Dropping this ends it.
#[derive(Debug)]
pub(super) struct Supervisor {
    pub(super) process: Child,
    pub(super) socket: OwnedFd,
    /// Its numbers for the ends of the next program's pipes.
    pipes: [RawFd; 3],
    /// Whether the end of its program was requested.
    ending: bool,
    binary: PathBuf,
    /// Whether it may have entered a user namespace for its programs.
    confines: bool,
}

fn idle() -> MutexGuard<'static, Vec<Supervisor>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take_idle(binary: &Path, confines: bool) -> Option<Supervisor> {
    let mut idle = idle();
    let fits = |idle: &Supervisor| idle.binary == binary && idle.confines == confines;
    // Take the one that became idle last, because its pages are warm.
    let place = idle.iter().rposition(fits)?;
    Some(idle.swap_remove(place))
}

impl Supervisor {
    /// An idle supervisor, or a new one, and the caller's ends of the next program's pipes.
    pub(super) fn acquire(sandbox: &Sandbox) -> io::Result<(Supervisor, Ends)> {
        let binary = sandbox.supervisor.as_deref();
        let binary = binary.ok_or(io::ErrorKind::NotFound)?;
        while let Some(supervisor) = take_idle(binary, sandbox.confines()) {
            match supervisor.open_pipes() {
                Ok(pipes) => return Ok((supervisor, pipes)),
                Err(error) if is_resource_shortage(&error) => {
                    supervisor.put_back();
                    return Err(error);
                }
                // It may have been killed while it was idle.
                Err(_) => {}
            }
        }
        let supervisor = Supervisor::start(binary, sandbox.confines())?;
        let pipes = supervisor.open_pipes()?;
        Ok((supervisor, pipes))
    }

    /// Keeps a supervisor that has received no request.
    pub(super) fn put_back(self) {
        idle().push(self);
    }

    /// Ends its program, waits until all its processes are gone, and keeps it for the next.
    pub(super) fn release(mut self) {
        if self.end_program().is_ok() && self.await_idle().is_ok() {
            self.ending = false;
            self.put_back();
        } else {
            self.clean_up();
        }
    }

    fn start(binary: &Path, confines: bool) -> io::Result<Supervisor> {
        let (ours, theirs) = socket_pair()?;
        let mut command = Command::new(binary);
        let process = command
            .arg(HIDDEN_COMMAND)
            // Its programs inherit it.
            .env_clear()
            .envs(inherited_environment())
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        // This command holds a copy of the other end. While that is open, the supervisor's end would go unnoticed.
        drop(command);
        let mut supervisor = Supervisor {
            process,
            socket: ours,
            pipes: [-1; 3],
            ending: false,
            binary: binary.into(),
            confines,
        };
        supervisor.await_idle()?;
        Ok(supervisor)
    }

    /// Requests the end of its program and all of the program's processes.
    pub(super) fn end_program(&mut self) -> io::Result<()> {
        if !self.ending {
            send(&self.socket, &END)?;
            self.ending = true;
        }
        Ok(())
    }

    /// Waits until it can run a program. Reports of the last program are skipped.
    fn await_idle(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + SETUP_TIMEOUT;
        loop {
            match receive_until(&self.socket, deadline) {
                Ok(Some(SandboxReport::Idle { pipes })) => {
                    self.pipes = pipes;
                    return Ok(());
                }
                Ok(None) if Instant::now() >= deadline => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Ok(_) => {}
                Err(_) => return Err(io::Error::other("the sandbox's supervisor has failed")),
            }
        }
    }

    /// Opens the next program's pipes: a process may open the files of its children.
    fn open_pipes(&self) -> io::Result<Ends> {
        let [input, output, error] = self.pipes;
        let end = |number: RawFd, access: OFlags| {
            let path = format!("/proc/{}/fd/{number}", self.process.id());
            open(path, access | OFlags::CLOEXEC, Mode::empty())
        };
        Ok((
            end(input, OFlags::WRONLY)?.into(),
            end(output, OFlags::RDONLY)?.into(),
            end(error, OFlags::RDONLY)?.into(),
        ))
    }

    /// Removes what a failed supervisor can no longer remove.
    fn clean_up(self) {
        let folder = folder_on_disk(self.process.id());
        // A program that can signal it may have stopped it.
        let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
        drop(self);
        files::remove(&folder);
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // It reads the end of its requests and ends.
        let _ = shutdown(&self.socket, Shutdown::Both);
        let _ = self.process.wait();
    }
}
