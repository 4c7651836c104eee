//! The keeper: outside the room, makes and removes what outlives the bot.
//!
//! It keeps one bot at a time, so that every orphan it inherits is that bot's, and is used again for the next:
//! starting a program costs more than all else it does.

use super::cgroup::Groups;
use super::message::{FREE, Facts, KEEP, Order, Received, receive, receive_order, send};
use super::{HIDDEN_COMMAND, namespaces, paths, tree};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process, pidfd_open, set_child_subreaper, setsid,
};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

/// Keeps one bot after the other, as the socket that is standard input asks for them.
pub(super) fn run() -> ExitCode {
    match keep_on() {
        Ok(()) => ExitCode::SUCCESS,
        // The socket closes, and the referee says that the bot's keeper has failed.
        Err(_) => ExitCode::FAILURE,
    }
}

fn keep_on() -> io::Result<()> {
    close_what_was_inherited()?;
    // A terminal's interrupt is for the referee.
    let _ = setsid();
    let _ = set_child_subreaper(Some(Pid::INIT));
    let mut privileged = false;
    while let Received::Message(KEEP, files) = receive::<u8>(io::stdin(), RecvFlags::empty())? {
        let mut files = files.into_iter();
        let socket = files.next().ok_or(io::ErrorKind::InvalidInput)?;
        // The warden takes the message itself, with the bot's input.
        if let Received::Message(order, seen) = receive_order(&socket, RecvFlags::PEEK)? {
            drop(seen);
            if order.confined && !privileged {
                namespaces::become_privileged();
                privileged = true;
            }
            // Namespaces are a thread's: with it they are left, and the next bot finds the system's own.
            let bot = move || keep(socket, &order, [files.next(), files.next()]);
            thread::Builder::new()
                .spawn(bot)?
                .join()
                .map_err(|_| io::Error::other("a panic"))??;
        }
        send(io::stdin(), &FREE, &[])?;
    }
    Ok(())
}

/// Closes all but the three standard files: whatever else whoever started the referee had left open would be
/// every bot's.
fn close_what_was_inherited() -> io::Result<()> {
    let numbers: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&number| number > 2)
        .collect();
    for number in numbers {
        // That of the listing is closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// Keeps one bot from its start until nothing is left of it.
fn keep(socket: OwnedFd, order: &Order, outputs: [Option<OwnedFd>; 2]) -> io::Result<()> {
    let made = Made::for_order(order)?;
    let kept = start_warden(&socket, &made.facts, outputs)
        .and_then(|warden| wait_for_the_end(warden, &socket));
    tree::kill_all_children();
    // All are dead: a referee that listens still need not wait until everything is put away.
    drop(socket);
    made.remove();
    kept
}

/// What the keeper has made and will remove.
struct Made {
    groups: Groups,
    folder: Option<PathBuf>,
    facts: Facts,
}

impl Made {
    fn for_order(order: &Order) -> io::Result<Made> {
        let mut made = Made {
            groups: Groups::default(),
            folder: None,
            facts: Facts::default(),
        };
        if !order.confined {
            return Ok(made);
        }
        let facts = &mut made.facts;
        made.groups = Groups::create(&order.limits);
        facts.groups = made.groups.doors().map(Into::into).collect();
        facts.kills = made.groups.kills.clone().map(Into::into);
        facts.counted_processes = made.groups.processes;
        namespaces::enter(facts);
        if facts.own_mounts {
            let mounted = namespaces::mount_folder(order.limits.folder, &paths::needed(order));
            facts.folder = mounted.map(Into::into);
        }
        if facts.folder.is_none() {
            facts.own_mounts = false;
            let folder = std::env::temp_dir().join(format!("crownhead-{}", std::process::id()));
            std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
            facts.folder = Some(folder.clone().into());
            made.folder = Some(folder);
        }
        Ok(made)
    }

    fn remove(&self) {
        if let Some(folder) = &self.folder {
            tree::remove(folder);
        }
        self.groups.remove();
    }
}

fn start_warden(
    socket: &OwnedFd,
    facts: &Facts,
    outputs: [Option<OwnedFd>; 2],
) -> io::Result<Child> {
    let [output, error] = outputs.map(|end| end.map_or_else(Stdio::null, Stdio::from));
    Command::new("/proc/self/exe")
        .arg(HIDDEN_COMMAND)
        .arg(serde_json::to_string(facts)?)
        .stdin(socket.try_clone()?)
        .stdout(output)
        .stderr(error)
        .spawn()
}

/// What swallows everything and holds nothing.
fn nothing() -> rustix::io::Result<OwnedFd> {
    rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
}

/// Gives up the bot's output and standard error, which would otherwise never end.
pub(super) fn stay_silent() -> io::Result<()> {
    let nothing = nothing()?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    Ok(())
}

/// Until the warden has ended or the referee is gone; the warden is dead then.
fn wait_for_the_end(mut warden: Child, socket: &OwnedFd) -> io::Result<()> {
    let handle = pidfd_open(Pid::from_child(&warden), PidfdFlags::empty())?;
    loop {
        let mut both = [
            PollFd::new(&handle, PollFlags::IN),
            // Only its end matters: what is said is the warden's to hear.
            PollFd::new(socket, PollFlags::RDHUP),
        ];
        match poll(&mut both, None) {
            Ok(_) => break,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let _ = kill_process(Pid::from_child(&warden), Signal::KILL);
    warden.wait()?;
    Ok(())
}
