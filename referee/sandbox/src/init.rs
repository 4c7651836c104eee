//! The init: the first process inside the sandbox. It confines itself, starts the program, reaps, and reports.

use super::confine::confine;
use super::memory::MemoryMonitor;
use super::message::{
    Cause, PAUSE, RESUME, Received, Report, SandboxSetup, SpawnRequest, receive, receive_request,
    send,
};
use super::{is_resource_shortage, namespaces, tree};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, kill_process_group, pidfd_open,
    set_parent_process_death_signal, wait,
};
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// Runs one program; `setup` is what the supervisor has created for it.
pub(super) fn run(setup: &OsStr) -> ExitCode {
    let Some(setup) = setup
        .to_str()
        .and_then(|text| serde_json::from_str(text).ok())
    else {
        return ExitCode::FAILURE;
    };
    let prepared = match prepare(&setup) {
        Ok(Some(prepared)) => prepared,
        // The caller is gone already.
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            let why = format!("its sandbox could not be set up: {error}");
            let _ = send(io::stdin(), &Report::SetupFailed { why }, &[]);
            return ExitCode::FAILURE;
        }
    };
    match run_program(&setup, prepared) {
        Ok(()) => ExitCode::SUCCESS,
        // The program runs and may have caused it: it is killed with its init.
        Err(_) => ExitCode::FAILURE,
    }
}

/// A confined process and what it is to start.
struct Prepared {
    request: SpawnRequest,
    input: Option<OwnedFd>,
    memory: MemoryMonitor,
    missing: Vec<String>,
}

fn prepare(setup: &SandboxSetup) -> io::Result<Option<Prepared>> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let received = receive_request(io::stdin(), RecvFlags::empty())?;
    let Received::Message(request, files) = received else {
        return Ok(None);
    };
    let memory = MemoryMonitor::new(&request, setup);
    let mut missing = Vec::new();
    if request.confined {
        for procs in &setup.groups {
            std::fs::write(procs, "0")?;
        }
        if setup.own_processes && setup.own_mounts {
            // Some containers refuse it; then names of other processes show, but nothing in them.
            let _ = namespaces::mount_proc();
        }
        missing = confine(&request, setup)?;
    }
    Ok(Some(Prepared {
        request,
        input: files.into_iter().next(),
        memory,
        missing,
    }))
}

fn run_program(setup: &SandboxSetup, prepared: Prepared) -> io::Result<()> {
    let Prepared {
        request,
        input,
        memory,
        missing,
    } = prepared;
    let (Some(program), Some(input)) = (&request.program, input) else {
        return send(io::stdin(), &Report::Started { missing }, &[]);
    };
    let mut command = Command::new(program);
    command
        .args(&request.arguments)
        .envs(
            request
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        )
        .stdin(input)
        .process_group(0);
    let private = setup.folder.as_ref().filter(|_| request.files_alone);
    let private = private.map(PathBuf::from);
    if let Some(folder) = request.folder.as_ref().or(private.as_ref()) {
        command.current_dir(folder);
    }
    if let Some(folder) = &setup.folder {
        command.env("TMPDIR", folder);
    }
    // Before it runs: it may kill this process before any report says that it does.
    send(io::stdin(), &Report::Ready, &[])?;
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let why = format!("{}: {error}", program.to_string_lossy());
            let report = match is_resource_shortage(&error) {
                true => Report::SetupFailed { why },
                false => Report::CannotStart { why },
            };
            return send(io::stdin(), &report, &[]);
        }
    };
    // Only the program may hold the ends of its pipes open.
    command.stdin(Stdio::null());
    give_up_outputs()?;
    let pid = Pid::from_child(&child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
    send(io::stdin(), &Report::Started { missing }, &[pidfd.as_fd()])?;
    Running {
        pid,
        pidfd,
        own_processes: setup.own_processes,
        memory,
        folder: setup
            .folder
            .as_ref()
            .map(PathBuf::from)
            .filter(|_| !setup.own_mounts),
        folder_limit: request.limits.folder,
        folder_exceeded: false,
        ended: false,
    }
    .serve()
}

/// Replaces the program's standard output and error, which this process has inherited too.
fn give_up_outputs() -> io::Result<()> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
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
    /// Obeys the caller and reports, until the supervisor kills this process or the caller is gone.
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
            let asked = !fds[0].revents().is_empty();
            if asked && !self.obey()? {
                return Ok(());
            }
            if checks {
                self.check_limits();
            }
            self.reap()?;
        }
    }

    /// `false` when the caller is gone.
    fn obey(&self) -> io::Result<bool> {
        match receive::<u8>(io::stdin(), RecvFlags::DONTWAIT)? {
            Received::Message(PAUSE, _) => {
                self.signal(Signal::STOP);
                send(io::stdin(), &Report::Paused, &[])?;
            }
            Received::Message(RESUME, _) => self.signal(Signal::CONT),
            Received::Message(..) | Received::Nothing => {}
            Received::End => return Ok(false),
        }
        Ok(true)
    }

    /// To all processes of the program; without a PID namespace, to its process group.
    fn signal(&self, signal: Signal) {
        let group = match self.own_processes {
            // kill(-1): every process of the namespace but this one, which is its process 1.
            true => Pid::INIT,
            false => self.pid,
        };
        let _ = kill_process_group(group, signal);
    }

    /// Kills the program if it uses too much.
    fn check_limits(&mut self) {
        let is_over = |folder: &PathBuf| tree::size_of(folder) > self.folder_limit;
        let memory_exceeded = self.memory.check(self.own_processes);
        self.folder_exceeded |= self.folder.as_ref().is_some_and(is_over);
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
                send(io::stdin(), &Report::Ended { wait_status, cause }, &[])?;
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
