//! The supervisor: outside the sandbox, creates and removes what outlives the program.
//!
//! It runs one program at a time, so that every orphan it inherits is that program's, and is reused for the next:
//! starting a supervisor costs more than all else it does.

use super::cgroup::Cgroups;
use super::message::{
    Cause, IDLE, Received, Report, SPAWN, SandboxSetup, SpawnRequest, receive, receive_request,
    send,
};
use super::{HIDDEN_COMMAND, affinity, namespaces, paths, sys, tree};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process, pidfd_open, set_child_subreaper, setsid,
};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

/// Runs one program after the other, as the socket that is standard input asks for them.
pub(super) fn run() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        // The socket closes, and the caller says that the supervisor has failed.
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve() -> io::Result<()> {
    // Every program would inherit what the caller was started with.
    sys::close_inherited_files()?;
    // A terminal's interrupt is for the caller.
    let _ = setsid();
    let _ = set_child_subreaper(Some(Pid::INIT));
    let mut privileged = false;
    while let Received::Message(SPAWN, files) = receive::<u8>(io::stdin(), RecvFlags::empty())? {
        let mut files = files.into_iter();
        let socket = files.next().ok_or(io::ErrorKind::InvalidInput)?;
        // The init takes the message itself, with the program's standard input.
        if let Received::Message(request, seen) = receive_request(&socket, RecvFlags::PEEK)? {
            drop(seen);
            if request.confined && !privileged {
                namespaces::become_privileged();
                privileged = true;
            }
            // Namespaces belong to a thread: with it they are left, and the next program starts in the system's.
            let program = move || supervise(socket, &request, [files.next(), files.next()]);
            thread::Builder::new()
                .spawn(program)?
                .join()
                .map_err(|_| io::Error::other("a panic"))??;
        }
        send(io::stdin(), &IDLE, &[])?;
    }
    Ok(())
}

/// Supervises one program from its start until all its processes are gone.
fn supervise(
    socket: OwnedFd,
    request: &SpawnRequest,
    outputs: [Option<OwnedFd>; 2],
) -> io::Result<()> {
    let resources = Resources::create(request)?;
    let groups = &resources.groups;
    let start = || start_init(&socket, &resources.setup, outputs);
    let done = affinity::pinned(&request.cores, start)
        .and_then(|init| wait_for_end(init, &socket, groups));
    tree::kill_all_children();
    if groups.out_of_memory() {
        // The kernel may have killed the init first, which then has reported nothing. If it has, that holds.
        let report = Report::Ended {
            wait_status: Signal::KILL.as_raw(),
            cause: Cause::MemoryLimit,
        };
        let _ = send(&socket, &report, &[]);
    }
    // All are dead: a caller that listens need not wait for the removal.
    drop(socket);
    resources.remove();
    done
}

/// What the supervisor creates for one program, and removes.
struct Resources {
    groups: Cgroups,
    folder: Option<PathBuf>,
    setup: SandboxSetup,
}

impl Resources {
    fn create(request: &SpawnRequest) -> io::Result<Resources> {
        let mut resources = Resources {
            groups: Cgroups::default(),
            folder: None,
            setup: SandboxSetup::default(),
        };
        if !request.confined {
            return Ok(resources);
        }
        let setup = &mut resources.setup;
        resources.groups = Cgroups::create(&request.limits);
        setup.groups = resources.groups.procs_files().map(Into::into).collect();
        setup.oom_kills = resources.groups.oom_kills.clone().map(Into::into);
        setup.counted_processes = resources.groups.processes;
        namespaces::enter(setup);
        if setup.own_mounts {
            let mounted = namespaces::mount_folder(request.limits.folder, &paths::needed(request));
            setup.folder = mounted.map(Into::into);
        }
        if setup.folder.is_none() {
            setup.own_mounts = false;
            let folder = std::env::temp_dir().join(format!("crownhead-{}", std::process::id()));
            std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
            setup.folder = Some(folder.clone().into());
            resources.folder = Some(folder);
        }
        Ok(resources)
    }

    fn remove(&self) {
        if let Some(folder) = &self.folder {
            tree::remove(folder);
        }
        self.groups.remove();
    }
}

fn start_init(
    socket: &OwnedFd,
    setup: &SandboxSetup,
    outputs: [Option<OwnedFd>; 2],
) -> io::Result<Child> {
    let [output, error] = outputs.map(|end| end.map_or_else(Stdio::null, Stdio::from));
    Command::new("/proc/self/exe")
        .arg(HIDDEN_COMMAND)
        .arg(serde_json::to_string(setup)?)
        .stdin(socket.try_clone()?)
        .stdout(output)
        .stderr(error)
        .spawn()
}

/// Waits until the init has ended or the caller is gone; the init is dead then.
fn wait_for_end(mut init: Child, socket: &OwnedFd, groups: &Cgroups) -> io::Result<()> {
    let pidfd = pidfd_open(Pid::from_child(&init), PidfdFlags::empty())?;
    loop {
        let mut both = [
            PollFd::new(&pidfd, PollFlags::IN),
            // Only its end matters: messages are for the init.
            PollFd::new(socket, PollFlags::RDHUP),
        ];
        match poll(&mut both, None) {
            Ok(_) => break,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    groups.kill();
    let _ = kill_process(Pid::from_child(&init), Signal::KILL);
    init.wait()?;
    Ok(())
}
