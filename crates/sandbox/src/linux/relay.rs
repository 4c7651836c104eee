//! What a supervisor does while its program runs: it passes messages on between the caller and the init.
//!
//! Leaves out what the messages bring about, except where the init cannot do it: finding out by which number the
//! caller knows the program, and stopping a program that has no PID namespace.

use super::cgroup::Cgroups;
use super::message::{Cause, END, PAUSE, RESUME, Received, SandboxReport, receive, send};
use super::processes;
use super::setup::Setup;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::io;
use std::os::fd::OwnedFd;

/// A program's init as its supervisor sees it. When this is dropped, the init has been killed.
pub(super) struct Relay<'a> {
    init: Pid,
    groups: &'a Cgroups,
    /// `None` once the init is dead.
    pidfd: Option<OwnedFd>,
    /// `None` once the init has closed its end.
    socket: Option<OwnedFd>,
    own_processes: bool,
    /// Whether the program may have been started.
    ready: bool,
    /// Whether it can signal its init.
    init_in_reach: bool,
    /// Whether the init has reported how the program ended, or why it was not started.
    concluded: bool,
}

impl<'a> Relay<'a> {
    pub(super) fn new(init: Pid, socket: OwnedFd, setup: &'a Setup) -> io::Result<Relay<'a>> {
        Ok(Relay {
            init,
            groups: &setup.cgroups,
            pidfd: Some(pidfd_open(init, PidfdFlags::empty())?),
            socket: Some(socket),
            own_processes: setup.own_processes,
            ready: false,
            init_in_reach: true,
            concluded: false,
        })
    }

    /// Passes messages on until the caller ends the program or is gone.
    pub(super) fn serve(&mut self) -> io::Result<()> {
        let caller = io::stdin();
        loop {
            let init = [&self.socket, &self.pidfd].into_iter().flatten();
            let mut fds = vec![PollFd::new(&caller, PollFlags::IN)];
            fds.extend(init.map(|fd| PollFd::new(fd, PollFlags::IN)));
            match poll(&mut fds, None) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
            if ready[0] && !self.handle_request()? {
                return Ok(());
            }
            if ready[1..].contains(&true) {
                let is_dead = self.pidfd.is_some() && ready.last() == Some(&true);
                self.pass_on_reports()?;
                if is_dead {
                    self.pidfd = None;
                    self.conclude()?;
                }
            }
        }
    }

    /// Waits until the caller gives up a program that was not started.
    pub(super) fn wait_for_end() -> io::Result<()> {
        loop {
            match receive(io::stdin(), RecvFlags::empty())? {
                Received::Message(END) => return Ok(()),
                Received::End => return Err(io::ErrorKind::BrokenPipe.into()),
                Received::Message(_) | Received::Nothing => {}
            }
        }
    }

    /// Handles a request; `false` when the caller ends the program.
    fn handle_request(&mut self) -> io::Result<bool> {
        let message = match receive::<u8>(io::stdin(), RecvFlags::DONTWAIT)? {
            Received::Message(END) => return Ok(false),
            Received::Message(message) => message,
            Received::Nothing => return Ok(true),
            Received::End => return Err(io::ErrorKind::BrokenPipe.into()),
        };
        if self.own_processes {
            if let Some(socket) = &self.socket {
                // That it is dead is noticed in a moment.
                let _ = send(socket, &message);
            }
            return Ok(true);
        }
        // A process group leaves out who has left it.
        let supervisor = std::process::id();
        match message {
            PAUSE => {
                processes::stop(supervisor, self.init);
                send(io::stdin(), &SandboxReport::Paused)?;
            }
            RESUME => processes::signal(supervisor, self.init, Signal::CONT),
            _ => {}
        }
        Ok(true)
    }

    fn pass_on_reports(&mut self) -> io::Result<()> {
        while let Some(socket) = &self.socket {
            let mut report = match receive::<SandboxReport>(socket, RecvFlags::DONTWAIT) {
                Ok(Received::Message(report)) => report,
                Ok(Received::Nothing) => return Ok(()),
                Ok(Received::End) | Err(_) => {
                    self.socket = None;
                    return Ok(());
                }
            };
            match &mut report {
                SandboxReport::Ready { init_in_reach } => {
                    self.ready = true;
                    self.init_in_reach = *init_in_reach;
                }
                SandboxReport::Started { pid: None, .. } => self.concluded = true,
                SandboxReport::Started { pid, .. } => {
                    *pid = pid.and_then(|inner| processes::child_with_inner_pid(self.init, inner));
                }
                SandboxReport::SetupFailed { .. }
                | SandboxReport::CannotStart { .. }
                | SandboxReport::Ended { .. } => {
                    self.concluded = true;
                }
                SandboxReport::Idle { .. }
                | SandboxReport::Stranded { .. }
                | SandboxReport::Paused => {}
            }
            send(io::stdin(), &report)?;
        }
        Ok(())
    }

    /// The init is dead. If it has not reported what came of the program, it was killed: by the program, if that can reach
    /// it or has used up the memory that both have; otherwise it has failed by itself.
    fn conclude(&mut self) -> io::Result<()> {
        if self.concluded {
            return Ok(());
        }
        if !self.ready {
            let why = "its init has failed".into();
            return send(io::stdin(), &SandboxReport::SetupFailed { why });
        }
        let cause = match (self.groups.out_of_memory(), self.init_in_reach) {
            (true, _) => Cause::MemoryLimit,
            (false, true) => Cause::Own,
            (false, false) => Cause::SandboxFailed,
        };
        let wait_status = Signal::KILL.as_raw();
        send(io::stdin(), &SandboxReport::Ended { wait_status, cause })
    }
}

impl Drop for Relay<'_> {
    fn drop(&mut self) {
        self.groups.kill();
        // Its number is not reused before it is waited for, which is not done here.
        let _ = kill_process(self.init, Signal::KILL);
    }
}
