//! A process's three pipes, none of which ever blocks the referee.

use super::tail::Tail;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Instant;

/// The pipes of one bot. A pipe that has ended is `None`.
#[derive(Debug)]
pub(super) struct Pipes {
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    error: Option<ChildStderr>,
    /// What the bot has not taken yet.
    unsent: Vec<u8>,
    /// What the bot has written and nobody has taken yet.
    received: Vec<u8>,
    log: Tail,
    chunk: Box<[u8; CHUNK]>,
}

/// What is read at once.
const CHUNK: usize = 1 << 14;

/// What waiting came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waited {
    /// Something was read, written, or has ended.
    Something,
    /// Nothing happened until the deadline.
    TimeUp,
}

impl Pipes {
    /// The pipes of a process that was spawned with all three.
    pub(super) fn of(child: &mut Child) -> io::Result<Pipes> {
        let (input, output, error) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let (Some(input), Some(output), Some(error)) = (&input, &output, &error) {
            never_block(input)?;
            never_block(output)?;
            never_block(error)?;
        }
        Ok(Pipes {
            input,
            output,
            error,
            unsent: Vec::new(),
            received: Vec::new(),
            log: Tail::default(),
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
        if let Some(end) = self.received.iter().position(|&byte| byte == b'\n') {
            let line = self.received[..end].to_vec();
            self.received.drain(..=end);
            return Some(line);
        }
        let unfinished = self.output.is_none() && !self.received.is_empty();
        unfinished.then(|| std::mem::take(&mut self.received))
    }

    /// How many bytes were received that no line has taken.
    pub(super) fn pending(&self) -> usize {
        self.received.len()
    }

    /// Drops what was received.
    pub(super) fn forget_output(&mut self) {
        self.received.clear();
    }

    /// Whether the bot's output has ended and all of it was read.
    pub(super) fn output_ended(&self) -> bool {
        self.output.is_none()
    }

    /// Whether output and standard error have ended.
    pub(super) fn all_ended(&self) -> bool {
        self.output.is_none() && self.error.is_none()
    }

    /// Lets the bot see the end of its input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
        self.unsent = Vec::new();
    }

    /// The last part of the bot's standard error.
    pub(super) fn log(&self) -> &[u8] {
        self.log.bytes()
    }

    /// Reads what is left on standard error now.
    pub(super) fn drain_log(&mut self) {
        while self.error.is_some() && self.read_error() {}
    }

    /// Waits until the bot writes, reads or closes something, and takes part in it; until `deadline` at the
    /// latest.
    pub(super) fn wait(&mut self, deadline: Instant) -> io::Result<Waited> {
        let (wants_input, output, error) = self.poll(deadline)?;
        if !(wants_input || output || error) {
            return Ok(Waited::TimeUp);
        }
        if wants_input {
            self.flush();
        }
        if output {
            self.read_output();
        }
        if error {
            self.read_error();
        }
        // A bot that floods a pipe keeps something happening for ever: the deadline holds all the same.
        let late = !output && Instant::now() >= deadline;
        Ok(if late {
            Waited::TimeUp
        } else {
            Waited::Something
        })
    }

    /// Which of input, output and standard error are ready; none when the deadline has passed.
    fn poll(&self, deadline: Instant) -> io::Result<(bool, bool, bool)> {
        loop {
            let mut fds = Vec::with_capacity(3);
            fds.extend(
                self.output
                    .as_ref()
                    .map(|pipe| PollFd::new(pipe, PollFlags::IN)),
            );
            fds.extend(
                self.error
                    .as_ref()
                    .map(|pipe| PollFd::new(pipe, PollFlags::IN)),
            );
            let unsent = !self.unsent.is_empty();
            let input = self.input.as_ref().filter(|_| unsent);
            fds.extend(input.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec {
                tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            };
            match poll(&mut fds, Some(&left)) {
                Ok(_) => {
                    let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
                    let output = self.output.is_some() && ready.next() == Some(true);
                    let error = self.error.is_some() && ready.next() == Some(true);
                    let input = input.is_some() && ready.next() == Some(true);
                    return Ok((input, output, error));
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read_output(&mut self) {
        match read_some(&mut self.output, &mut self.chunk[..]) {
            Some(0) => self.output = None,
            Some(count) => self.received.extend_from_slice(&self.chunk[..count]),
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
