//! The messages between caller, supervisor and init over their sockets, one a packet.
//!
//! No open files come with a message: the kernel counts those that are under way for each user (`ETOOMANYREFS` in
//! unix(7)), so that one program could keep the next from being started.

use crate::config::ResourceLimits;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send as send_packet,
    socketpair,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::time::Instant;

/// The first argument of a supervisor whose programs are confined; the second, if there is one, is the reason why it
/// must not create a user namespace.
pub(super) const CONFINES: &str = "confines";

/// The first argument of one whose programs are not confined.
pub(super) const SUPERVISES: &str = "supervises";

/// What a supervisor is to run next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SpawnRequest {
    /// What to start; `None` to learn only which features the system lacks.
    pub(super) program: Option<OsString>,
    pub(super) arguments: Vec<OsString>,
    /// Where it runs, if not where the caller does.
    pub(super) folder: Option<PathBuf>,
    /// What its environment has besides the caller's.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Whether it is confined.
    pub(super) confined: bool,
    pub(super) allow_read: Vec<OsString>,
    pub(super) allow_write: Vec<OsString>,
    /// Whether it may read its files without their folders.
    pub(super) files_alone: bool,
    pub(super) limits: ResourceLimits,
    /// The cores it may use; all where empty.
    pub(super) cores: Vec<usize>,
}

/// What supervisor and init report; the supervisor passes on the init's reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum SandboxReport {
    /// The supervisor can run a program. These are its numbers for the caller's ends of the program's standard input,
    /// output and error, which the caller opens through `/proc` before it sends its request.
    Idle { pipes: [RawFd; 3] },
    /// The supervisor has got into a user namespace in which nothing is permitted, and ends.
    Stranded { why: String },
    /// The sandbox could not be set up. The program has not been started and is not to blame.
    SetupFailed { why: String },
    /// The sandbox is set up, and the program is started next.
    Ready {
        /// Whether the program can signal its init.
        init_in_reach: bool,
    },
    /// The program runs, or there is none.
    Started {
        /// In the init's PID namespace where the init sends it, in the caller's where the supervisor does.
        pid: Option<u32>,
        /// What its sandbox lacks, a sentence each.
        missing: Vec<String>,
    },
    /// The program could not be started.
    CannotStart { why: String },
    /// The program has ended.
    Ended {
        /// As `wait` gives it.
        wait_status: i32,
        cause: Cause,
    },
    /// All processes of the program are stopped.
    Paused,
}

impl SandboxReport {
    pub(super) fn setup_failed(error: &io::Error) -> SandboxReport {
        let why = format!("its sandbox could not be set up: {error}");
        SandboxReport::SetupFailed { why }
    }
}

/// What is known of the reason why a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Cause {
    /// Its own.
    Own,
    /// Its own, but it had used most of the memory it may.
    NearMemoryLimit,
    /// It was killed for using too much memory.
    MemoryLimit,
    /// It was killed for writing too much into its temporary folder.
    FolderLimit,
    /// Supervisor or init have failed, and the program was killed with them.
    SandboxFailed,
}

/// The caller's requests while the program runs.
pub(super) const PAUSE: u8 = b'p';
pub(super) const RESUME: u8 = b'r';

/// The request to end the program with all its processes.
pub(super) const END: u8 = b'e';

/// The largest packet; a request that does not fit is refused where it is sent.
const LARGEST: usize = 1 << 17;

/// The largest packet of any other message, of which there may be some in every turn.
const LARGEST_SHORT: usize = 1 << 15;

/// Both ends of a conversation.
pub(super) fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (family, kind) = (AddressFamily::UNIX, SocketType::SEQPACKET);
    Ok(socketpair(family, kind, SocketFlags::CLOEXEC, None)?)
}

/// Sends a message.
///
/// # Errors
/// When it is too long ([`io::ErrorKind::ArgumentListTooLong`]), or the other end is gone.
pub(super) fn send(socket: impl AsFd, message: &impl Serialize) -> io::Result<()> {
    let bytes = serde_json::to_vec(message)?;
    if bytes.len() > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::ArgumentListTooLong,
            "the bot's command line is too long",
        ));
    }
    loop {
        match send_packet(&socket, &bytes, SendFlags::NOSIGNAL) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// What came over the socket.
pub(super) enum Received<T> {
    /// A message.
    Message(T),
    /// No message yet; only of a call that does not block.
    Nothing,
    /// The other end is gone.
    End,
}

/// Receives a request.
pub(super) fn receive_request(socket: impl AsFd) -> io::Result<Received<SpawnRequest>> {
    receive_in(&mut vec![0; LARGEST], socket, RecvFlags::empty())
}

/// Receives any other message.
pub(super) fn receive<T: DeserializeOwned>(
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Received<T>> {
    receive_in(&mut [0; LARGEST_SHORT], socket, flags)
}

/// Receives any other message, if one comes until the deadline.
pub(super) fn receive_until<T: DeserializeOwned>(
    socket: impl AsFd,
    deadline: Instant,
) -> io::Result<Received<T>> {
    let left = deadline.saturating_duration_since(Instant::now());
    let left = Timespec::try_from(left).ok();
    match poll(&mut [PollFd::new(&socket, PollFlags::IN)], left.as_ref()) {
        Ok(0) => Ok(Received::Nothing),
        Ok(_) | Err(Errno::INTR) => receive(socket, RecvFlags::DONTWAIT),
        Err(error) => Err(error.into()),
    }
}

fn receive_in<T: DeserializeOwned>(
    bytes: &mut [u8],
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Received<T>> {
    let count = loop {
        match recv(&socket, &mut *bytes, flags) {
            Ok((count, _)) => break count,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(Received::Nothing),
            Err(Errno::CONNRESET) => return Ok(Received::End),
            Err(error) => return Err(error.into()),
        }
    };
    match count {
        0 => Ok(Received::End),
        _ => Ok(Received::Message(serde_json::from_slice(&bytes[..count])?)),
    }
}
