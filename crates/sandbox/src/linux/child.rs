//! The caller's end: a program that runs under a supervisor.

use super::cgroup::Freezer;
use super::idle::IdleFreezer;
use super::message::{PAUSE, RESUME, SandboxReport, SpawnRequest, Started, receive_until, send};
use super::pool::{SETUP_TIMEOUT, Supervisor};
use super::processes;
use crate::config::{Sandbox, Suspension};
use crate::missing::MissingFeature;
use crate::program::{Cause, Ended, ExitKind, ProcessGroup, StartError};
use crate::start::Ends;
use rustix::process::Signal;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::Command;
use std::time::{Duration, Instant};

/// A program under its supervisor, with everything it starts. Dropping this ends all of it.
#[derive(Debug)]
pub struct SandboxedChild {
    /// `None` once it was released.
    supervisor: Option<Supervisor>,
    /// Whether the supervisor will report nothing more: it has failed, or is ending the program.
    lost: bool,
    /// The outcome of the start, once it is known.
    start: Option<Result<Started, StartError>>,
    ended: Option<Ended>,
    /// Its control group, if it has one, once it runs.
    freezer: Option<IdleFreezer>,
    /// Whether the program should be paused.
    paused: bool,
    /// Whether the last request, to pause or to resume, was confirmed.
    answered: bool,
}

/// How long to wait until a program has stopped or continued. This is longer than it takes, even on a busy machine. A
/// program that keeps running gains no more than one that is never paused, but the wait delays every turn.
const PAUSE_TIMEOUT: Duration = Duration::from_secs(1);

impl SandboxedChild {
    /// Requests the start of a program; does not wait for it.
    ///
    /// # Errors
    /// When there is no supervisor, or the command line is too long ([`io::ErrorKind::ArgumentListTooLong`]).
    pub fn spawn(program: &Command, sandbox: &Sandbox) -> io::Result<(SandboxedChild, Ends)> {
        SandboxedChild::request(&request_of(program, sandbox))
    }

    fn request(request: &SpawnRequest) -> io::Result<(SandboxedChild, Ends)> {
        let (supervisor, pipes) = Supervisor::acquire(&request.sandbox)?;
        if let Err(error) = send(&supervisor.socket, request) {
            if error.kind() == io::ErrorKind::ArgumentListTooLong {
                supervisor.put_back();
            }
            return Err(error);
        }
        let child = SandboxedChild {
            supervisor: Some(supervisor),
            lost: false,
            start: None,
            ended: None,
            freezer: None,
            paused: false,
            answered: false,
        };
        Ok((child, pipes))
    }

    /// Waits until the program runs, or has failed to start.
    ///
    /// # Errors
    /// When it does not run: the reason, and whose fault it is.
    pub fn await_start(&mut self) -> &Result<Started, StartError> {
        let deadline = Instant::now() + SETUP_TIMEOUT;
        // Handle the reports that have arrived first, because this process may have been stopped meanwhile.
        while self.start.is_none() && (self.receive_report(deadline) || Instant::now() < deadline) {
        }
        let late = || StartError::Sandbox("its sandbox was not ready in time".into());
        self.start.get_or_insert_with(|| Err(late()))
    }

    fn request_and_wait(&mut self, what: u8) {
        let deadline = Instant::now() + PAUSE_TIMEOUT;
        self.answered = false;
        self.send(what);
        while !self.answered && self.ended.is_none() && Instant::now() < deadline {
            self.receive_report(deadline);
        }
    }

    fn supervisor(&self) -> &Supervisor {
        self.supervisor.as_ref().expect("not released")
    }

    fn send(&self, what: u8) {
        if let Some(socket) = self.socket() {
            // Receiving notices that the other end is gone.
            let _ = send(socket, &what);
        }
    }

    /// The connection to the supervisor, while there is one.
    fn socket(&self) -> Option<BorrowedFd<'_>> {
        (!self.lost).then(|| self.supervisor().socket.as_fd())
    }

    /// Handles one report, if one arrives by the deadline; `false` if none does.
    fn receive_report(&mut self, deadline: Instant) -> bool {
        let Some(socket) = self.socket() else {
            return false;
        };
        match receive_until(socket, deadline) {
            Ok(Some(report)) => self.note(report),
            Ok(None) => return false,
            Err(_) => self.note_lost_connection(),
        }
        true
    }

    fn note(&mut self, report: SandboxReport) {
        match report {
            SandboxReport::Start(start) => {
                let groups = start.as_ref().ok().and_then(|it| Freezer::of(&it.groups));
                self.freezer = groups.map(IdleFreezer::new);
                self.start = Some(start);
            }
            SandboxReport::Ended(ended) => {
                // A killed init could not report that its program runs.
                self.start.get_or_insert_with(|| Ok(Started::default()));
                // The first report is the closest to the cause.
                self.ended.get_or_insert(ended);
            }
            SandboxReport::Done => self.answered = true,
            SandboxReport::Ready { .. } | SandboxReport::Idle { .. } => {}
        }
    }

    /// The supervisor has ended, and the program with it. The program is not to blame: it cannot reach its supervisor,
    /// or the system lacks so much that the cause is unknown.
    fn note_lost_connection(&mut self) {
        let why = "its supervisor has failed".into();
        self.start.get_or_insert(Err(StartError::Sandbox(why)));
        self.ended.get_or_insert(Ended {
            kind: ExitKind::Signal(Signal::KILL.as_raw()),
            cause: Cause::SandboxFailed,
        });
        self.lost = true;
    }
}

