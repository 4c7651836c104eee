//! The caller's configuration of a sandbox, the same on every system.

use crate::system;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The first argument that makes the binary a supervisor.
pub(crate) const HIDDEN_COMMAND: &str = "sandbox-supervisor";

/// Where and how a program runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sandbox {
    /// The binary whose `main` calls [`run_if_supervisor`](crate::run_if_supervisor). Without it a program is a plain
    /// child in a process group of its own, as on systems other than Linux.
    #[serde(skip)]
    pub supervisor: Option<PathBuf>,
    /// Whether the program is confined.
    pub mode: SandboxMode,
    /// Extra files and folders that the program may read.
    pub allow_read: Vec<PathBuf>,
    /// Extra folders that it may read and write.
    pub allow_write: Vec<PathBuf>,
    /// Which files it may read because its command line names them.
    pub named: NamedFiles,
    /// The numbers of the cores that it may use; if empty, all of the caller's. A confined program cannot widen them.
    pub cores: Vec<usize>,
}

/// Which files a program may read because its command line names them. Without a folder of its own, it runs in the
/// caller's folder only with [`Folders`](NamedFiles::Folders).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamedFiles {
    /// The named files and their folders.
    #[default]
    Folders,
    /// Only the named files.
    Files,
    /// Only its program: other names may lead to other files by the time it starts.
    Nothing,
}

/// Whether a program is confined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    /// As far as the system allows.
    Auto,
    /// Fully: no program starts if the system lacks a feature.
    Require,
    /// Not at all. Its processes are still supervised, and killed in the end.
    Off,
}

impl Default for SandboxMode {
    /// As far as the system allows.
    fn default() -> SandboxMode {
        SandboxMode::Auto.in_force()
    }
}

impl SandboxMode {
    /// What it comes to on this system: without any sandbox, as far as possible means not at all.
    pub fn in_force(self) -> SandboxMode {
        match (self, system::WHY_NO_SANDBOX) {
            (SandboxMode::Auto, Some(_)) => SandboxMode::Off,
            _ => self,
        }
    }

    /// All modes.
    pub const ALL: [SandboxMode; 3] = [SandboxMode::Auto, SandboxMode::Require, SandboxMode::Off];

    /// Its name as an option, such as `auto`.
    pub const fn name(self) -> &'static str {
        match self {
            SandboxMode::Auto => "auto",
            SandboxMode::Require => "require",
            SandboxMode::Off => "off",
        }
    }
}

/// How a program is paused, and whether it can undo that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspension {
    /// A control group freezes it. This costs almost nothing, and the program cannot undo it.
    Frozen,
    /// Signals stop it. This takes a few hundred microseconds, and the program cannot undo it.
    Stopped,
    /// Signals stop it, but its own signals can continue it.
    Undone,
}

/// Bytes of memory that a program may use: the contest's limit (stated).
pub const MEMORY_LIMIT: u64 = 768 << 20;

/// Bytes in its temporary folder, and in any one file. This limit is ours, as are the other ones.
pub const FOLDER_LIMIT: u64 = 64 << 20;

impl Sandbox {
    /// No sandbox: programs are plain children.
    pub fn none() -> Sandbox {
        Sandbox {
            mode: SandboxMode::Off,
            ..Sandbox::default()
        }
    }

    /// Whether programs are confined.
    pub(crate) fn confines(&self) -> bool {
        self.mode != SandboxMode::Off
    }
}
