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
//! docs/guide/sandbox.md states the guarantees and their limits, docs/dev/sandbox-design.md how they are kept. On
//! systems other than Linux, programs run as plain children. This package does not know what is said over pipes.
//!
//! What differs between systems lies in this package alone:
//!
//! ```text
//! config  lines  program  environment         the same everywhere: what is asked for, and what is told
//! host: unix, windows                         commands, pipes, a group of processes, files
//! system: linux, other                        the sandbox, and what is seen of threads and cores
//! missing  run_folder  stderr  start          the same everywhere, by the functions of both
//! ```

mod config;
mod environment;
mod lines;
#[cfg(target_os = "linux")]
mod linux;
mod missing;
#[cfg(not(target_os = "linux"))]
mod other;
mod program;
mod run_folder;
mod start;
mod stderr;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
// Tested on every system.
#[cfg(any(windows, test))]
#[allow(unreachable_pub)]
#[path = "windows/words.rs"]
mod windows_words;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use other as system;
#[cfg(unix)]
use unix as host;
#[cfg(windows)]
use windows as host;

pub use config::{FOLDER_LIMIT, MEMORY_LIMIT, NamedFiles, Sandbox, SandboxMode, Suspension};
pub use environment::{inherited_environment, is_inherited};
pub use host::{
    Exit, FileLook, INTERRUPTS, OPENER, PYTHON, Pipes, check_writable, file_identity, free_space,
    host_name, interrupt, is_locked, is_program, join_words, launched, link, look_of, may_read,
    mode, set_mode, shell, split_words, stdout_file, temporary_file, try_lock, why_no_program,
};
pub use lines::Lines;
#[cfg(target_os = "linux")]
pub use linux::{SandboxedChild, Started};
pub use missing::{Feature, MissingFeature, is_resource_shortage};
pub use program::{
    Activities, Cause, Ended, ExitKind, OtherWork, ProcessGroup, StartError, Waited, Work,
};
pub use run_folder::RunFolder;
pub use start::{Program, Reception};
pub use stderr::{GameCores, StderrReader, Tail};
pub use system::{
    CoreClaim, Meter, StealMeter, WHY_NO_SANDBOX, claim_core, cores, give_way, granted,
    is_shared_folder, resident_memory,
};

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
