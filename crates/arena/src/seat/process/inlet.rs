//! A connection by which a bot is sent its turns from elsewhere, and its lines go back. Leaves out whose it is.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

/// What is read at once.
const CHUNK: usize = 1 << 14;

/// A connection that never blocks.
#[derive(Debug)]
pub(crate) struct Inlet {
    socket: UnixStream,
    ended: bool,
    /// What has come since it was taken last.
    received: Vec<u8>,
    /// What the other end has not taken yet.
    unsent: Vec<u8>,
}

impl Inlet {
    /// That of a connected socket.
    pub(crate) fn new(socket: UnixStream) -> io::Result<Inlet> {
        socket.set_nonblocking(true)?;
        Ok(Inlet {
            socket,
            ended: false,
            received: Vec::new(),
            unsent: Vec::new(),
        })
    }

    /// What has come now; it is [taken](Self::take_received) besides.
    pub(super) fn receive(&mut self) -> Vec<u8> {
        let mut chunk = [0; CHUNK];
        let mut all = Vec::new();
        while !self.ended {
            match self.socket.read(&mut chunk) {
                Ok(count @ 1..) => all.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // A connection that was broken off has ended too.
                Ok(0) | Err(_) => self.ended = true,
            }
        }
        self.received.extend_from_slice(&all);
        all
    }

    /// All that has come since this was asked last.
    pub(crate) fn take_received(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.received)
    }

    /// Whether nothing more will come.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Sends a line; what is not taken now goes out with the next one, or when it is [flushed](Self::flush).
    pub(crate) fn send_line(&mut self, line: &[u8]) {
        self.unsent.extend_from_slice(line);
        self.unsent.push(b'\n');
        self.flush();
    }

    /// Sends what was not taken before. What the other end does not want any more is dropped.
    pub(crate) fn flush(&mut self) {
        while !self.unsent.is_empty() {
            match self.socket.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.unsent.clear(),
            }
        }
    }
}

/// What is relayed to a bot that is asked, and whom else there is something for.
#[derive(Debug)]
pub(crate) struct Incoming<'a> {
    pub(crate) inlet: &'a mut Inlet,
    /// The inlets of the other bots.
    pub(crate) others: Vec<BorrowedFd<'a>>,
}

impl Incoming<'_> {
    /// Whether something has come for another bot.
    pub(super) fn is_for_another(&self) -> bool {
        let others = self.others.iter();
        let mut fds: Vec<PollFd<'_>> = others
            .map(|&other| PollFd::from_borrowed_fd(other, PollFlags::IN))
            .collect();
        poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }
}

impl AsFd for Inlet {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
