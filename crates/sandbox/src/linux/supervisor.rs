//! The supervisor: outside the sandbox, creates and removes what outlives the program.
//!
//! It runs one program at a time, so that every orphan it inherits is that program's, and is reused for the next:
//! starting a supervisor costs more than all else it does. It has one thread, so that it can fork its inits.

use super::init::{self, ProgramPipes};
use super::message::{END, SandboxReport, SpawnRequest, receive, send, socket_pair};
use super::namespaces::{NAMESPACES, Namespaces};
use super::processes::kill_all_children;
use super::relay::relay;
use super::setup::Setup;
use super::sys::{self, Forked};
use rustix::net::RecvFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, set_child_subreaper, setsid};
use rustix::thread::UnshareFlags;
use std::convert::Infallible;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::ExitCode;

/// Runs one program after the other, as the socket that is standard input asks for them, until the caller closes it.
pub(crate) fn supervise() -> ExitCode {
    // The socket closes with this process; a caller that is still there reports that the supervisor has failed.
    let Err(_) = serve();
    ExitCode::FAILURE
}

fn serve() -> io::Result<Infallible> {
    // Every program would inherit what the caller was started with.
    sys::close_inherited_files()?;
    // A terminal's interrupt is for the caller.
    let _ = setsid();
    let _ = set_child_subreaper(Some(Pid::INIT));
    let mut namespaces = None;
    loop {
        let (callers, pipes) = create_pipes()?;
        let numbers = callers.each_ref().map(AsRawFd::as_raw_fd);
        send(io::stdin(), &SandboxReport::Idle { pipes: numbers })?;
        if let Some(request) = receive(io::stdin(), RecvFlags::empty())? {
            // The caller has opened them.
            drop(callers);
            run(&request, pipes, &mut namespaces)?;
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

/// Runs one program, until the caller ends it and all its processes are gone.
fn run(
    request: &SpawnRequest,
    pipes: ProgramPipes,
    namespaces: &mut Option<Result<Namespaces, String>>,
) -> io::Result<()> {
    let setup = match Setup::create(request, namespaces) {
        Ok(setup) => setup,
        Err(error) => {
            drop(pipes);
            return report_failure(&error);
        }
    };
    let done = match start_init(request, pipes, &setup) {
        Ok((init, socket)) => relay(init, socket, &setup),
        Err(error) => report_failure(&error),
    };
    kill_all_children();
    setup.remove();
    done
}

/// Reports that a program is not started, and waits until the caller gives it up.
fn report_failure(error: &io::Error) -> io::Result<()> {
    send(io::stdin(), &SandboxReport::setup_failed(error))?;
    while receive(io::stdin(), RecvFlags::empty())? != Some(END) {}
    Ok(())
}

/// Gives the init, and the socket that leads to it.
fn start_init(
    request: &SpawnRequest,
    pipes: ProgramPipes,
    setup: &Setup,
) -> io::Result<(Pid, OwnedFd)> {
    let (ours, theirs) = socket_pair()?;
    let flags = setup
        .namespaces
        .map_or(UnshareFlags::empty(), |_| NAMESPACES);
    match sys::fork(flags)? {
        Forked::Child => {
            drop(ours);
            init::run(request, setup, theirs, pipes)
        }
        Forked::Parent(init) => Ok((init, ours)),
    }
}
