//! The referee's end: a bot that is kept.

use super::employed::Employed;
use super::message::{Ended, GO, Order, PAUSE, Received, Report, receive, send, socket_pair};
use super::{Room, Sandbox};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

/// A bot in its room, with everything it starts. When this is dropped, all of it is gone.
#[derive(Debug)]
pub(crate) struct Kept {
    /// `None` once it has been let go.
    keeper: Option<Employed>,
    /// `None` once the end was asked for.
    socket: Option<OwnedFd>,
    /// Whether the room is ready: from then on, what fails may be the bot's doing.
    ready: bool,
    /// What came of the start, once that is known.
    start: Option<Result<Started, Unstarted>>,
    ended: Option<Ended>,
    paused: bool,
}

/// A bot that runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Started {
    /// Its number as the referee sees it, if the system tells it.
    pub(crate) pid: Option<u32>,
    /// What its room lacks.
    pub(crate) gaps: Vec<String>,
}

/// Why a bot does not run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unstarted {
    /// Its own program could not be started.
    Program(String),
    /// There was no room for it, which is no fault of the bot's.
    Room(String),
}

/// The ends of a bot's pipes.
pub(crate) type Ends = (ChildStdin, ChildStdout, ChildStderr);

/// Longer than any start takes; a room that is not ready then is the referee's fault.
const PATIENCE: Duration = Duration::from_secs(20);

impl Kept {
    /// Asks for a bot to be started; does not wait for it.
    pub(crate) fn start(program: &Command, room: &Room) -> io::Result<(Kept, Ends)> {
        let variables = program.get_envs();
        let variables = variables.filter_map(|(name, value)| Some((name.into(), value?.into())));
        let order = Order {
            program: Some(program.get_program().into()),
            arguments: program.get_args().map(Into::into).collect(),
            folder: program.get_current_dir().map(Into::into),
            environment: variables.collect(),
            ..order_in(room)
        };
        let pipe = || pipe_with(PipeFlags::CLOEXEC);
        let (input, output, error) = (pipe()?, pipe()?, pipe()?);
        let outputs = [output.1.as_fd(), error.1.as_fd()];
        let kept = Kept::begin(room, &order, &[input.0.as_fd()], &outputs)?;
        Ok((kept, (input.1.into(), output.0.into(), error.0.into())))
    }

    /// Sets up a room without a bot, and gives what the system lacks.
    pub(crate) fn try_the_room(room: &Room) -> io::Result<Vec<String>> {
        let mut kept = Kept::begin(room, &order_in(room), &[], &[])?;
        match kept.await_start() {
            Ok(started) => Ok(started.gaps.clone()),
            Err(Unstarted::Program(why) | Unstarted::Room(why)) => {
                Err(io::Error::other(why.clone()))
            }
        }
    }

    fn begin(
        room: &Room,
        order: &Order,
        input: &[BorrowedFd<'_>],
        outputs: &[BorrowedFd<'_>],
    ) -> io::Result<Kept> {
        let (ours, theirs) = socket_pair()?;
        send(&ours, order, input)?;
        let files = [&[theirs.as_fd()], outputs].concat();
        Ok(Kept {
            keeper: Some(Employed::set_to_work(room, &files)?),
            socket: Some(ours),
            ready: false,
            start: None,
            ended: None,
            paused: false,
        })
    }

    /// Waits until the bot runs or is known not to.
    pub(crate) fn await_start(&mut self) -> &Result<Started, Unstarted> {
        let deadline = Instant::now() + PATIENCE;
        while self.start.is_none() && Instant::now() < deadline {
            self.hear(deadline);
        }
        let ready = self.ready;
        self.start.get_or_insert_with(|| {
            Err(if ready {
                // It may run, and have stopped the warden that was to say so.
                Unstarted::Program("it was not known to run in time".into())
            } else {
                Unstarted::Room("its room was not ready in time".into())
            })
        })
    }

    /// How the bot's process has ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<Ended> {
        while self.ended.is_none() && self.hear(Instant::now()) {}
        self.ended
    }

    /// What becomes readable when the bot ends.
    pub(crate) fn news(&self) -> Option<BorrowedFd<'_>> {
        let silent = self.ended.is_some();
        self.socket.as_ref().filter(|_| !silent).map(AsFd::as_fd)
    }

    /// Makes all the bot's processes stand still; they do when this returns.
    pub(crate) fn pause(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        self.paused = false;
        self.ask(PAUSE);
        while !self.paused && self.ended.is_none() && Instant::now() < deadline {
            self.hear(deadline);
        }
    }

    /// Lets them go on.
    pub(crate) fn go_on(&mut self) {
        self.ask(GO);
    }

    fn ask(&self, what: u8) {
        if let Some(socket) = &self.socket {
            // A keeper that is gone is noticed when it is listened to.
            let _ = send(socket, &what, &[]);
        }
    }

    /// Takes in one report, if one comes until the deadline; `false` if none did.
    fn hear(&mut self, deadline: Instant) -> bool {
        let Some(socket) = &self.socket else {
            return false;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec {
            tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        match poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&left)) {
            Ok(0) => return false,
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return false,
        }
        match receive::<Report>(socket, RecvFlags::DONTWAIT) {
            Ok(Received::Message(report, files)) => self.note(report, files.first()),
            Ok(Received::Nothing) => return false,
            Ok(Received::End) | Err(_) => self.note_silence(),
        }
        true
    }

    fn note(&mut self, report: Report, handle: Option<&OwnedFd>) {
        match report {
            Report::NoRoom { why } => self.start = Some(Err(Unstarted::Room(why))),
            Report::Ready => self.ready = true,
            Report::Started { gaps } => {
                let pid = handle.and_then(pid_of);
                self.start = Some(Ok(Started { pid, gaps }));
            }
            Report::CannotStart { why } => self.start = Some(Err(Unstarted::Program(why))),
            Report::Ended(ended) => self.ended = Some(ended),
            Report::Paused => self.paused = true,
        }
    }

    /// Keeper and warden are gone without a word. Before the bot was started they failed by themselves; later
    /// somebody killed them, and only the bot is near them, though nobody may have said yet that it runs.
    fn note_silence(&mut self) {
        let start = if self.ready {
            Ok(Started::default())
        } else {
            Err(Unstarted::Room("its keeper has failed".into()))
        };
        self.start.get_or_insert(start);
        self.ended.get_or_insert(Ended {
            kind: crate::table::ExitKind::Signal(9),
            cause: super::Cause::Own,
        });
        self.socket = None;
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // The keeper sees the socket close, kills what is left, and cleans up.
        self.socket = None;
        if let Some(keeper) = self.keeper.take() {
            keeper.rest();
        }
    }
}

fn order_in(room: &Room) -> Order {
    Order {
        program: None,
        arguments: Vec::new(),
        folder: None,
        environment: Vec::new(),
        confined: room.sandbox != Sandbox::Off,
        allow_read: room.allow_read.iter().map(Into::into).collect(),
        limits: room.limits,
    }
}

/// The number that this process's `/proc` knows a process by, of which a handle was handed over.
fn pid_of(handle: &OwnedFd) -> Option<u32> {
    let path = format!("/proc/self/fdinfo/{}", handle.as_raw_fd());
    let text = std::fs::read_to_string(path).ok()?;
    let pid = text.lines().find_map(|line| line.strip_prefix("Pid:"))?;
    pid.trim().parse().ok()
}
