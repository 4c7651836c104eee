//! Supervisors as the caller sees them: processes that are reused for one program after the other.

use super::message::{IDLE, Received, SPAWN, receive, send, socket_pair};
use super::{HIDDEN_COMMAND, Sandbox, SandboxMode};
use rustix::net::RecvFlags;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// All idle supervisors of this process.
pub(super) static POOL: SupervisorPool = SupervisorPool {
    idle: Mutex::new(Vec::new()),
};

/// Supervisors that wait for their next program: never more than were busy at once. They end with this process.
#[derive(Debug)]
pub(super) struct SupervisorPool {
    idle: Mutex<Vec<Supervisor>>,
}

/// A supervisor's process. When this is dropped, it has ended.
#[derive(Debug)]
pub(super) struct Supervisor {
    process: Child,
    /// `None` once it is to end.
    socket: Option<OwnedFd>,
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
    /// Passes a program's files to an idle supervisor, or to a new one.
    pub(super) fn acquire(
        &self,
        sandbox: &Sandbox,
        files: &[BorrowedFd<'_>],
    ) -> io::Result<Supervisor> {
        let config = SupervisorConfig {
            binary: sandbox.supervisor.clone().ok_or(io::ErrorKind::NotFound)?,
            confines: sandbox.mode != SandboxMode::Off,
        };
        // An idle one may have been killed.
        while let Some(supervisor) = self.take_idle(&config) {
            if supervisor.request(files).is_ok() {
                return Ok(supervisor);
            }
        }
        let supervisor = Supervisor::start(config)?;
        supervisor.request(files)?;
        Ok(supervisor)
    }

    fn take_idle(&self, config: &SupervisorConfig) -> Option<Supervisor> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // The one that became idle last: its pages are warm.
        let place = idle
            .iter()
            .rposition(|supervisor| supervisor.config == *config)?;
        Some(idle.swap_remove(place))
    }

    /// Waits until the supervisor's program and all its processes are gone, and keeps it for the next.
    pub(super) fn release(&self, supervisor: Supervisor) {
        let Some(socket) = &supervisor.socket else {
            return;
        };
        let answer = receive::<u8>(socket, RecvFlags::empty());
        if matches!(answer, Ok(Received::Message(IDLE, _))) {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(supervisor);
        }
    }
}

impl Supervisor {
    fn start(config: SupervisorConfig) -> io::Result<Supervisor> {
        let (ours, theirs) = socket_pair()?;
        let process = Command::new(&config.binary)
            .arg(HIDDEN_COMMAND)
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Supervisor {
            process,
            socket: Some(ours),
            config,
        })
    }

    pub(super) fn pid(&self) -> u32 {
        self.process.id()
    }

    fn request(&self, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        send(socket, &SPAWN, files)
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // It reads the end of its requests, and ends.
        self.socket = None;
        let _ = self.process.wait();
    }
}
