//! The messages between caller, supervisor and init over their sockets, one a packet.
//!
//! Messages carry no open files. The kernel limits for each user how many are in flight (`ETOOMANYREFS` in unix(7)), so
//! one program could keep the next from starting.

use crate::config::Sandbox;
use crate::missing::MissingFeature;
use crate::program::{Ended, StartError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
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

/// What a supervisor is to run next.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SpawnRequest {
    /// What to start. `None` only finds out which features the system lacks.
    pub(super) program: Option<OsString>,
    pub(super) arguments: Vec<OsString>,
    /// The folder that it runs in, if not the caller's.
    pub(super) folder: Option<OsString>,
    /// Its variables, in addition to those that all programs get from the caller.
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) sandbox: Sandbox,
}

/// What supervisor and init report; the supervisor passes on the init's reports.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum SandboxReport {
    /// The supervisor can run a program. These are its numbers for the caller's ends of the program's standard input,
    /// output and error, which the caller opens through `/proc` before it sends its request.
    Idle { pipes: [RawFd; 3] },
    /// The sandbox is set up, and the program is started next.
    Ready {
        /// Whether the program can signal its init.
        init_in_reach: bool,
    },
    /// The program runs or none was requested; or it does not run.
    Start(Result<Started, StartError>),
    /// The program has ended.
    Ended(Ended),
    /// All processes of the program are stopped, or run again, as requested.
    Done,
}

/// A program that runs.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Started {
    /// Its pid in the caller's PID namespace, if known. In the init's own report, its pid in the init's namespace.
    pub pid: Option<u32>,
    /// What its sandbox lacks.
    pub missing: Vec<MissingFeature>,
    /// Whether none of its processes can continue a process that a signal stopped.
    pub stays_stopped: bool,
    /// Its control groups, as its supervisor names them.
    pub(super) groups: Vec<PathBuf>,
}

impl SandboxReport {
    pub(super) fn setup_failed(error: &io::Error) -> SandboxReport {
        let why = format!("its sandbox could not be set up: {error}");
        SandboxReport::Start(Err(StartError::Sandbox(why)))
    }
}

/// The caller's requests while the program runs.
pub(super) const PAUSE: u8 = b'p';
pub(super) const RESUME: u8 = b'r';

/// The request to end the program with all its processes.
pub(super) const END: u8 = b'e';

/// The largest packet. The sender refuses a request that does not fit.
const LARGEST: usize = 1 << 17;

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
    retry_on_intr(|| send_packet(&socket, &bytes, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// Receives a message. `None` if the call does not block and there is none yet.
///
/// # Errors
/// When the other end is gone, or has sent something else.
pub(super) fn receive<T: DeserializeOwned>(
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Option<T>> {
    // Peeking at the packet gives its length.
    let look = flags | RecvFlags::PEEK | RecvFlags::TRUNC;
    let length = match retry_on_intr(|| recv(&socket, &mut [0; 0][..], look)) {
        Ok((_, 0)) => return Err(io::ErrorKind::BrokenPipe.into()),
        Ok((_, length)) => length,
        Err(Errno::AGAIN) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut bytes = vec![0; length];
    retry_on_intr(|| recv(&socket, &mut bytes[..], flags))?;
    Ok(Some(serde_json::from_slice(&bytes)?))
}

/// Receives a message, if one arrives by the deadline.
pub(super) fn receive_until<T: DeserializeOwned>(
    socket: impl AsFd,
    deadline: Instant,
) -> io::Result<Option<T>> {
    let left = deadline.saturating_duration_since(Instant::now());
    let left = Timespec::try_from(left).ok();
    match poll(&mut [PollFd::new(&socket, PollFlags::IN)], left.as_ref()) {
        Ok(0) => Ok(None),
        Ok(_) | Err(Errno::INTR) => receive(socket, RecvFlags::DONTWAIT),
        Err(error) => Err(error.into()),
    }
}
