//! The warden: the first process inside the room. It confines itself, starts the bot, and reports.

use super::confine::confine;
use super::keeper::stay_silent;
use super::memory::Memory;
use super::message::{
    Cause, Ended, Facts, GO, Order, PAUSE, Received, Report, receive, receive_order, send,
};
use super::{is_want_of_means, namespaces, tree};
use crate::table::ExitKind;
use nix::sys::signal::{self, kill};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, kill_process_group, pidfd_open,
    set_parent_process_death_signal, wait,
};
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// Guards one bot; `facts` are the keeper's.
pub(super) fn run(facts: &OsStr) -> ExitCode {
    let Some(facts) = facts
        .to_str()
        .and_then(|text| serde_json::from_str(text).ok())
    else {
        return ExitCode::FAILURE;
    };
    let room = match make_ready(&facts) {
        Ok(Some(room)) => room,
        // The referee is gone already.
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            let why = format!("its room could not be set up: {error}");
            let _ = send(io::stdin(), &Report::NoRoom { why }, &[]);
            return ExitCode::FAILURE;
        }
    };
    match guard(&facts, room) {
        Ok(()) => ExitCode::SUCCESS,
        // The bot runs and may have had a hand in it: it falls with its guard.
        Err(_) => ExitCode::FAILURE,
    }
}

/// What the bot is started with, behind a locked door.
struct Locked {
    order: Order,
    input: Option<OwnedFd>,
    memory: Memory,
    gaps: Vec<String>,
}

fn make_ready(facts: &Facts) -> io::Result<Option<Locked>> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let Received::Message(order, files) = receive_order(io::stdin(), RecvFlags::empty())? else {
        return Ok(None);
    };
    let memory = Memory::watch(&order, facts);
    let mut gaps = Vec::new();
    if order.confined {
        for door in &facts.groups {
            std::fs::write(door, "0")?;
        }
        if facts.own_processes && facts.own_mounts {
            // Some containers refuse it; then names of other processes show, but nothing in them.
            let _ = namespaces::mount_proc();
        }
        gaps = confine(&order, facts)?;
    }
    Ok(Some(Locked {
        order,
        input: files.into_iter().next(),
        memory,
        gaps,
    }))
}

fn guard(facts: &Facts, room: Locked) -> io::Result<()> {
    let Locked {
        order,
        input,
        memory,
        gaps,
    } = room;
    let (Some(program), Some(input)) = (&order.program, input) else {
        return send(io::stdin(), &Report::Started { gaps }, &[]);
    };
    let mut command = Command::new(program);
    command.args(&order.arguments).stdin(input).process_group(0);
    command.envs(order.environment.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = &order.folder {
        command.current_dir(folder);
    }
    if let Some(folder) = &facts.folder {
        command.env("TMPDIR", folder);
    }
    // Before it runs: it may kill this process before anybody hears that it does.
    send(io::stdin(), &Report::Ready, &[])?;
    let bot = match command.spawn() {
        Ok(bot) => bot,
        Err(error) => {
            let why = format!("{}: {error}", program.to_string_lossy());
            let report = match is_want_of_means(&error) {
                true => Report::NoRoom { why },
                false => Report::CannotStart { why },
            };
            return send(io::stdin(), &report, &[]);
        }
    };
    // Its input is the bot's alone.
    command.stdin(Stdio::null());
    stay_silent()?;
    let pid = Pid::from_child(&bot);
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    send(io::stdin(), &Report::Started { gaps }, &[handle.as_fd()])?;
    Guarded {
        pid,
        handle,
        alone: facts.own_processes,
        memory,
        folder: facts
            .folder
            .as_ref()
            .map(PathBuf::from)
            .filter(|_| !facts.own_mounts),
        most_in_folder: order.limits.folder,
        overfull: false,
        ended: false,
    }
    .until_killed()
}

/// A bot that runs.
struct Guarded {
    pid: Pid,
    handle: OwnedFd,
    /// Whether nobody else's process is in sight.
    alone: bool,
    memory: Memory,
    /// A folder whose size nothing else limits.
    folder: Option<PathBuf>,
    most_in_folder: u64,
    /// Whether it wrote more than that.
    overfull: bool,
    ended: bool,
}

/// How often resident memory and the folder are looked at, where nothing else limits them.
const WATCHED_EVERY: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// How often orphans are buried.
const BURIED_EVERY: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

impl Guarded {
    /// Obeys the referee and reports, until the keeper ends it all.
    fn until_killed(mut self) -> io::Result<()> {
        let socket = io::stdin();
        loop {
            let watches = self.memory.needs_watching() || self.folder.is_some();
            let pause = if watches { WATCHED_EVERY } else { BURIED_EVERY };
            let mut fds = Vec::with_capacity(2);
            fds.push(PollFd::new(&socket, PollFlags::IN));
            if !self.ended {
                fds.push(PollFd::new(&self.handle, PollFlags::IN));
            }
            match poll(&mut fds, Some(&pause)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let asked = !fds[0].revents().is_empty();
            if asked && !self.obey()? {
                return Ok(());
            }
            if watches {
                self.watch();
            }
            self.bury()?;
        }
    }

    /// `false` when the referee is gone.
    fn obey(&self) -> io::Result<bool> {
        match receive::<u8>(io::stdin(), RecvFlags::DONTWAIT)? {
            Received::Message(PAUSE, _) => {
                self.signal(Signal::STOP);
                send(io::stdin(), &Report::Paused, &[])?;
            }
            Received::Message(GO, _) => self.signal(Signal::CONT),
            Received::Message(..) | Received::Nothing => {}
            Received::End => return Ok(false),
        }
        Ok(true)
    }

    /// To all processes of the bot; where others are in sight, to its process group.
    fn signal(&self, which: Signal) {
        if self.alone {
            let which = signal::Signal::try_from(which.as_raw()).ok();
            let _ = kill(nix::unistd::Pid::from_raw(-1), which);
        } else {
            let _ = kill_process_group(self.pid, which);
        }
    }

    fn watch(&mut self) {
        let too_full = |folder: &PathBuf| tree::size_of(folder) > self.most_in_folder;
        let over = self.memory.is_over(self.alone);
        self.overfull |= self.folder.as_ref().is_some_and(too_full);
        if over || self.overfull {
            self.signal(Signal::KILL);
        }
    }

    /// Reaps what has ended, and reports if it was the bot.
    fn bury(&mut self) -> io::Result<()> {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid != self.pid {
                continue;
            }
            let kind = match status.exit_status() {
                Some(code) => ExitKind::Code(code),
                None => ExitKind::Signal(status.terminating_signal().unwrap_or(0)),
            };
            let cause = if self.overfull {
                Cause::TooMuchWritten
            } else {
                self.memory.cause_of(kind)
            };
            self.ended = true;
            send(io::stdin(), &Report::Ended(Ended { kind, cause }), &[])?;
        }
        Ok(())
    }
}
