//! Keepers as the referee sees them: each is used for one bot after the other.

use super::message::{FREE, KEEP, Received, receive, send, socket_pair};
use super::{HIDDEN_COMMAND, Room, Sandbox};
use rustix::net::RecvFlags;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A keeper's process. When this is dropped, it has ended.
#[derive(Debug)]
pub(super) struct Employed {
    process: Child,
    /// `None` once it was let go.
    socket: Option<OwnedFd>,
    kind: Kind,
}

/// What a keeper cannot change about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Kind {
    crownhead: PathBuf,
    /// Whether it may have entered a namespace of users for its bots.
    confines: bool,
}

/// Those who wait for their next bot: never more than have been at work at once. They end with the referee.
static RESTING: Mutex<Vec<Employed>> = Mutex::new(Vec::new());

impl Employed {
    /// Gives a bot's files to a keeper that has none to keep.
    pub(super) fn set_to_work(room: &Room, files: &[BorrowedFd<'_>]) -> io::Result<Employed> {
        let crownhead = room.crownhead.clone().ok_or(io::ErrorKind::NotFound)?;
        let confines = room.sandbox != Sandbox::Off;
        let kind = Kind {
            crownhead,
            confines,
        };
        // Somebody may have killed a resting one.
        while let Some(keeper) = Employed::wake(&kind) {
            if keeper.ask(files).is_ok() {
                return Ok(keeper);
            }
        }
        let keeper = Employed::start(kind)?;
        keeper.ask(files)?;
        Ok(keeper)
    }

    fn wake(kind: &Kind) -> Option<Employed> {
        let mut resting = RESTING.lock().unwrap_or_else(PoisonError::into_inner);
        // The one who rested last: its pages are warm.
        let place = resting.iter().rposition(|keeper| keeper.kind == *kind)?;
        Some(resting.swap_remove(place))
    }

    fn start(kind: Kind) -> io::Result<Employed> {
        let (ours, theirs) = socket_pair()?;
        let process = Command::new(&kind.crownhead)
            .arg(HIDDEN_COMMAND)
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Employed {
            process,
            socket: Some(ours),
            kind,
        })
    }

    fn ask(&self, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        send(socket, &KEEP, files)
    }

    /// Waits until nothing is left of the bot; then the next can come.
    pub(super) fn rest(self) {
        let Some(socket) = &self.socket else { return };
        let answer = receive::<u8>(socket, RecvFlags::empty());
        if matches!(answer, Ok(Received::Message(FREE, _))) {
            let mut resting = RESTING.lock().unwrap_or_else(PoisonError::into_inner);
            resting.push(self);
        }
    }
}

impl Drop for Employed {
    fn drop(&mut self) {
        // It reads the end of its orders, and ends.
        self.socket = None;
        let _ = self.process.wait();
    }
}
