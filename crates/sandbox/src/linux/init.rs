//! The init: the first process inside the sandbox. It enters the program's file system, confines itself, starts the
//! program, reaps, and reports.
//!
//! It is forked from its supervisor, and starts with copies of everything that the supervisor has created.

use super::confine::{ProgramRules, confine};
use super::message::{PAUSE, SandboxReport, SpawnRequest, Started, receive, send};
use super::rootfs;
use super::setup::Setup;
use super::usage::UsageMonitor;
use super::{processes, stopping, sys};
use crate::missing::is_resource_shortage;
use crate::program::{Ended, ExitKind, StartError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::fchown;
use rustix::io::retry_on_intr;
use rustix::net::RecvFlags;
use rustix::process::{
    DumpableBehavior, Gid, Pid, PidfdFlags, Signal, Uid, WaitOptions, kill_process_group,
    pidfd_open, set_dumpable_behavior, set_parent_process_death_signal, wait,
};
use rustix::thread::{CpuSet, UnshareFlags, sched_setaffinity};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

/// A program's ends of its input, output and error.
pub(super) type ProgramPipes = [OwnedFd; 3];

/// Runs one program. `socket` leads to the supervisor.
pub(super) fn run(
    request: &SpawnRequest,
    setup: &Setup,
    socket: OwnedFd,
    pipes: ProgramPipes,
) -> ! {
    // Close the supervisor's connection to the caller.
    if rustix::stdio::dup2_stdin(&socket).is_err() {
        std::process::exit(1);
    }
    drop(socket);
    let mut command = Command::new(request.program.as_deref().unwrap_or_default());
    let variables = &request.environment;
    command
        .args(&request.arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .process_group(0);
    let done = match prepare(request, setup, &pipes, &mut command) {
        // On an error, the program may already run and may have caused it. It is killed with its init.
        Ok(prepared) => run_program(request, setup, prepared, command, pipes),
        Err(error) => send(io::stdin(), &SandboxReport::setup_failed(&error)).and(Err(error)),
    };
    std::process::exit(i32::from(done.is_err()));
}

/// Sets up the sandbox. Returns what it lacks, and what holds for the program.
fn prepare(
    request: &SpawnRequest,
    setup: &Setup,
    pipes: &ProgramPipes,
    command: &mut Command,
) -> io::Result<(Started, UsageMonitor, ProgramRules)> {
    let sandbox = &request.sandbox;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Its memory holds the requests for earlier programs.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    if !sandbox.cores.is_empty() {
        let mut cores = CpuSet::new();
        sandbox.cores.iter().for_each(|&core| cores.set(core));
        sched_setaffinity(None, &cores)?;
    }
    let usage = UsageMonitor::new(sandbox, setup);
    let mut folder = setup.folder.clone();
    let mut missing = setup.missing.clone();
    let mut rules = ProgramRules::default();
    if sandbox.confines() {
        setup.cgroups.enter()?;
        if let Some((namespaces, tree)) = setup.namespaces.zip(setup.system) {
            sys::unshare(UnshareFlags::NEWCGROUP)?;
            folder = Some(rootfs::enter(setup, tree, namespaces.own_proc)?);
        }
        if let Some(identity) = setup.identity {
            // A program may open its standard streams again, through `/dev/stdin`.
            for end in pipes {
                let (user, group) = (Uid::from_raw(identity.id), Gid::from_raw(identity.id));
                fchown(end, Some(user), Some(group))?;
            }
        }
        rules = confine(setup, folder.as_deref(), &mut missing)?;
        // Changing the user clears it.
        set_parent_process_death_signal(Some(Signal::KILL))?;
    }
    if let Some(place) = setup.place.as_ref().or(folder.as_ref()) {
        command.current_dir(place);
    }
    if let Some(folder) = &folder {
        command.env("TMPDIR", folder);
    }
    let started = Started {
        missing,
        stays_stopped: rules.filter.is_some(),
        ..Started::default()
    };
    Ok((started, usage, rules))
}

fn run_program(
    request: &SpawnRequest,
    setup: &Setup,
    (mut started, usage, rules): (Started, UsageMonitor, ProgramRules),
    mut command: Command,
    pipes: ProgramPipes,
) -> io::Result<()> {
    let report = |start| send(io::stdin(), &SandboxReport::Start(start));
    let Some(program) = &request.program else {
        return report(Ok(started));
    };
    let [input, output, error] = pipes;
    command.stdin(input).stdout(output).stderr(error);
    let init_in_reach = setup.namespaces.is_none() && rules.scope.is_none();
    // Sent before the program runs, because it may kill this process before a later report.
    send(io::stdin(), &SandboxReport::Ready { init_in_reach })?;
    let child = match spawn(&mut command, &rules) {
        Ok(Ok(child)) => child,
        Ok(Err(error)) => {
            let why = format!("{}: {error}", program.to_string_lossy());
            return report(Err(if is_resource_shortage(&error) {
                StartError::Sandbox(why)
            } else {
                StartError::Program(why)
            }));
        }
        Err(error) => return send(io::stdin(), &SandboxReport::setup_failed(&error)),
    };
    // Only the program may keep the ends of its pipes open.
    drop(command);
    setup.cgroups.leave_unified()?;
    let pid = Pid::from_child(&child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
    started.pid = Some(child.id());
    report(Ok(started))?;
    Running {
        pid,
        pidfd: Some(pidfd),
        usage,
        paused: false,
    }
    .serve()
}

/// Starts the program from a thread with its rules applied. Forking this process and applying them to the copy would
/// take longer. Returns the program, or why it does not start.
///
/// # Errors
/// When its rules cannot be applied, which is not the program's fault.
fn spawn(command: &mut Command, rules: &ProgramRules) -> io::Result<io::Result<Child>> {
    let confined = || rules.apply().map(|()| command.spawn());
    thread::scope(|threads| {
        let thread = thread::Builder::new().spawn_scoped(threads, confined)?;
        let panicked = || io::Error::other("its init has failed");
        thread.join().unwrap_or_else(|_| Err(panicked()))
    })
}

/// A program that runs.
struct Running {
    pid: Pid,
    /// `None` once it has ended.
    pidfd: Option<OwnedFd>,
    usage: UsageMonitor,
    /// Whether its processes should be stopped.
    paused: bool,
}

/// Interval of checks of resident memory and the folder's size, if this process limits them.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Interval between `waitpid` sweeps for orphans.
const REAP_INTERVAL: Duration = Duration::from_secs(1);

impl Running {
    /// Handles requests and reports, until the supervisor kills this process or ends.
    fn serve(mut self) -> io::Result<()> {
        let socket = io::stdin();
        let checks = self.usage.needs_checking();
        loop {
            let interval = match (checks, self.paused) {
                (true, _) => CHECK_INTERVAL,
                (false, true) => stopping::AGAIN,
                (false, false) => REAP_INTERVAL,
            };
            let interval = Timespec::try_from(interval).ok();
            let mut fds = vec![PollFd::new(&socket, PollFlags::IN)];
            fds.extend(self.pidfd.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
            retry_on_intr(|| poll(&mut fds, interval.as_ref()))?;
            if !fds[0].revents().is_empty() {
                self.handle_request()?;
            } else if self.paused {
                self.stop();
            }
            if checks && self.usage.check() {
                self.signal(Signal::KILL);
            }
            self.reap()?;
        }
    }

    /// Only in a PID namespace. Otherwise, the supervisor stops the program.
    fn handle_request(&mut self) -> io::Result<()> {
        let Some(request) = receive::<u8>(io::stdin(), RecvFlags::DONTWAIT)? else {
            return Ok(());
        };
        self.paused = request == PAUSE;
        if self.paused {
            self.stop();
        } else {
            self.signal(Signal::CONT);
        }
        send(io::stdin(), &SandboxReport::Done)
    }

    /// Stops all processes of the program, in a PID namespace.
    fn stop(&self) {
        self.signal(Signal::STOP);
        if let Some(own) = processes::own_pid() {
            stopping::stop_all(own, &[], |_| self.signal(Signal::STOP));
        }
    }

    /// Sends to all processes of the program; without a PID namespace, to its process group.
    fn signal(&self, signal: Signal) {
        // kill(-1) reaches every process of the namespace except this one, which is its process 1.
        let group = if self.usage.own_processes {
            Pid::INIT
        } else {
            self.pid
        };
        let _ = kill_process_group(group, signal);
    }

    /// Reaps ended processes, and reports if one was the program.
    fn reap(&mut self) -> io::Result<()> {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.pid {
                self.pidfd = None;
                let ended = Ended {
                    kind: ExitKind::of(status.exit_status(), status.terminating_signal()),
                    cause: self.usage.cause_of(status),
                };
                send(io::stdin(), &SandboxReport::Ended(ended))?;
            }
        }
        Ok(())
    }
}
