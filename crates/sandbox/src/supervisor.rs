//! The supervisor: outside the sandbox, creates and removes what outlives the program.
//!
//! It runs one program at a time, so that every orphan it inherits is that program's, and is reused for the next:
//! starting a supervisor costs more than all else it does. It has one thread, so that it can fork its inits.

use super::cgroup::Cgroups;
use super::identity::Identity;
use super::init::{self, ProgramPipes};
use super::message::{Received, Report, SpawnRequest, receive_request, send, socket_pair};
use super::namespaces::{NAMESPACES, Namespaces, Unavailable};
use super::paths::{self, Grants};
use super::relay::Relay;
use super::sys::{self, Forked};
use super::{affinity, tree};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, set_child_subreaper, setsid};
use rustix::thread::UnshareFlags;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::ExitCode;

/// The first word for a supervisor whose programs are confined; the second, if there is one, says why it must not
/// create a user namespace.
pub(super) const CONFINES: &str = "confines";

/// The first word for one whose programs are not confined.
pub(super) const SUPERVISES: &str = "supervises";

/// Runs one program after the other, as the socket that is standard input asks for them.
pub(super) fn run(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let confines = words.next().is_some_and(|word| word == CONFINES);
    let stranded = words.next().map(|why| why.to_string_lossy().into_owned());
    match serve(confines, stranded) {
        Ok(()) => ExitCode::SUCCESS,
        // The socket closes, and the caller says that the supervisor has failed.
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
        return send(io::stdin(), &Report::Stranded { why });
    }
    loop {
        let (callers, pipes) = create_pipes()?;
        let numbers = [&callers.0, &callers.1, &callers.2].map(AsRawFd::as_raw_fd);
        send(io::stdin(), &Report::Idle { pipes: numbers })?;
        let Received::Message(request) = receive_request(io::stdin())? else {
            return Ok(());
        };
        // The caller has opened them.
        drop(callers);
        supervise(request, pipes, &mut namespaces)?;
    }
}

/// The caller's ends of a program's input, output and error, and the program's.
fn create_pipes() -> io::Result<((OwnedFd, OwnedFd, OwnedFd), ProgramPipes)> {
    let pipe = || pipe_with(PipeFlags::CLOEXEC);
    let (input, output, error) = (pipe()?, pipe()?, pipe()?);
    let programs = ProgramPipes {
        input: input.0,
        output: output.1,
        error: error.1,
    };
    Ok(((input.1, output.0, error.0), programs))
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
    let done = match affinity::pinned(&cores, start) {
        Ok((init, socket)) => Relay::new(init, socket, &setup).and_then(|mut relay| relay.serve()),
        Err(error) => {
            let why = format!("its sandbox could not be set up: {error}");
            send(io::stdin(), &Report::SetupFailed { why }).and_then(|()| Relay::wait_for_end())
        }
    };
    tree::kill_all_children();
    setup.remove();
    done
}

/// What the supervisor creates for one program, and removes; the init has a copy.
#[derive(Default)]
pub(super) struct Setup {
    /// Whether the init is process 1 of a PID namespace, and the program has a file system of its own.
    pub(super) own_processes: bool,
    /// Whether it runs as the supervisor's [`Identity`].
    pub(super) own_user: bool,
    /// What the program may read.
    pub(super) grants: Grants,
    /// The `cgroup.procs` files through which a process enters its control groups.
    pub(super) groups: Vec<PathBuf>,
    /// The file in which the kernel counts kills for want of memory.
    pub(super) oom_kills: Option<PathBuf>,
    /// Whether a control group limits the processes.
    pub(super) counted_processes: bool,
    /// The private folder, where it lies on disk.
    pub(super) folder: Option<PathBuf>,
    /// Missing features, a sentence each.
    pub(super) missing: Vec<String>,
    pub(super) cgroups: Cgroups,
}

impl Setup {
    fn create(
        &mut self,
        request: &SpawnRequest,
        namespaces: &Result<Namespaces, Unavailable>,
    ) -> io::Result<()> {
        if !request.confined {
            return Ok(());
        }
        self.cgroups = Cgroups::create(&request.limits);
        self.groups = self.cgroups.procs_files().collect();
        self.oom_kills = self.cgroups.oom_kills.clone();
        self.counted_processes = self.cgroups.processes;
        self.grants = paths::grants(request);
        match namespaces {
            Ok(namespaces) => {
                self.own_processes = true;
                self.missing = namespaces.missing.clone();
            }
            Err(unavailable) => {
                self.missing = unavailable.consequences();
                let folder = folder_on_disk(std::process::id());
                std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
                self.folder = Some(folder);
            }
        }
        Ok(())
    }

    /// As whom the program runs, if not as the caller.
    pub(super) fn identity<'a>(&self, namespaces: &'a Namespaces) -> Option<&'a Identity> {
        namespaces.identity.as_ref().filter(|_| self.own_user)
    }

    fn remove(&self) {
        if let Some(folder) = &self.folder {
            tree::remove(folder);
        }
        self.cgroups.remove();
    }
}

/// The private folder of a program whose supervisor has this pid, where it cannot have a file system of its own.
pub(super) fn folder_on_disk(supervisor: u32) -> PathBuf {
    std::env::temp_dir().join(format!("crownhead-{supervisor}"))
}

/// Gives the init, and the socket that leads to it.
fn start_init(
    request: SpawnRequest,
    pipes: ProgramPipes,
    namespaces: &mut Result<Namespaces, Unavailable>,
    setup: &mut Setup,
) -> io::Result<(Pid, OwnedFd)> {
    setup.create(&request, namespaces)?;
    let identity = namespaces
        .as_mut()
        .ok()
        .and_then(|namespaces| namespaces.identity.as_mut());
    setup.own_user = identity.is_some_and(|identity| identity.prepare(&setup.grants));
    let (ours, theirs) = socket_pair()?;
    let flags = match setup.own_processes {
        true => NAMESPACES,
        false => UnshareFlags::empty(),
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
