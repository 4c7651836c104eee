//! A program's input and output, neither of which ever blocks the caller, on Unix. Leaves out the thread that reads its
//! standard error.

use crate::lines::Lines;
use crate::program::Waited;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, ioctl_fionread};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// The pipes of one program. A pipe that has ended is `None`.
#[derive(Debug)]
pub struct Pipes {
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    /// What the program has not taken yet.
    unsent: Vec<u8>,
    /// What the program has written and was not taken yet.
    pub lines: Lines,
    chunk: Box<[u8; CHUNK]>,
    /// When the last wait ended, before anything was read.
    woke: Instant,
}

/// What becomes readable when a program ends.
pub type Exit<'a> = BorrowedFd<'a>;

/// What is read at once.
const CHUNK: usize = 1 << 14;

impl Pipes {
    /// The caller's ends of a program's pipes.
    pub(crate) fn new(
        input: ChildStdin,
        output: ChildStdout,
        returns_end: bool,
    ) -> io::Result<Pipes> {
        never_block(&input)?;
        never_block(&output)?;
        Ok(Pipes {
            input: Some(input),
            output: Some(output),
            unsent: Vec::new(),
            lines: Lines::new(returns_end),
            chunk: Box::new([0; CHUNK]),
            woke: Instant::now(),
        })
    }

    /// Sends `bytes`; what the pipe does not take now goes out while waiting.
    pub fn send(&mut self, bytes: &[u8]) {
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

    /// The next line the program has written, without its end. A last line may lack it.
    pub fn take_line(&mut self) -> Option<Vec<u8>> {
        let line = self.lines.take();
        if line.is_none() && self.output.is_none() {
            return self.lines.take_rest();
        }
        line
    }

    /// Whether the program's output has ended and all of it was read.
    pub fn output_ended(&self) -> bool {
        self.output.is_none()
    }

    /// Whether the program, and all that share its input, have closed it.
    pub fn input_closed(&self) -> bool {
        let Some(input) = &self.input else {
            return true;
        };
        // macOS looks only at what is asked for, and calls it a hangup.
        let mut fds = [PollFd::new(input, PollFlags::OUT)];
        let now = Timespec::default();
        let closed = PollFlags::ERR | PollFlags::HUP;
        poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().intersects(closed)
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.input = None;
        self.unsent = Vec::new();
    }

    /// Closes all pipes: what the program writes from now on is lost.
    pub fn close_all(&mut self) {
        self.close_input();
        self.output = None;
    }

    /// How many bytes of what was sent the program has not read; `None` once its input is closed, and where the system
    /// does not show it. What a library has read ahead counts as read.
    pub fn unread(&self) -> Option<usize> {
        // There, an end of a pipe only counts what waits at that end.
        if cfg!(target_os = "macos") {
            return None;
        }
        let in_pipe = ioctl_fionread(self.input.as_ref()?).ok()?;
        Some(usize::try_from(in_pipe).ok()? + self.unsent.len())
    }

    /// Reads what is there now of the output.
    pub fn read_output(&mut self) {
        let Some(output) = &mut self.output else {
            return;
        };
        let read = loop {
            match output.read(&mut self.chunk[..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        match read {
            Ok(count @ 1..) => self.lines.push(&self.chunk[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            _ => self.output = None,
        }
    }

    /// The program's standard input, until it is closed.
    #[cfg(target_os = "linux")]
    pub(crate) fn input(&self) -> Option<&ChildStdin> {
        self.input.as_ref()
    }

    /// Waits until the program writes, reads or closes something, or `other` is readable, and reads and writes what
    /// it can; until `deadline` at the latest.
    ///
    /// # Errors
    /// When the system cannot wait.
    pub fn wait(&mut self, other: Option<Exit<'_>>, deadline: Instant) -> io::Result<Waited> {
        let late = Instant::now() >= deadline;
        let [output, input, other] = self.poll(other, deadline)?;
        self.woke = Instant::now();
        if input {
            self.flush();
        }
        if output {
            self.read_output();
        }
        // A program that floods a pipe keeps something happening for ever: the deadline holds all the same.
        Ok(if late || !(output || input || other) {
            Waited::TimeUp
        } else {
            Waited::Something
        })
    }

    /// When the last wait ended: what it has read was there then. To read it may take long, if the program holds the pipe.
    pub fn woke(&self) -> Instant {
        self.woke
    }

    /// Whether the output, the input, if something is still to be sent, and `other` are ready: one of them, or the
    /// deadline has passed.
    fn poll(&self, other: Option<Exit<'_>>, deadline: Instant) -> io::Result<[bool; 3]> {
        let unsent = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let files = [
            (self.output.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (unsent.map(AsFd::as_fd), PollFlags::OUT),
            (other, PollFlags::IN),
        ];
        let watched = |(file, events)| Some(PollFd::from_borrowed_fd(file?, events));
        let mut fds: Vec<PollFd<'_>> = files.into_iter().filter_map(watched).collect();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).ok();
            match poll(&mut fds, left.as_ref()) {
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(files.map(|(file, _)| file.is_some() && ready.next().unwrap_or_default()))
    }
}

pub(crate) fn never_block(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?;
    Ok(())
}

/// The pipe of standard error, as a file.
pub(crate) fn file_of(pipe: ChildStderr) -> File {
    OwnedFd::from(pipe).into()
}

/// Whether there is something to read, or the end, within this time; `None` if the pipe fails. Takes no lock of the
/// pipe's: polling does not (`pipe_poll` in the kernel's source).
pub(crate) fn is_readable(pipe: &File, within: Duration) -> Option<bool> {
    let within = Timespec::try_from(within).ok();
    match poll(&mut [PollFd::new(pipe, PollFlags::IN)], within.as_ref()) {
        Ok(0) | Err(Errno::INTR) => Some(false),
        Ok(_) => Some(true),
        Err(_) => None,
    }
}

/// Reads what is there now.
pub(crate) fn read_now(mut pipe: &File, chunk: &mut [u8]) -> io::Result<usize> {
    pipe.read(chunk)
}
