//! The init: the first process inside the sandbox. It enters the program's file system, confines itself, starts the
//! program, reaps, and reports.
//!
//! It is forked from its supervisor, and starts with copies of all that the supervisor has created.

use super::confine::{Confined, confine};
use super::memory::MemoryMonitor;
use super::message::{Cause, PAUSE, RESUME, Received, SandboxReport, SpawnRequest, receive, send};
use super::namespaces::Namespaces;
use super::processes::{descendants, number_of};
use super::rootfs;
use super::setup::Setup;
use super::{files, paths, sys};
use crate::shortage::is_resource_shortage;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::fchown;
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{
    DumpableBehavior, Gid, Pid, PidfdFlags, Signal, Uid, WaitOptions, WaitStatus,
    kill_process_group, pidfd_open, set_dumpable_behavior, set_parent_process_death_signal, wait,
};
use rustix::thread::UnshareFlags;
use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// A program's ends of its input, output and error.
pub(super) type ProgramPipes = [OwnedFd; 3];

/// Runs one program. `socket` leads to the supervisor; `namespaces` are those that this process was forked into.
pub(super) fn run(
    request: SpawnRequest,
    setup: Setup,
    namespaces: Option<&Namespaces>,
    socket: OwnedFd,
    pipes: ProgramPipes,
) -> ! {
    // The supervisor's connection to the caller is not for this process.
    if rustix::stdio::dup2_stdin(&socket).is_err() {
        std::process::exit(1);
    }
    drop(socket);
    let prepared = match prepare(&request, &setup, namespaces, &pipes) {
        Ok(prepared) => prepared,
        Err(error) => {
            let _ = send(io::stdin(), &SandboxReport::setup_failed(&error));
            std::process::exit(1);
        }
    };
    let done = run_program(&request, prepared, pipes);
    // The program runs and may have caused it: it is killed with its init.
    std::process::exit(i32::from(done.is_err()));
}

/// What is known once the sandbox is set up.
struct PreparedInit {
    memory: MemoryMonitor,
    confined: Confined,
    /// Where it runs, if not in its private folder.
    place: Option<PathBuf>,
    /// The private folder.
    folder: Option<PathBuf>,
    /// The same, if only this process limits its size.
    folder_on_disk: Option<PathBuf>,
    own_processes: bool,
}

fn prepare(
    request: &SpawnRequest,
    setup: &Setup,
    namespaces: Option<&Namespaces>,
    pipes: &ProgramPipes,
) -> io::Result<PreparedInit> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Its memory holds the requests for earlier programs.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let memory = MemoryMonitor::new(request, setup);
    let has_place = request.folder.is_some() || !request.files_alone;
    let place = has_place.then(|| paths::working_folder(request));
    let mut prepared = PreparedInit {
        memory,
        confined: Confined::default(),
        place,
        folder: setup.folder.clone(),
        folder_on_disk: setup.folder.clone(),
        own_processes: setup.own_processes,
    };
    if !request.confined {
        return Ok(prepared);
    }
    for group in &setup.cgroups.folders {
        std::fs::write(group.join("cgroup.procs"), "0")?;
    }
    let identity = namespaces.and_then(|namespaces| setup.identity(namespaces));
    if let Some(namespaces) = namespaces {
        sys::unshare(UnshareFlags::NEWCGROUP)?;
        let size = request.limits.folder;
        let folder = rootfs::enter(setup, namespaces, prepared.place.as_deref(), size)?;
        prepared.folder = Some(folder);
    }
    if let Some(identity) = identity {
        // A program may open its standard streams once more, through `/dev/stdin`.
        for end in pipes {
            let (user, group) = (Uid::from_raw(identity.id()), Gid::from_raw(identity.id()));
            fchown(end, Some(user), Some(group))?;
        }
    }
    prepared.confined = confine(request, setup, prepared.folder.as_deref(), identity)?;
    // Another user's process loses it.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(prepared)
}

fn run_program(
    request: &SpawnRequest,
    prepared: PreparedInit,
    pipes: ProgramPipes,
) -> io::Result<()> {
    let Some(program) = &request.program else {
        let missing = prepared.confined.missing;
        return send(io::stdin(), &SandboxReport::Started { pid: None, missing });
    };
    let mut command = command(program, request, &prepared, pipes);
    let Confined {
        missing,
        program_scope,
    } = prepared.confined;
    let init_in_reach = !prepared.own_processes && program_scope.is_none();
    if let Some(scope) = program_scope {
        sys::restrict_before_exec(&mut command, scope);
    }
    // Before it runs: it may kill this process before any later report.
    send(io::stdin(), &SandboxReport::Ready { init_in_reach })?;
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let why = format!("{}: {error}", program.to_string_lossy());
            let report = if is_resource_shortage(&error) {
                SandboxReport::SetupFailed { why }
            } else {
                SandboxReport::CannotStart { why }
            };
            return send(io::stdin(), &report);
        }
    };
    // Only the program may hold the ends of its pipes open.
    drop(command);
    let pid = Pid::from_child(&child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
    let report = SandboxReport::Started {
        pid: Some(number_of(pid)),
        missing,
    };
    send(io::stdin(), &report)?;
    Running {
        pid,
        pidfd,
        own_processes: prepared.own_processes,
        memory: prepared.memory,
        folder: prepared.folder_on_disk,
        folder_limit: request.limits.folder,
        folder_exceeded: false,
        ended: false,
    }
    .serve()
}

