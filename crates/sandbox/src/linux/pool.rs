//! Supervisors as the caller sees them: processes that are reused for one program after the other.

use super::files;
use super::message::{
    CONFINES, END, Received, SUPERVISES, SandboxReport, receive_until, send, socket_pair,
};
use super::setup::folder_on_disk;
use crate::config::{HIDDEN_COMMAND, SECRETS, Sandbox, SandboxMode};
use crate::shortage::is_resource_shortage;
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::os::fd::{OwnedFd, RawFd};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The caller's ends of a program's pipes.
pub(super) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

/// All idle supervisors of this process.
pub(super) static POOL: SupervisorPool = SupervisorPool {
    idle: Mutex::new(Vec::new()),
    stranded: OnceLock::new(),
};

/// Longer than any start takes: what is not set up by then has failed.
pub(super) const SETUP_TIMEOUT: Duration = Duration::from_secs(20);

/// Supervisors that wait for their next program: never more than were busy at once. They end with this process.
#[derive(Debug)]
pub(super) struct SupervisorPool {
    idle: Mutex<Vec<Supervisor>>,
    /// Why supervisors are not to create a user namespace here, once one was stranded in its own.
    stranded: OnceLock<String>,
}

/// A supervisor's process. When this is dropped, it has ended.
#[derive(Debug)]
pub(super) struct Supervisor {
    process: Child,
    /// `None` once it is to end.
    socket: Option<OwnedFd>,
    /// Its numbers for the ends of the next program's pipes.
    pipes: [RawFd; 3],
    /// Whether it was requested to end its program.
    ending: bool,
    config: SupervisorConfig,
}

/// What is fixed when a supervisor starts.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SupervisorConfig {
    binary: PathBuf,
    /// Whether it may have entered a user namespace for its programs.
    confines: bool,
}

impl SupervisorPool {
    /// An idle supervisor, or a new one, and the caller's ends of the next program's pipes.
    pub(super) fn acquire(&self, sandbox: &Sandbox) -> io::Result<(Supervisor, Pipes)> {
        let config = SupervisorConfig {
            binary: sandbox.supervisor.clone().ok_or(io::ErrorKind::NotFound)?,
            confines: sandbox.mode != SandboxMode::Off,
        };
        while let Some(supervisor) = self.take_idle(&config) {
            match supervisor.open_pipes() {
                Ok(pipes) => return Ok((supervisor, pipes)),
                Err(error) if is_resource_shortage(&error) => {
                    self.put_back(supervisor);
                    return Err(error);
                }
                // It may have been killed while it was idle.
                Err(_) => {}
            }
        }
        let supervisor = self.start(config)?;
        let pipes = supervisor.open_pipes()?;
        Ok((supervisor, pipes))
    }

    fn take_idle(&self, config: &SupervisorConfig) -> Option<Supervisor> {
        let mut idle = self.idle();
        // The one that became idle last: its pages are warm.
        let place = idle
            .iter()
            .rposition(|supervisor| supervisor.config == *config)?;
        Some(idle.swap_remove(place))
    }

    /// Keeps a supervisor to which no request was sent.
    pub(super) fn put_back(&self, supervisor: Supervisor) {
        self.idle().push(supervisor);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Supervisor>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the supervisor's program, waits until all its processes are gone, and keeps the supervisor for the next.
    pub(super) fn release(&self, mut supervisor: Supervisor) {
        if supervisor.end_program().is_ok() && supervisor.await_idle().is_ok() {
            supervisor.ending = false;
            self.put_back(supervisor);
        } else {
            supervisor.clean_up_after();
        }
    }

    fn start(&self, config: SupervisorConfig) -> io::Result<Supervisor> {
        loop {
            let stranded = self.stranded.get();
            let mut supervisor = Supervisor::start(config.clone(), stranded.map(String::as_str))?;
            match supervisor.await_idle()? {
                None => return Ok(supervisor),
                Some(why) if stranded.is_some() => return Err(io::Error::other(why)),
                Some(why) => drop(self.stranded.set(why)),
            }
        }
    }
}

impl Supervisor {
    /// `stranded`: why it is not to create a user namespace.
    fn start(config: SupervisorConfig, stranded: Option<&str>) -> io::Result<Supervisor> {
        let (ours, theirs) = socket_pair()?;
        let kind = if config.confines {
            CONFINES
        } else {
            SUPERVISES
        };
        let mut command = Command::new(&config.binary);
        for secret in SECRETS {
            command.env_remove(secret);
        }
        let process = command
            .arg(HIDDEN_COMMAND)
            .arg(kind)
            .args(stranded)
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Supervisor {
            process,
            socket: Some(ours),
            pipes: [-1; 3],
            ending: false,
            config,
        })
    }

    pub(super) fn pid(&self) -> u32 {
        self.process.id()
    }

    pub(super) fn socket(&self) -> &OwnedFd {
        self.socket.as_ref().expect("it is not dropped")
    }

    /// Has it end its program with all that this has started.
    pub(super) fn end_program(&mut self) -> io::Result<()> {
        if !self.ending {
            send(self.socket(), &END)?;
            self.ending = true;
        }
        Ok(())
    }

    /// Waits until it can run a program; gives the reason if it is stranded. Reports of the last program are skipped.
    fn await_idle(&mut self) -> io::Result<Option<String>> {
        let deadline = Instant::now() + SETUP_TIMEOUT;
        loop {
            match receive_until(self.socket(), deadline)? {
                Received::Message(SandboxReport::Idle { pipes }) => {
                    self.pipes = pipes;
                    return Ok(None);
                }
                Received::Message(SandboxReport::Stranded { why }) => return Ok(Some(why)),
                Received::Nothing if Instant::now() >= deadline => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Received::Message(_) | Received::Nothing => {}
                Received::End => {
                    return Err(io::Error::other("the sandbox's supervisor has failed"));
                }
            }
        }
    }

    /// Opens the next program's pipes: a process may open the files of its children.
    fn open_pipes(&self) -> io::Result<Pipes> {
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

    /// Removes what a supervisor that has failed can no longer remove.
    fn clean_up_after(mut self) {
        let folder = folder_on_disk(self.process.id());
        // A program that can signal it may have stopped it.
        let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
        self.end();
        files::remove(&folder);
    }

    fn end(&mut self) {
        // It reads the end of its requests, and ends.
        self.socket = None;
        let _ = self.process.wait();
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.end();
    }
}
