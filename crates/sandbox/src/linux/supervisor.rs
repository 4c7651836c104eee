//! The supervisor: outside the sandbox, creates and removes what outlives the program.
//!
//! It runs one program at a time, so that every orphan it inherits belongs to that program. It is reused for the next
//! program, because starting a supervisor costs more than all else it does. It has one thread, so that it can fork its
//! inits.
//!
//! While a program runs, it passes messages between the caller and the init. It handles only what the init cannot do:
//! find the program's pid as the caller knows it, and stop a program without a PID namespace.

use super::init::{self, ProgramPipes};
use super::message::{END, PAUSE, SandboxReport, SpawnRequest, receive, send, socket_pair};
use super::namespaces::NAMESPACES;
use super::processes::{self, kill_all_children, number_of, signal_descendants};
use super::setup::{Setup, Shared};
use super::system_tree::SystemTree;
use super::{stopping, sys};
use crate::program::{Cause, Ended, ExitKind, StartError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::net::RecvFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, kill_process, set_child_subreaper, setsid};
use rustix::thread::UnshareFlags;
use std::convert::Infallible;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::ExitCode;

/// Runs one program after the other, on requests from the socket on standard input, until the caller closes it.
pub(crate) fn supervise() -> ExitCode {
    // The socket closes with this process. A caller that still runs then reports that the supervisor has failed.
    let Err(_) = serve();
    ExitCode::FAILURE
}

fn serve() -> io::Result<Infallible> {
    // Otherwise, every program would inherit the caller's files.
    sys::close_inherited_files()?;
    // A terminal's interrupt is for the caller.
    let _ = setsid();
    let _ = set_child_subreaper(Some(Pid::INIT));
    let mut shared = Shared::default();
    loop {
        let (callers, pipes) = create_pipes()?;
        let numbers = callers.each_ref().map(AsRawFd::as_raw_fd);
        send(io::stdin(), &SandboxReport::Idle { pipes: numbers })?;
        if let Some(request) = receive(io::stdin(), RecvFlags::empty())? {
            // The caller has opened them.
            drop(callers);
            run(&request, pipes, &mut shared)?;
        }
    }
}

/// The caller's ends of a program's input, output and error, and the program's.
fn create_pipes() -> io::Result<([OwnedFd; 3], ProgramPipes)> {
    let pipe = || pipe_with(PipeFlags::CLOEXEC);
    let (input, output, error) = (pipe()?, pipe()?, pipe()?);
    let callers = [input.1, output.0, error.0];
    Ok((callers, [input.0, output.1, error.1]))
}

/// Runs one program until the caller ends it and all its processes are gone.
fn run(request: &SpawnRequest, pipes: ProgramPipes, shared: &mut Shared) -> io::Result<()> {
    let setup = match Setup::create(request, shared) {
        Ok(setup) => setup,
        Err(error) => {
            drop(pipes);
            return report_failure(&error);
        }
    };
    let done = match start_init(request, pipes, &setup) {
        Ok((init, socket)) => Relay {
            init,
            setup: &setup,
            socket: Some(socket),
            init_in_reach: None,
            concluded: false,
            paused: false,
        }
        .serve(),
        Err(error) => report_failure(&error),
    };
    kill_all_children();
    setup.remove();
    if setup.marks_system() {
        shared.forget_system();
    }
    done
}

/// Reports that a program does not start, and waits until the caller gives it up.
fn report_failure(error: &io::Error) -> io::Result<()> {
    send(io::stdin(), &SandboxReport::setup_failed(error))?;
    while receive(io::stdin(), RecvFlags::empty())? != Some(END) {}
    Ok(())
}

/// Returns the init and the socket that leads to it.
fn start_init(
    request: &SpawnRequest,
    pipes: ProgramPipes,
    setup: &Setup,
) -> io::Result<(Pid, OwnedFd)> {
    let (ours, theirs) = socket_pair()?;
    let flags = setup
        .namespaces
        .map_or(UnshareFlags::empty(), |_| NAMESPACES);
    // Restored only in this process.
    let _visit = setup.system.map(SystemTree::visit).transpose()?;
    match sys::fork(flags)? {
        None => {
            drop(ours);
            init::run(request, setup, theirs, pipes)
        }
        Some(init) => Ok((init, ours)),
    }
}

/// A program's init, for its supervisor. Dropping this kills the init.
struct Relay<'a> {
    init: Pid,
    setup: &'a Setup<'a>,
    /// `None` once the init is dead, because only it has the other end.
    socket: Option<OwnedFd>,
    /// Whether the program can signal its init; `None` until the program may have been started.
    init_in_reach: Option<bool>,
    /// Whether the init has reported how the program ended, or why it was not started.
    concluded: bool,
    /// Whether this process keeps the program stopped.
    paused: bool,
}

impl Relay<'_> {
    /// Passes messages on until the caller ends the program or is gone.
    fn serve(mut self) -> io::Result<()> {
        let caller = io::stdin();
        loop {
            let mut fds = vec![PollFd::new(&caller, PollFlags::IN)];
            fds.extend(self.socket.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
            let again = self
                .paused
                .then(|| Timespec::try_from(stopping::AGAIN).ok());
            retry_on_intr(|| poll(&mut fds, again.flatten().as_ref()))?;
            let is_requested = !fds[0].revents().is_empty();
            if is_requested && !self.handle_request()? {
                return Ok(());
            }
            self.pass_on_reports()?;
            if self.paused {
                self.stop_all();
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
                // Its death is noticed in a moment.
                let _ = send(socket, &message);
            }
            return Ok(true);
        }
        self.paused = message == PAUSE;
        if self.paused {
            self.stop_all();
        } else {
            signal_descendants(Signal::CONT, |pid| pid != number_of(self.init));
        }
        send(io::stdin(), &SandboxReport::Done)?;
        Ok(true)
    }

    /// Stops all descendants of this process except the init. A process group would miss processes that left it.
    fn stop_all(&self) {
        let stop = |pids: &[u32]| signal_descendants(Signal::STOP, |pid| pids.contains(&pid));
        stopping::stop_all(std::process::id(), &[number_of(self.init)], stop);
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
            SandboxReport::Idle { .. } | SandboxReport::Done => {}
        }
        send(io::stdin(), &report)
    }

    /// Handles the death of the init. If it has not reported how the program ended, it was killed by the program,
    /// provided the program can reach it or has used up their common memory. Otherwise, the init failed by itself.
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
        let kind = ExitKind::Signal(Signal::KILL.as_raw());
        let ended = Ended { kind, cause };
        send(io::stdin(), &SandboxReport::Ended(ended))
    }
}

impl Drop for Relay<'_> {
    fn drop(&mut self) {
        self.setup.cgroups.kill();
        // Its number is not reused before it is waited for, which happens elsewhere.
        let _ = kill_process(self.init, Signal::KILL);
    }
}