fn command(
    program: &OsStr,
    request: &SpawnRequest,
    prepared: &PreparedInit,
    pipes: ProgramPipes,
) -> Command {
    let mut command = Command::new(program);
    let [input, output, error] = pipes;
    let variables = &request.environment;
    command
        .args(&request.arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(input)
        .stdout(output)
        .stderr(error)
        .process_group(0);
    if let Some(place) = prepared.place.as_ref().or(prepared.folder.as_ref()) {
        command.current_dir(place);
    }
    if let Some(folder) = &prepared.folder {
        command.env("TMPDIR", folder);
    }
    command
}

/// A program that runs.
struct Running {
    pid: Pid,
    pidfd: OwnedFd,
    /// Whether this PID namespace holds the program's processes alone.
    own_processes: bool,
    memory: MemoryMonitor,
    /// A folder whose size only this process limits.
    folder: Option<PathBuf>,
    folder_limit: u64,
    folder_exceeded: bool,
    ended: bool,
}

/// Interval at which resident memory and the folder's size are checked, where only this process limits them.
const CHECK_INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Interval between `waitpid` sweeps for orphans.
const REAP_INTERVAL: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

impl Running {
    /// Handles requests and reports, until the supervisor kills this process or is gone.
    fn serve(mut self) -> io::Result<()> {
        let socket = io::stdin();
        let checks = self.memory.needs_checking() || self.folder.is_some();
        let interval = if checks {
            CHECK_INTERVAL
        } else {
            REAP_INTERVAL
        };
        loop {
            let mut fds = Vec::with_capacity(2);
            fds.push(PollFd::new(&socket, PollFlags::IN));
            if !self.ended {
                fds.push(PollFd::new(&self.pidfd, PollFlags::IN));
            }
            match poll(&mut fds, Some(&interval)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let is_requested = !fds[0].revents().is_empty();
            if is_requested && !self.handle_request()? {
                return Ok(());
            }
            if checks {
                self.check_limits();
            }
            self.reap()?;
        }
    }

    /// Handles a request; `false` when the supervisor is gone.
    fn handle_request(&self) -> io::Result<bool> {
        match receive::<u8>(io::stdin(), RecvFlags::DONTWAIT)? {
            Received::Message(PAUSE) => {
                self.signal(Signal::STOP);
                send(io::stdin(), &SandboxReport::Paused)?;
            }
            Received::Message(RESUME) => self.signal(Signal::CONT),
            Received::Message(_) | Received::Nothing => {}
            Received::End => return Ok(false),
        }
        Ok(true)
    }

    /// To all processes of the program; without a PID namespace, to its process group.
    fn signal(&self, signal: Signal) {
        // kill(-1): every process of the namespace but this one, which is its process 1.
        let group = if self.own_processes {
            Pid::INIT
        } else {
            self.pid
        };
        let _ = kill_process_group(group, signal);
    }

    /// Kills the program if it uses too much.
    fn check_limits(&mut self) {
        let memory_exceeded = self.memory.check(self.own_processes);
        self.folder_exceeded |= self.folder.as_ref().is_some_and(|folder| {
            let processes = descendants(std::os::unix::process::parent_id());
            let size = files::size_of(folder) + files::size_of_unlinked(&processes, folder);
            size > self.folder_limit
        });
        if memory_exceeded || self.folder_exceeded {
            self.signal(Signal::KILL);
        }
    }

    /// Reaps what has ended, and reports if it was the program.
    fn reap(&mut self) -> io::Result<()> {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.pid {
                self.ended = true;
                let cause = self.cause_of(status);
                let wait_status = status.as_raw();
                send(io::stdin(), &SandboxReport::Ended { wait_status, cause })?;
            }
        }
        Ok(())
    }

    fn cause_of(&self, status: WaitStatus) -> Cause {
        if self.folder_exceeded {
            Cause::FolderLimit
        } else {
            self.memory.cause_of(status)
        }
    }
}
