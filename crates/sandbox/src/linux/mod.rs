//! The sandbox on Linux. Each file uses only files of the lines above its own:
//!
//! ```text
//! sys  files  folders  cores  system calls; what lies on disk; which folders are shared; cores
//! message  processes       what the processes say to each other; what /proc tells of processes
//! threads  seccomp  started  threads seen from outside; the filter; what may be read because a command starts it
//! paths  meter             what may be read; where a program's time goes
//! stopping                 stopping all processes of a program by signals
//! cgroup  identity         control groups; a user id for each bot
//! mounts                   mounting, and a trial of it
//! binds  namespaces        what of the file system outside is bound; what the programs of one supervisor share
//! system_tree              what of the file system all of them see
//! setup                    what is created for one program, and removed after it
//! rootfs  confine  usage   inside: the program's file system, its limits and rights, what it uses
//! init                     the first process inside
//! supervisor  pool         the process outside; the caller's list of such processes
//! child                    the caller's end of one program
//! ```

mod binds;
mod cgroup;
mod child;
mod confine;
mod cores;
mod files;
mod folders;
mod identity;
mod idle;
mod init;
mod message;
mod meter;
mod mounts;
mod namespaces;
mod own_group;
mod paths;
mod pool;
mod processes;
mod rootfs;
mod seccomp;
mod setup;
mod started;
mod stopping;
mod supervisor;
mod sys;
mod system_tree;
mod threads;
mod usage;

pub use child::SandboxedChild;
pub(crate) use child::{missing_features, start_sandboxed};
pub(crate) use cores::keep_on;
pub use cores::{CoreClaim, claim_core, cores, give_way};
pub use message::Started;
pub use meter::{Meter, StealMeter};
pub use paths::is_shared_folder;
pub use processes::resident_memory;
pub(crate) use processes::{descendants, reaped_time};
pub(crate) use supervisor::supervise;
pub(crate) use threads::{Thread, activities, is_ending};

use crate::config::Sandbox;
use std::path::PathBuf;
use std::process::Command;

/// Why no program can be confined on this system.
pub const WHY_NO_SANDBOX: Option<&str> = None;

/// What a program with this command may read, in addition to its temporary folder. Some of it may not exist. Empty on
/// systems other than Linux, where no program is confined.
pub fn granted(program: &Command, sandbox: &Sandbox) -> Vec<PathBuf> {
    let grants = paths::grants(&child::request_of(program, sandbox), paths::system_grants());
    let own = ["/proc", "/dev"].map(PathBuf::from);
    grants.all().cloned().chain(own).collect()
}
