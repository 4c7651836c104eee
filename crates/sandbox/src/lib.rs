//! Runs an untrusted program, such as another author's bot.
//!
//! Two processes stand between the caller and the program:
//!
//! ```text
//! caller ── supervisor ── init ── program ── whatever it starts
//!           outside       inside the namespaces, confined like the program
//! ```
//!
//! The *supervisor* creates what outlives the program (control groups, a private folder, namespaces) and removes it. As
//! a subreaper, it inherits every orphan of the program. It runs one program at a time, and is reused once all
//! processes of the last one are gone. The *init* is the first process inside, as in a container: it confines itself
//! for good, starts the program, reaps, and reports how the program ended. A socket ties the supervisor to the caller.
//! When the caller ends, in whatever way, the socket closes, the supervisor kills the init, and the kernel kills the
//! rest of the PID namespace.
//!
//! docs/guide/sandbox.md states the guarantees and their limits, docs/dev/sandbox-design.md how they are kept. This
//! package does not talk with the program over its pipes. On systems other than Linux there is only the configuration,
//! and programs run as plain children.
//!
//! `config`, `environment`, `missing` and `run_folder` are the same everywhere; above them stand `linux` and, for
//! all other systems, `other`, with the same functions for this file.

mod config;
mod environment;
#[cfg(target_os = "linux")]
mod linux;
mod missing;
#[cfg(not(target_os = "linux"))]
mod other;
mod run_folder;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use other as system;

pub use config::{FOLDER_LIMIT, MEMORY_LIMIT, NamedFiles, Sandbox, SandboxMode, Suspension};
pub use environment::{inherited_environment, is_inherited};
#[cfg(target_os = "linux")]
pub use linux::{
    Activity, Cause, Ended, PipeName, ProcessClock, SandboxedChild, StartError, Started, Thread,
    ThreadClock, ThreadTimes, descendants, reaped_time, resident_memory,
};
pub use missing::{Feature, MissingFeature, is_resource_shortage};
pub use run_folder::RunFolder;
pub use system::{granted, is_shared_folder};

use std::process::ExitCode;

impl Sandbox {
    /// What the system lacks to confine a program fully. Nothing if the sandbox is off.
    ///
    /// # Errors
    /// When not even the supervisor can be started.
    pub fn missing_features(&self) -> std::io::Result<Vec<MissingFeature>> {
        if !self.confines() || self.supervisor.is_none() {
            return Ok(Vec::new());
        }
        system::missing_features(self)
    }
}

/// Runs this process as a supervisor, if it was started as one.
///
/// `main` calls this before it opens any file or starts a thread, because a supervisor closes all inherited files, and
/// forks.
pub fn run_if_supervisor() -> Option<ExitCode> {
    (std::env::args_os().nth(1)? == config::HIDDEN_COMMAND).then(system::supervise)
}
