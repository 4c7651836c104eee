//! The locked room: where a bot, which is somebody else's program, runs.
//!
//! Three processes stand between the referee and a bot, all of this one binary:
//!
//! ```text
//! referee ── keeper ── warden ── bot ── whatever the bot starts
//!            outside   inside the namespaces, confined like the bot
//! ```
//!
//! The *keeper* makes what must outlive the bot (control groups, a private folder, namespaces) and removes it;
//! every orphan of the bot becomes its child. When nothing is left of the bot, the keeper waits for the next one:
//! a keeper has one bot at a time, and serves many games. The *warden* is the first process inside: it confines itself for
//! good, starts the bot, and reports how the bot ended. A socket ties all of them to the referee: when the
//! referee is gone, however it went, the socket closes, the keeper kills the warden, and with the warden goes
//! the whole namespace.
//!
//! Promises and limits are told in SECURITY.md. Leaves out the talk with the bot ([`seat`](crate::seat)).
//! On other systems than Linux there is no room, and bots run as the referee's plain children.

#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod employed;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg(target_os = "linux")]
mod kept;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod message;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod paths;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod warden;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[cfg(target_os = "linux")]
pub(crate) use kept::{Kept, Unstarted};
#[cfg(target_os = "linux")]
pub(crate) use message::{Cause, Ended};

/// Where a bot runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// The program `crownhead`, whose hidden command keeps the bot. Without it a bot is a plain child in a
    /// process group of its own, as on systems that have no room.
    pub crownhead: Option<PathBuf>,
    /// Whether the door is locked.
    pub sandbox: Sandbox,
    /// What a bot may read besides its own folder and what programs need to run.
    pub allow_read: Vec<PathBuf>,
    /// How much of the machine a bot may use.
    pub limits: Limits,
}

/// Whether a bot is locked in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sandbox {
    /// As far as the system allows; what it does not is said once.
    #[default]
    Auto,
    /// Or not at all: nothing runs where the system does not allow all of it.
    Require,
    /// Not. Its processes are still counted and ended with the game.
    Off,
}

/// How much of the machine a bot may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u32,
    /// Open files of one process.
    pub open_files: u64,
    /// Bytes in its temporary folder, and in any one file.
    pub folder: u64,
}

impl Default for Limits {
    /// 768 MB as in the contest (stated); the others are ours, wide enough for Java and Node.
    fn default() -> Limits {
        Limits {
            memory: 768 << 20,
            processes: 256,
            open_files: 1024,
            folder: 64 << 20,
        }
    }
}

impl Room {
    /// No room: bots are plain children.
    pub fn none() -> Room {
        Room {
            crownhead: None,
            sandbox: Sandbox::Off,
            allow_read: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// What the system lacks to keep the promises of a locked room, a sentence each; nothing where the
    /// sandbox is off.
    ///
    /// # Errors
    /// When not even the keeper can be started.
    pub fn gaps(&self) -> std::io::Result<Vec<String>> {
        match (self.sandbox, &self.crownhead) {
            (Sandbox::Off, _) | (_, None) => Ok(Vec::new()),
            #[cfg(target_os = "linux")]
            (_, Some(_)) => Kept::try_the_room(self),
            #[cfg(not(target_os = "linux"))]
            (_, Some(_)) => Ok(vec![
                "this system is not Linux: bots can read, write and connect as you can".into(),
            ]),
        }
    }
}

/// Whether a program was not started for want of means: files, processes or memory of the whole machine or user.
/// No program can bring that about that does not run yet.
pub(crate) fn is_want_of_means(error: &std::io::Error) -> bool {
    use rustix::io::Errno;
    let scarce = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| scarce.contains(&errno))
}

/// The word that makes the program a keeper or a warden instead of the referee.
const HIDDEN_COMMAND: &str = "keep-a-bot";

/// Runs this process as a keeper or a warden, if that is what it was started as.
pub fn run_if_asked() -> Option<std::process::ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next()? != HIDDEN_COMMAND {
        return None;
    }
    #[cfg(target_os = "linux")]
    return Some(match words.next() {
        None => keeper::run(),
        Some(facts) => warden::run(&facts),
    });
    #[cfg(not(target_os = "linux"))]
    return Some(std::process::ExitCode::FAILURE);
}
