//! A process's three pipes, none of which ever blocks the referee.

use super::lines::Lines;
use super::tail::Tail;
use crate::judge::Profile;
use crate::record::Stderr;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, ioctl_fionread};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Instant;

/// The pipes of one bot. A pipe that has ended is `None`.
#[derive(Debug)]
pub(super) struct Pipes {
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    error: Option<ChildStderr>,
    /// What the bot has not taken yet.
    unsent: Vec<u8>,
    lines: Lines,
    log: Tail,
    chunk: Box<[u8; CHUNK]>,
}

/// What is read at once.
const CHUNK: usize = 1 << 14;

/// Why a wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waited {
    /// Something was read, written, or has ended.
    Something,
    /// The deadline has passed. What was there then has been read.
    TimeUp,
}

impl Pipes {
    /// The referee's ends of a bot's pipes.
    pub(super) fn new(
        input: ChildStdin,
        output: ChildStdout,
        error: ChildStderr,
        profile: &Profile,
    ) -> io::Result<Pipes> {
        never_block(&input)?;
        never_block(&output)?;
        never_block(&error)?;
        Ok(Pipes {
            input: Some(input),
            output: Some(output),
            error: Some(error),
            unsent: Vec::new(),
            lines: Lines::new(profile.returns_end_lines),
            log: Tail::new(profile.log_bytes),
            chunk: Box::new([0; CHUNK]),
        })
    }

