//! A process's input and output, neither of which ever blocks the referee. Leaves out its standard error, which is read
//! [elsewhere](super::stderr).

use crownhead_record::judge::Profile;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, ioctl_fionread};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// The pipes of one bot. A pipe that has ended is `None`.
#[derive(Debug)]
pub(super) struct Pipes {
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    /// What the bot has not taken yet.
    unsent: Vec<u8>,
    /// What the bot has written and was not taken yet.
    pub(super) lines: Lines,
    chunk: Box<[u8; CHUNK]>,
    /// When the last wait ended, before anything was read.
    woke: Instant,
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
        profile: &Profile,
    ) -> io::Result<Pipes> {
        never_block(&input)?;
        never_block(&output)?;
        Ok(Pipes {
            input: Some(input),
            output: Some(output),
            unsent: Vec::new(),
            lines: Lines {
                returns_end: profile.returns_end_lines,
                ..Lines::default()
            },
            chunk: Box::new([0; CHUNK]),
            woke: Instant::now(),
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

    /// Closes the bot's standard input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
        self.unsent = Vec::new();
    }

    /// Closes all pipes: what the bot writes from now on is lost.
    pub(super) fn close_all(&mut self) {
        self.close_input();
        self.output = None;
    }

    /// How many bytes of what was sent the bot has not read; `None` once its input is closed. What a library has
    /// read ahead counts as read.
    pub(super) fn unread(&self) -> Option<usize> {
        let in_pipe = ioctl_fionread(self.input.as_ref()?).ok()?;
        Some(usize::try_from(in_pipe).ok()? + self.unsent.len())
    }

    /// Reads what is there now of the output.
    pub(super) fn read_output(&mut self) {
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

    /// The name of the bot's standard input, as the system shows it; `None` once it is closed.
    #[cfg(target_os = "linux")]
    pub(super) fn input_name(&self) -> Option<crownhead_sandbox::PipeName> {
        crownhead_sandbox::PipeName::of(self.input.as_ref()?)
    }

    /// Waits until the bot writes, reads or closes something, or `other` is readable, and reads and writes what
    /// it can; until `deadline` at the latest.
    pub(super) fn wait(
        &mut self,
        other: Option<BorrowedFd<'_>>,
        deadline: Instant,
    ) -> io::Result<Waited> {
        let late = Instant::now() >= deadline;
        let [output, input, other] = self.poll(other, deadline)?;
        self.woke = Instant::now();
        if input {
            self.flush();
        }
        if output {
            self.read_output();
        }
        // A bot that floods a pipe keeps something happening for ever: the deadline holds all the same.
        Ok(if late || !(output || input || other) {
            Waited::TimeUp
        } else {
            Waited::Something
        })
    }

    /// When the last wait ended: what it has read was there then. To read it may take long, if the bot holds the pipe.
    pub(super) fn woke(&self) -> Instant {
        self.woke
    }

    /// Whether the output, the input, if something is still to be sent, and `other` are ready: one of them, or the
    /// deadline has passed.
    fn poll(&self, other: Option<BorrowedFd<'_>>, deadline: Instant) -> io::Result<[bool; 3]> {
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

/// What was received and not taken yet.
#[derive(Clone, Default, Debug)]
pub(super) struct Lines {
    pub(super) bytes: Vec<u8>,
    /// Whether a carriage return ends a line, too.
    returns_end: bool,
    /// Whether the last line ended with a carriage return, whose line feed may be still to come.
    after_return: bool,
}

impl Lines {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete line, without its end.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        if self.after_return && !self.bytes.is_empty() {
            self.after_return = false;
            if self.bytes[0] == b'\n' {
                self.bytes.remove(0);
            }
        }
        let ends = |&byte: &u8| byte == b'\n' || (self.returns_end && byte == b'\r');
        let end = self.bytes.iter().position(ends)?;
        let line = self.bytes[..end].to_vec();
        self.after_return = self.bytes[end] == b'\r';
        self.bytes.drain(..=end);
        Some(line)
    }

    /// An unfinished last line, if there is one.
    pub(super) fn take_rest(&mut self) -> Option<Vec<u8>> {
        let rest = std::mem::take(&mut self.bytes);
        (!rest.is_empty()).then_some(rest)
    }
}

pub(super) fn never_block(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Lines;

    fn lines(returns_end: bool, pieces: &[&str]) -> Vec<String> {
        let mut lines = Lines {
            returns_end,
            ..Lines::default()
        };
        let mut found = Vec::new();
        for piece in pieces {
            lines.push(piece.as_bytes());
            while let Some(line) = lines.take() {
                found.push(String::from_utf8(line).unwrap());
            }
        }
        found
    }

    #[test]
    fn a_line_may_come_in_pieces_and_two_at_once() {
        assert_eq!(
            lines(false, &["A3", "B4", "\nC", "3\n\nD4"]),
            ["A3B4", "C3", ""]
        );
    }

    #[test]
    fn a_carriage_return_ends_a_line_where_the_profile_says_so() {
        assert_eq!(lines(true, &["a\rb\r\nc\r", "\nd\n"]), ["a", "b", "c", "d"]);
        assert_eq!(lines(false, &["a\rb\r\n"]), ["a\rb\r"]);
    }
}
