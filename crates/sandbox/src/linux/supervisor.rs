//! The supervisor: outside the sandbox, creates and removes what outlives the program.
//!
//! It runs one program at a time, so that every orphan it inherits is that program's, and is reused for the next:
//! starting a supervisor costs more than all else it does. It has one thread, so that it can fork its inits.

use super::init::{self, ProgramPipes};
use super::message::{
    CONFINES, Received, SandboxReport, SpawnRequest, receive_request, send, socket_pair,
};
use super::namespaces::{NAMESPACES, Namespaces, Unavailable};
use super::processes::kill_all_children;
use super::relay::Relay;
use super::setup::Setup;
use super::sys::{self, Forked};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, set_child_subreaper, setsid};
use rustix::thread::{CpuSet, UnshareFlags, sched_getaffinity, sched_setaffinity};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::ExitCode;

/// Runs one program after the other, as the socket that is standard input asks for them.
pub(crate) fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let confines = arguments.next().is_some_and(|first| first == CONFINES);
    let stranded = arguments
        .next()
        .map(|why| why.to_string_lossy().into_owned());
    match serve(confines, stranded) {
        Ok(()) => ExitCode::SUCCESS,
        // The socket closes, and the caller reports that the supervisor has failed.
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve(confines: bool, stranded: Option<String>) -> io::Result<()> {
    // Every program would inherit what the caller was started with.
    sys::close_inherited_files()?;
    // A terminal's interrupt is for the caller.
    let _ = setsid();
    let _ = set_child_subreaper(Some(Pid::INIT));
    let mut namespaces = match stranded {
        None if confines => Namespaces::enter(),
        None => Err(Unavailable::Refused(String::new())),
        Some(why) => Err(Unavailable::Refused(why)),
    };
    if let Err(Unavailable::Stranded(why)) = namespaces {
        return send(io::stdin(), &SandboxReport::Stranded { why });
    }
    loop {
        let (callers, pipes) = create_pipes()?;
        let numbers = callers.each_ref().map(AsRawFd::as_raw_fd);
        send(io::stdin(), &SandboxReport::Idle { pipes: numbers })?;
        let Received::Message(request) = receive_request(io::stdin())? else {
            return Ok(());
        };
        // The caller has opened them.
        drop(callers);
        supervise(request, pipes, &mut namespaces)?;
    }
}

/// The caller's ends of a program's input, output and error, and the program's.
fn create_pipes() -> io::Result<([OwnedFd; 3], ProgramPipes)> {
    let pipe = || pipe_with(PipeFlags::CLOEXEC);
    let (input, output, error) = (pipe()?, pipe()?, pipe()?);
    let callers = [input.1, output.0, error.0];
    Ok((callers, [input.0, output.1, error.1]))
}

/// Supervises one program from its start until the caller ends it and all its processes are gone.
fn supervise(
    request: SpawnRequest,
    pipes: ProgramPipes,
    namespaces: &mut Result<Namespaces, Unavailable>,
) -> io::Result<()> {
    let cores = request.cores.clone();
    let mut setup = Setup::default();
    let start = || start_init(request, pipes, namespaces, &mut setup);
    let done = match pinned(&cores, start) {
        Ok((init, socket)) => Relay::new(init, socket, &setup).and_then(|mut relay| relay.serve()),
        Err(error) => send(io::stdin(), &SandboxReport::setup_failed(&error))
            .and_then(|()| Relay::wait_for_end()),
    };
    kill_all_children();
    setup.remove();
    done
}

/// Gives the init, and the socket that leads to it.
fn start_init(
    request: SpawnRequest,
    pipes: ProgramPipes,
    namespaces: &mut Result<Namespaces, Unavailable>,
    setup: &mut Setup,
) -> io::Result<(Pid, OwnedFd)> {
    setup.create(&request, namespaces)?;
    let (ours, theirs) = socket_pair()?;
    let flags = if setup.own_processes {
        NAMESPACES
    } else {
        UnshareFlags::empty()
    };
    match sys::fork(flags)? {
        Forked::Child => {
            drop(ours);
            let namespaces = namespaces.as_ref().ok().filter(|_| setup.own_processes);
            init::run(request, std::mem::take(setup), namespaces, theirs, pipes)
        }
        Forked::Parent(init) => Ok((init, ours)),
    }
}

/// Does `start` while this thread, and so all that it starts, is confined to these cores; to none where none are named.
/// What the supervisor does before and after runs anywhere: it is no part of the program's time.
fn pinned<T>(cores: &[usize], start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    if cores.is_empty() {
        return start();
    }
    let before = sched_getaffinity(None)?;
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    sched_setaffinity(None, &set)?;
    let started = start();
    sched_setaffinity(None, &before)?;
    started
}
