//! What referee, keeper and warden say to each other over their socket, one message a packet.

use crate::room::Limits;
use crate::table::ExitKind;
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

/// The first message to keeper and warden; the bot's input comes with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// What to start; `None` to see only what the system lacks.
    pub(crate) program: Option<OsString>,
    pub(crate) arguments: Vec<OsString>,
    /// Where it runs, if not where the referee does.
    pub(crate) folder: Option<PathBuf>,
    /// What its environment has besides the referee's.
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Whether the door is locked.
    pub(crate) confined: bool,
    pub(crate) allow_read: Vec<OsString>,
    pub(crate) limits: Limits,
}

/// What the keeper tells the warden about what it has made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Whether the warden is the first process of a namespace of its own.
    pub(crate) own_processes: bool,
    /// Whether it has its own mounts.
    pub(crate) own_mounts: bool,
    /// The files that take a process into a control group.
    pub(crate) groups: Vec<OsString>,
    /// The file in which kills for want of memory are counted.
    pub(crate) kills: Option<OsString>,
    /// Whether a control group limits the processes.
    pub(crate) counted_processes: bool,
    /// The private folder, or where a private file system is mounted.
    pub(crate) folder: Option<OsString>,
    /// What could not be had.
    pub(crate) gaps: Vec<String>,
}

/// What the warden reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The room could not be made ready: no fault of the bot's, which has not been started.
    NoRoom { why: String },
    /// The room is ready, and the bot is started next. Whatever happens from now on may be its doing.
    Ready,
    /// The bot runs; a handle of its process comes along.
    Started { gaps: Vec<String> },
    /// Its program could not be started.
    CannotStart { why: String },
    /// It has ended.
    Ended(Ended),
    /// All its processes stand still.
    Paused,
}

/// How the bot's process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub(crate) kind: ExitKind,
    pub(crate) cause: Cause,
}

/// What is known of the reason when it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Cause {
    /// Its own.
    Own,
    /// Its own, but it had used most of the memory it may.
    ShortOfMemory,
    /// It was killed for using too much memory.
    TooMuchMemory,
    /// It was killed for writing too much into its temporary folder.
    TooMuchWritten,
}

/// What the referee asks of a warden while the bot runs.
pub(crate) const PAUSE: u8 = b'p';
pub(crate) const GO: u8 = b'g';

/// What the referee says to a keeper with the files of the next bot: its socket, its output, its standard
/// error. The last two are missing where there is no bot.
pub(crate) const KEEP: u8 = b'k';

/// What a keeper says when nothing is left of a bot, and it can keep another.
pub(crate) const FREE: u8 = b'f';

/// The most files that come with a message.
const FILES: usize = 3;

/// Longer than any order: a packet that does not fit is refused where it is sent.
const LONGEST: usize = 1 << 17;

/// Longer than any other message, of which there may be some in every turn.
const SHORT: usize = 1 << 15;

/// Both ends of a conversation.
pub(crate) fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (family, kind) = (AddressFamily::UNIX, SocketType::SEQPACKET);
    Ok(socketpair(family, kind, SocketFlags::CLOEXEC, None)?)
}

/// Sends a message, with files to hand over.
pub(crate) fn send(
    socket: impl AsFd,
    message: &impl Serialize,
    files: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let bytes = serde_json::to_vec(message)?;
    if bytes.len() > LONGEST {
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
    /// Nothing yet; only of a socket that never blocks.
    Nothing,
    /// The other end is gone.
    End,
}

/// Receives an order.
pub(crate) fn receive_order(socket: impl AsFd, flags: RecvFlags) -> io::Result<Received<Order>> {
    receive_in(&mut vec![0; LONGEST], socket, flags)
}

/// Receives any other message.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Received<T>> {
    receive_in(&mut [0; SHORT], socket, flags)
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
