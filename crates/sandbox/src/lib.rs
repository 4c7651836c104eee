//! Runs an untrusted program, such as another author's bot.
//!
//! Two processes stand between the caller and the program:
//!
//! ```text
//! caller ── supervisor ── init ── program ── whatever it starts
//!           outside       inside the namespaces, confined like the program
//! ```
//!
//! The *supervisor* creates what outlives the program (control groups, a private folder, namespaces) and removes
//! it; as a subreaper it inherits every orphan of the program. It runs one program at a time, and is reused for
//! the next once nothing is left of the last. The *init* is the first process inside, as in a container: it
//! confines itself for good, starts the program, reaps, and reports how the program ended. A socket ties the
//! supervisor to the caller: when the caller is gone, however it ended, the socket closes, the supervisor kills the
//! init, and the kernel kills the rest of the PID namespace.
//!
//! SECURITY.md states the guarantees and their limits. This package leaves out the dialogue with the program over
//! its pipes. On systems other than Linux there is only the configuration, and programs run as plain children.

#[cfg(target_os = "linux")]
mod affinity;
#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod copies;
#[cfg(target_os = "linux")]
mod freezer;
#[cfg(target_os = "linux")]
mod identity;
#[cfg(target_os = "linux")]
mod init;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod message;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod paths;
#[cfg(target_os = "linux")]
mod pool;
#[cfg(target_os = "linux")]
mod relay;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod subordinate;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod sys;
#[cfg(target_os = "linux")]
mod threads;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod usage;

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
pub use child::{Ended, Pipes, SandboxedChild, StartError, Started};
#[cfg(target_os = "linux")]
pub use message::Cause;
#[cfg(target_os = "linux")]
pub use sys::ProcessClock;
#[cfg(target_os = "linux")]
pub use threads::{Activity, PipeName, Thread, ThreadClock, ThreadTimes};
#[cfg(target_os = "linux")]
pub use tree::{descendants, reaped_time, resident_memory};

/// The variables by which the caller itself is told secrets: no program's environment has them.
pub const SECRETS: [&str; 1] = ["PGPASSWORD"];

/// Where and how a program runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sandbox {
    /// The binary whose `main` calls [`run_if_supervisor`]. Without it a program is a plain child in a process
    /// group of its own, as on systems other than Linux.
    pub supervisor: Option<PathBuf>,
    /// Whether the program is confined.
    pub mode: SandboxMode,
    /// What the program may read besides its own folder and what programs need to run.
    pub allow_read: Vec<PathBuf>,
    /// The folders that it may write besides its temporary one, and read.
    pub allow_write: Vec<PathBuf>,
    /// Whether it may read of its own only the files that its command line names, and not their folders. Without a
    /// folder to run in it then runs in its private one.
    pub files_alone: bool,
    /// How much of the machine the program may use.
    pub limits: ResourceLimits,
    /// The cores that it may use, by their numbers; all of the caller's where none are named. A program that is
    /// confined cannot widen them.
    pub cores: Vec<usize>,
}

/// Whether a program is confined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    /// As far as the system allows.
    #[default]
    Auto,
    /// Fully: a program is not started where the system lacks a feature for it.
    Require,
    /// Not at all. Its processes are still supervised, and killed in the end.
    Off,
}

impl SandboxMode {
    /// All of them.
    pub const ALL: [SandboxMode; 3] = [SandboxMode::Auto, SandboxMode::Require, SandboxMode::Off];

    /// What people call it: `auto`, say.
    pub const fn name(self) -> &'static str {
        match self {
            SandboxMode::Auto => "auto",
            SandboxMode::Require => "require",
            SandboxMode::Off => "off",
        }
    }
}

/// How much of the machine a program may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u32,
    /// Open files of one process.
    pub open_files: u64,
    /// Bytes in its temporary folder, and in any one file.
    pub folder: u64,
}

impl Default for ResourceLimits {
    /// 768 MB as in the contest (stated); the others are ours, wide enough for Java and Node.
    fn default() -> ResourceLimits {
        ResourceLimits {
            memory: 768 << 20,
            processes: 256,
            open_files: 1024,
            folder: 64 << 20,
        }
    }
}

impl Sandbox {
    /// No sandbox: programs are plain children.
    pub fn none() -> Sandbox {
        Sandbox {
            supervisor: None,
            mode: SandboxMode::Off,
            allow_read: Vec::new(),
            allow_write: Vec::new(),
            files_alone: false,
            limits: ResourceLimits::default(),
            cores: Vec::new(),
        }
    }

    /// What the system lacks to confine a program fully, a sentence each; nothing where the sandbox is off.
    ///
    /// # Errors
    /// When not even the supervisor can be started.
    pub fn missing_features(&self) -> std::io::Result<Vec<String>> {
        match (self.mode, &self.supervisor) {
            (SandboxMode::Off, _) | (_, None) => Ok(Vec::new()),
            #[cfg(target_os = "linux")]
            (_, Some(_)) => SandboxedChild::probe(self),
            #[cfg(not(target_os = "linux"))]
            (_, Some(_)) => Ok(vec![
                "this system is not Linux: bots can read, write and connect as you can".into(),
            ]),
        }
    }
}

/// What a program that is started so may read besides its temporary folder; some of it may not exist. Nothing on
/// systems other than Linux, where no program is confined.
pub fn granted(program: &std::process::Command, sandbox: &Sandbox) -> Vec<PathBuf> {
    #[cfg(target_os = "linux")]
    return paths::grants(&child::request_of(program, sandbox))
        .all()
        .cloned()
        .chain(["/proc", "/dev"].map(PathBuf::from))
        .collect();
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (program, sandbox);
        Vec::new()
    }
}

/// Whether a folder is nobody's own, such as `/tmp`, the home folder or `/usr/bin`.
pub fn is_everybodys(folder: &Path) -> bool {
    #[cfg(target_os = "linux")]
    return paths::is_everybodys(folder);
    #[cfg(not(target_os = "linux"))]
    return folder.parent().is_none();
}

/// Whether a program was not started because the machine or the user is out of files, processes or memory. A
/// program that does not run yet cannot bring that about.
pub fn is_resource_shortage(error: &std::io::Error) -> bool {
    use rustix::io::Errno;
    let shortages = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| shortages.contains(&errno))
}

/// The first argument that makes the binary a supervisor.
const HIDDEN_COMMAND: &str = "sandbox-supervisor";

/// Runs this process as a supervisor, if it was started as one.
///
/// `main` calls this before it opens any file or starts a thread: a supervisor closes all that it has inherited, and
/// forks.
pub fn run_if_supervisor() -> Option<std::process::ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next()? != HIDDEN_COMMAND {
        return None;
    }
    #[cfg(target_os = "linux")]
    return Some(supervisor::run(words));
    #[cfg(not(target_os = "linux"))]
    return Some(std::process::ExitCode::FAILURE);
}
