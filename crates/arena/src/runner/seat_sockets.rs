//! The sockets by which an external referee that starts the bots itself reaches those that run here.

use crate::seat::Inlet;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use tempfile::TempDir;

/// The name by which this program is started.
const PROGRAM: &str = "crownhead";

/// A socket for each player of one game, in a folder that is for this user alone.
pub(super) struct SeatSockets {
    folder: TempDir,
    links: Vec<Link>,
}

/// The way to a player's bot.
pub(super) enum Link {
    /// The referee has not connected yet.
    Awaited(UnixListener),
    /// It has.
    Open(Inlet),
    /// The bot or the referee is done with it.
    Closed,
}

impl SeatSockets {
    /// Sockets for so many players. `crownhead` is this program.
    pub(super) fn open(crownhead: &Path, players: usize) -> io::Result<SeatSockets> {
        let folder = tempfile::tempdir()?;
        // Its own path may have spaces.
        symlink(crownhead, folder.path().join(PROGRAM))?;
        let links = (1..=players).map(|number| {
            let listener = UnixListener::bind(folder.path().join(number.to_string()))?;
            listener.set_nonblocking(true)?;
            Ok(Link::Awaited(listener))
        });
        let links = links.collect::<io::Result<_>>()?;
        Ok(SeatSockets { folder, links })
    }

    /// The commands that connect to them. Referees cut these at spaces or give them to a shell: they mean the same to
    /// both.
    pub(super) fn commands(&self) -> io::Result<Vec<String>> {
        let folder = self.folder.path();
        let is_plain = |&byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
        let text = folder
            .to_str()
            .filter(|text| text.as_bytes().iter().all(is_plain));
        let text = text.ok_or_else(|| {
            io::Error::other(format!(
                "the folder {} cannot stand in its commands; set TMPDIR to one without spaces and signs",
                folder.display()
            ))
        })?;
        let command = |number| format!("{text}/{PROGRAM} seat {text}/{number}");
        Ok((1..=self.links.len()).map(command).collect())
    }

    /// The links by players, and the folder, which is to be kept as long.
    pub(super) fn into_links(self) -> (TempDir, Vec<Link>) {
        (self.folder, self.links)
    }
}

impl Link {
    /// What becomes readable when something happens.
    pub(super) fn awaited(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Link::Awaited(listener) => Some(listener.as_fd()),
            Link::Open(inlet) => Some(inlet.as_fd()),
            Link::Closed => None,
        }
    }

    /// The connection, while it is there.
    pub(super) fn open(&self) -> Option<&Inlet> {
        match self {
            Link::Open(inlet) => Some(inlet),
            Link::Awaited(_) | Link::Closed => None,
        }
    }

    /// Takes the connection for which it waits, the first alone; whether one has come.
    pub(super) fn accept(&mut self) -> io::Result<bool> {
        let Link::Awaited(listener) = self else {
            return Ok(false);
        };
        match listener.accept() {
            Ok((socket, _)) => *self = Link::Open(Inlet::new(socket)?),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error),
        }
        Ok(true)
    }
}
