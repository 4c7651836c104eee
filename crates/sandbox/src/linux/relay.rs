//! What a supervisor does while its program runs: it passes messages on between the caller and the init.
//!
//! Leaves out what the messages bring about, except where the init cannot do it: finding out by which number the
//! caller knows the program, and stopping a program that has no PID namespace.

use super::message::{Cause, END, Ended, PAUSE, RESUME, SandboxReport, StartError, receive, send};
use super::processes::{self, number_of};
use super::setup::Setup;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use rustix::net::RecvFlags;
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::os::fd::OwnedFd;

/// Passes messages on until the caller ends the program or is gone; then its init has been killed.
pub(super) fn relay(init: Pid, socket: OwnedFd, setup: &Setup) -> io::Result<()> {
    Relay {
        init,
        setup,
        socket: Some(socket),
        init_in_reach: None,
        concluded: false,
    }
    .serve()
}

/// A program's init as its supervisor sees it. When this is dropped, the init has been killed.
struct Relay<'a> {
    init: Pid,
    setup: &'a Setup<'a>,
    /// `None` once the init is dead: it alone has the other end.
    socket: Option<OwnedFd>,
    /// Whether the program can signal its init; `None` until the program may have been started.
    init_in_reach: Option<bool>,
    /// Whether the init has reported how the program ended, or why it was not started.
    concluded: bool,
}

impl Relay<'_> {
    fn serve(&mut self) -> io::Result<()> {
        let caller = io::stdin();
        loop {
            let mut fds = vec![PollFd::new(&caller, PollFlags::IN)];
            fds.extend(self.socket.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
            retry_on_intr(|| poll(&mut fds, None))?;
            let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
            if ready[0] && !self.handle_request()? {
                return Ok(());
            }
            if ready[1..].contains(&true) {
                self.pass_on_reports()?;
            }
        }
    }

    /// Handles a request; `false` when the caller ends the program.
    fn handle_request(&mut self) -> io::Result<bool> {
        let Some(message) = receive::<u8>(io::stdin(), RecvFlags::DONTWAIT)? else {
            return Ok(true);
        };
        if message == END {
            return Ok(false);
        }
        if self.setup.namespaces.is_some() {
            if let Some(socket) = &self.socket {
                // That it is dead is noticed in a moment.
                let _ = send(socket, &message);
            }
            return Ok(true);
        }
        // A process group leaves out who has left it.
        let mut signalled = vec![number_of(self.init)];
        let mut signal = |signal| processes::signal(std::process::id(), &mut signalled, signal);
        if message == PAUSE {
            // Also those that are born meanwhile.
            while signal(Signal::STOP) {}
            send(io::stdin(), &SandboxReport::Paused)?;
        } else if message == RESUME {
            signal(Signal::CONT);
        }
        Ok(true)
    }

    fn pass_on_reports(&mut self) -> io::Result<()> {
        while let Some(socket) = &self.socket {
            match receive(socket, RecvFlags::DONTWAIT) {
                Ok(Some(report)) => self.pass_on(report)?,
                Ok(None) => break,
                Err(_) => {
                    self.socket = None;
                    self.conclude()?;
                }
            }
        }
        Ok(())
    }

    fn pass_on(&mut self, mut report: SandboxReport) -> io::Result<()> {
        match &mut report {
            SandboxReport::Ready { init_in_reach } => self.init_in_reach = Some(*init_in_reach),
            SandboxReport::Start(Ok(started)) => {
                self.concluded |= started.pid.is_none();
                let outer_pid = |inner| processes::child_with_inner_pid(self.init, inner);
                started.pid = started.pid.and_then(outer_pid);
                started.groups.clone_from(&self.setup.cgroups.folders);
            }
            SandboxReport::Start(Err(_)) | SandboxReport::Ended(_) => self.concluded = true,
            SandboxReport::Idle { .. } | SandboxReport::Paused => {}
        }
        send(io::stdin(), &report)
    }

    /// The init is dead. If it has not reported what came of the program, it was killed: by the program, if that can reach
    /// it or has used up the memory that both have; otherwise it has failed by itself.
    fn conclude(&mut self) -> io::Result<()> {
        if self.concluded {
            return Ok(());
        }
        let Some(init_in_reach) = self.init_in_reach else {
            let why = StartError::Sandbox("its init has failed".into());
            return send(io::stdin(), &SandboxReport::Start(Err(why)));
        };
        let cause = match (self.setup.cgroups.out_of_memory(), init_in_reach) {
            (true, _) => Cause::MemoryLimit,
            (false, true) => Cause::Own,
            (false, false) => Cause::SandboxFailed,
        };
        let wait_status = Signal::KILL.as_raw();
        let ended = Ended { wait_status, cause };
        send(io::stdin(), &SandboxReport::Ended(ended))
    }
}

impl Drop for Relay<'_> {
    fn drop(&mut self) {
        self.setup.cgroups.kill();
        // Its number is not reused before it is waited for, which is not done here.
        let _ = kill_process(self.init, Signal::KILL);
    }
}