    /// Sends `bytes`; what the pipe does not take now goes out while waiting.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
        self.flush();
    }

    fn flush(&mut self) {
        let Some(input) = &mut self.input else { return };
        while !self.unsent.is_empty() {
            match input.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => return self.close_input(),
            }
        }
    }

    /// The next line the bot has written, without its end. A last line may lack it.
    pub(super) fn take_line(&mut self) -> Option<Vec<u8>> {
        let line = self.lines.take();
        if line.is_none() && self.output.is_none() {
            return self.lines.take_rest();
        }
        line
    }

    /// The unfinished last line of a bot that is dead.
    pub(super) fn take_rest(&mut self) -> Option<Vec<u8>> {
        self.lines.take_rest()
    }

    /// How many bytes were received that no line has taken.
    pub(super) fn pending(&self) -> usize {
        self.lines.len()
    }

    /// Drops what was received.
    pub(super) fn discard_output(&mut self) {
        self.lines.clear();
    }

    /// Whether the bot's output has ended and all of it was read.
    pub(super) fn output_ended(&self) -> bool {
        self.output.is_none()
    }

    /// Whether the bot, and all that share its input, have closed it.
    pub(super) fn input_closed(&self) -> bool {
        let Some(input) = &self.input else {
            return true;
        };
        let mut fds = [PollFd::new(input, PollFlags::empty())];
        let now = Timespec::default();
        poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().contains(PollFlags::ERR)
    }

    /// Whether output and standard error have ended.
    pub(super) fn all_ended(&self) -> bool {
        self.output.is_none() && self.error.is_none()
    }

    /// Closes the bot's standard input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
        self.unsent = Vec::new();
    }

    /// Closes all pipes: what the bot writes from now on is lost.
    pub(super) fn close_all(&mut self) {
        self.close_input();
        self.output = None;
        self.error = None;
    }

    /// What the bot has written to its standard error since this was called last.
    pub(super) fn take_log(&mut self) -> Stderr {
        self.drain_log();
        self.log.take()
    }

    /// What is kept of what it has written since then.
    pub(super) fn log(&self) -> &[u8] {
        self.log.bytes()
    }

    /// How many bytes of what was sent the bot has not read; `None` once its input is closed. What a library has
    /// read ahead counts as read.
    pub(super) fn unread(&self) -> Option<usize> {
        let in_pipe = ioctl_fionread(self.input.as_ref()?).ok()?;
        Some(usize::try_from(in_pipe).ok()? + self.unsent.len())
    }

    /// What the bot has written of a line that has no end yet.
    pub(super) fn unfinished(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Reads what is there now of standard error, but no more than a pipe holds: the bot may keep filling it.
    pub(super) fn drain_log(&mut self) {
        for _ in 0..PIPE / CHUNK {
            if self.error.is_none() || !self.read_error() {
                return;
            }
        }
    }

    /// Reads what is there now of the output.
    pub(super) fn read_output(&mut self) {
        match read_some(&mut self.output, &mut self.chunk[..]) {
            Some(0) => self.output = None,
            Some(count) => self.lines.push(&self.chunk[..count]),
            None => {}
        }
    }

    /// Reads from standard error; `false` when nothing is there now.
    fn read_error(&mut self) -> bool {
        match read_some(&mut self.error, &mut self.chunk[..]) {
            Some(0) => self.error = None,
            Some(count) => self.log.push(&self.chunk[..count]),
            None => return false,
        }
        true
    }

    /// Waits until the bot writes, reads or closes something, or `exit` is readable, and reads and writes what it
    /// can; until `deadline` at the latest. Meanwhile the bot that is not asked may write to its standard error
    /// and read what it has not read yet: neither blocks it.
    pub(super) fn wait(
        &mut self,
        exit: Option<BorrowedFd<'_>>,
        idle: Option<&mut Pipes>,
        deadline: Instant,
    ) -> io::Result<Waited> {
        let late = Instant::now() >= deadline;
        let ready = self.poll(exit, idle.as_deref(), deadline)?;
        if ready.input {
            self.flush();
        }
        if ready.output {
            self.read_output();
        }
        if ready.error {
            self.read_error();
        }
        if let Some(idle) = idle {
            if ready.idle_input {
                idle.flush();
            }
            if ready.idle_error {
                idle.read_error();
            }
        }
        // A bot that floods a pipe keeps something happening for ever: the deadline holds all the same.
        Ok(if late || ready == Ready::default() {
            Waited::TimeUp
        } else {
            Waited::Something
        })
    }

    fn poll(
        &self,
        exit: Option<BorrowedFd<'_>>,
        idle: Option<&Pipes>,
        deadline: Instant,
    ) -> io::Result<Ready> {
        let mut fds = Vec::with_capacity(6);
        let output = watch(&mut fds, self.output.as_ref(), PollFlags::IN);
        let error = watch(&mut fds, self.error.as_ref(), PollFlags::IN);
        let input = watch(&mut fds, self.input_with_unsent(), PollFlags::OUT);
        let exit = watch(&mut fds, exit.as_ref(), PollFlags::IN);
        let idle_error = watch(
            &mut fds,
            idle.and_then(|idle| idle.error.as_ref()),
            PollFlags::IN,
        );
        let idle_input = watch(
            &mut fds,
            idle.and_then(Pipes::input_with_unsent),
            PollFlags::OUT,
        );
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).ok();
            match poll(&mut fds, left.as_ref()) {
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let is_ready = |place: Option<usize>| place.is_some_and(|at| !fds[at].revents().is_empty());
        Ok(Ready {
            output: is_ready(output),
            error: is_ready(error),
            input: is_ready(input),
            exit: is_ready(exit),
            idle_error: is_ready(idle_error),
            idle_input: is_ready(idle_input),
        })
    }

    /// The input, if something is still to be sent.
    fn input_with_unsent(&self) -> Option<&ChildStdin> {
        self.input.as_ref().filter(|_| !self.unsent.is_empty())
    }
}

/// What a pipe holds on Linux.
const PIPE: usize = 1 << 16;

/// What polling found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Ready {
    output: bool,
    error: bool,
    input: bool,
    exit: bool,
    idle_error: bool,
    idle_input: bool,
}

/// Adds a file to those that are polled and gives its place.
fn watch<'a>(
    fds: &mut Vec<PollFd<'a>>,
    file: Option<&'a impl AsFd>,
    events: PollFlags,
) -> Option<usize> {
    fds.push(PollFd::new(file?, events));
    Some(fds.len() - 1)
}

/// One read. `Some(0)` when the pipe has ended, `None` when nothing is there now.
fn read_some(pipe: &mut Option<impl Read>, chunk: &mut [u8]) -> Option<usize> {
    let pipe = pipe.as_mut()?;
    loop {
        match pipe.read(chunk) {
            Ok(count) => return Some(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
            Err(_) => return Some(0),
        }
    }
}

fn never_block(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?;
    Ok(())
}