impl ProcessGroup for SandboxedChild {
    fn await_running(&mut self) -> Result<Option<u32>, StartError> {
        let started = self.await_start().as_ref();
        started.map(|started| started.pid).map_err(Clone::clone)
    }

    fn ended(&mut self) -> io::Result<Option<Ended>> {
        while self.ended.is_none() && self.receive_report(Instant::now()) {}
        Ok(self.ended)
    }

    /// `None` once its end was read.
    fn exit(&self) -> Option<BorrowedFd<'_>> {
        self.socket().filter(|_| self.ended.is_none())
    }

    /// Known once the program runs.
    fn suspension(&self) -> Suspension {
        match &self.start {
            _ if self.freezer.is_some() => Suspension::Frozen,
            Some(Ok(started)) if started.stays_stopped => Suspension::Stopped,
            _ => Suspension::Undone,
        }
    }

    fn processor_time(&self) -> Option<Duration> {
        self.freezer.as_ref()?.processor_time()
    }

    /// The pids of the program's processes: all descendants of its supervisor except the init.
    fn processes(&self) -> Vec<u32> {
        let all = processes::descendants(self.supervisor().process.id());
        // The init is the supervisor's first child; orphans of the program come after it.
        all.into_iter().skip(1).collect()
    }

    fn reaped_time(&self) -> Duration {
        processes::reaped_time(&processes::descendants(self.supervisor().process.id()))
    }

    /// Pauses all processes of the program. Signals stop them at once. A control group freezes them, unless
    /// [`resume`](Self::resume) comes within a moment.
    fn pause(&mut self) {
        self.paused = true;
        if let Some(freezer) = &self.freezer {
            freezer.pause();
        } else {
            self.request_and_wait(PAUSE);
        }
    }

    fn resume(&mut self) {
        if !std::mem::take(&mut self.paused) {
            return;
        }
        if let Some(freezer) = &self.freezer {
            freezer.resume();
        } else {
            self.request_and_wait(RESUME);
        }
    }

    fn begin_end(&mut self) {
        self.freezer.iter().for_each(IdleFreezer::cease);
        if let Some(supervisor) = &mut self.supervisor {
            // Dropping this notices that the supervisor is gone.
            let _ = supervisor.end_program();
        }
        self.lost = true;
    }
}

impl Drop for SandboxedChild {
    fn drop(&mut self) {
        // Done before the supervisor takes the next program.
        self.freezer = None;
        if let Some(supervisor) = self.supervisor.take() {
            supervisor.release();
        }
    }
}

/// Starts a program in a sandbox, if there is a supervisor for it.
pub(crate) fn start_sandboxed(
    program: &Command,
    sandbox: &Sandbox,
) -> Option<io::Result<(Box<dyn ProcessGroup>, Ends)>> {
    sandbox.supervisor.as_ref()?;
    let started = SandboxedChild::spawn(program, sandbox);
    Some(started.map(|(child, ends)| (Box::new(child) as _, ends)))
}

/// Sets up a sandbox without a program, to learn what the system lacks.
pub(crate) fn missing_features(sandbox: &Sandbox) -> io::Result<Vec<MissingFeature>> {
    let request = SpawnRequest {
        sandbox: sandbox.clone(),
        ..SpawnRequest::default()
    };
    let (mut child, _) = SandboxedChild::request(&request)?;
    match child.await_start() {
        Ok(started) => Ok(started.missing.clone()),
        Err(StartError::Program(why) | StartError::Sandbox(why)) => {
            Err(io::Error::other(why.clone()))
        }
    }
}

/// The request to run a program.
pub(super) fn request_of(program: &Command, sandbox: &Sandbox) -> SpawnRequest {
    let variables = program.get_envs();
    let variables = variables.filter_map(|(name, value)| Some((name.into(), value?.into())));
    SpawnRequest {
        program: Some(program.get_program().into()),
        arguments: program.get_args().map(Into::into).collect(),
        folder: program.get_current_dir().map(Into::into),
        environment: variables.collect(),
        sandbox: sandbox.clone(),
    }
}
