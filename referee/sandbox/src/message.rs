//! What caller, supervisor and init say to each other over their socket, one message a packet.

use crate::ResourceLimits;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

/// The first message to supervisor and init; the program's standard input comes with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SpawnRequest {
    /// What to start; `None` to learn only which features the system lacks.
    pub(crate) program: Option<OsString>,
    pub(crate) arguments: Vec<OsString>,
    /// Where it runs, if not where the caller does.
    pub(crate) folder: Option<PathBuf>,
    /// What its environment has besides the caller's.
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Whether it is confined.
    pub(crate) confined: bool,
    pub(crate) allow_read: Vec<OsString>,
    /// Whether it may read its files without their folders.
    pub(crate) files_alone: bool,
    pub(crate) limits: ResourceLimits,
}

/// What the supervisor has created, as it tells the init.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SandboxSetup {
    /// Whether the init is process 1 of a PID namespace.
    pub(crate) own_processes: bool,
    /// Whether it has a mount namespace.
    pub(crate) own_mounts: bool,
    /// The `cgroup.procs` files through which a process enters its control groups.
    pub(crate) groups: Vec<OsString>,
    /// The file in which the kernel counts kills for want of memory.
    pub(crate) oom_kills: Option<OsString>,
    /// Whether a control group limits the processes.
    pub(crate) counted_processes: bool,
    /// The private folder, or where a private file system is mounted.
    pub(crate) folder: Option<OsString>,
    /// Missing features, a sentence each.
    pub(crate) missing: Vec<String>,
}

/// What the init reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The sandbox could not be set up. The program has not been started and is not to blame.
    SetupFailed { why: String },
    /// The sandbox is set up, and the program is started next. Whatever happens from now on may be its doing.
    Ready,
    /// The program runs; its pidfd comes along.
    Started { missing: Vec<String> },
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
}

/// What the caller asks of an init while the program runs.
pub(crate) const PAUSE: u8 = b'p';
pub(crate) const RESUME: u8 = b'r';

/// What the caller sends to a supervisor, with the files of the next program: its socket, its standard output
/// and error. The last two are missing where there is no program.
pub(crate) const SPAWN: u8 = b's';

/// What a supervisor sends when a program and all its processes are gone, and it can run another.
pub(crate) const IDLE: u8 = b'i';

/// The most files that come with a message.
const FILES: usize = 3;

/// The largest packet; a request that does not fit is refused where it is sent.
const LARGEST: usize = 1 << 17;

/// The largest packet of any other message, of which there may be some in every turn.
const LARGEST_SHORT: usize = 1 << 15;

/// Both ends of a conversation.
pub(crate) fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (family, kind) = (AddressFamily::UNIX, SocketType::SEQPACKET);
    Ok(socketpair(family, kind, SocketFlags::CLOEXEC, None)?)
}

/// Sends a message, with files to pass on.
pub(crate) fn send(
    socket: impl AsFd,
    message: &impl Serialize,
    files: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let bytes = serde_json::to_vec(message)?;
    if bytes.len() > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::ArgumentListTooLong,
            "the bot's command line is too long",
        ));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() {
        ancillary.push(SendAncillaryMessage::ScmRights(files));
    }
    let packet = [IoSlice::new(&bytes)];
    loop {
        match sendmsg(&socket, &packet, &mut ancillary, SendFlags::NOSIGNAL) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// What came over the socket.
pub(crate) enum Received<T> {
    /// A message, and the files that came with it.
    Message(T, Vec<OwnedFd>),
    /// No message yet; only of a call that does not block.
    Nothing,
    /// The other end is gone.
    End,
}

/// Receives a request.
pub(crate) fn receive_request(
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Received<SpawnRequest>> {
    receive_in(&mut vec![0; LARGEST], socket, flags)
}

/// Receives any other message.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Received<T>> {
    receive_in(&mut [0; LARGEST_SHORT], socket, flags)
}

fn receive_in<T: DeserializeOwned>(
    bytes: &mut [u8],
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Received<T>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let count = loop {
        let mut packet = [IoSliceMut::new(bytes)];
        let flags = flags | RecvFlags::CMSG_CLOEXEC;
        match recvmsg(&socket, &mut packet, &mut ancillary, flags) {
            Ok(message) => break message.bytes,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(Received::Nothing),
            Err(Errno::CONNRESET) => return Ok(Received::End),
            Err(error) => return Err(error.into()),
        }
    };
    if count == 0 {
        return Ok(Received::End);
    }
    let rights = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    let files = rights.flatten().collect();
    Ok(Received::Message(
        serde_json::from_slice(&bytes[..count])?,
        files,
    ))
}
