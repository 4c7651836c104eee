//! One control group that a supervisor creates: found under its number, locked while it is in use, and without the
//! counters from which its programs could learn of each other. Leaves out what is limited in it ([`cgroup`](super::cgroup)).

use super::files::entries;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What the groups of supervisors are called, before their numbers.
const NAME: &str = "crownhead-";

/// How many names are tried: one may be taken by a group that cannot be removed.
const NAMES: u32 = 4;

/// The files that programs may read: the limits, which runtimes ask for. All others tell of what was in the group before.
const SHOWN: [&str; 17] = [
    "cgroup.controllers",
    "cpu.cfs_period_us",
    "cpu.cfs_quota_us",
    "cpu.max",
    "cpu.shares",
    "cpu.weight",
    "cpuset.cpus",
    "cpuset.cpus.effective",
    "cpuset.mems",
    "memory.high",
    "memory.limit_in_bytes",
    "memory.max",
    "memory.memsw.limit_in_bytes",
    "memory.soft_limit_in_bytes",
    "memory.swap.max",
    "memory.use_hierarchy",
    "pids.max",
];

/// What the caller reads.
const CALLERS: &str = "cpu.stat";

/// A group that is removed when this is dropped: its processes must be gone.
#[derive(Debug)]
pub(super) struct OwnGroup {
    pub(super) path: PathBuf,
    /// While this is open, no other supervisor takes the group for one that was left behind.
    _lock: File,
}

impl OwnGroup {
    /// Creates a group under this process's number; `None` where that is not allowed. What supervisors that were killed
    /// have left there is removed.
    pub(super) fn create(parent: &Path) -> Option<OwnGroup> {
        remove_abandoned(parent);
        let own = std::process::id();
        (0..NAMES).find_map(|number| {
            let more = if number == 0 {
                String::new()
            } else {
                format!("-{number}")
            };
            let path = parent.join(format!("{NAME}{own}{more}"));
            fs::create_dir(&path).ok()?;
            let lock = locked(&path)?;
            // Another supervisor may have removed it before it was locked.
            path.exists().then_some(OwnGroup { path, _lock: lock })
        })
    }

    /// Keeps programs of other users from reading what it counts, and where this process has no privileges its own, too.
    pub(super) fn hide_counters(&self) {
        for file in entries(&self.path) {
            let name = file.file_name();
            let is_shown = SHOWN.iter().any(|shown| name == *shown);
            if let Ok(found) = file.metadata()
                && found.is_file()
                && !is_shown
            {
                let owners = if name == CALLERS { 0o400 } else { 0 };
                let mode = found.permissions().mode() & 0o222 | owners;
                let _ = fs::set_permissions(file.path(), Permissions::from_mode(mode));
            }
        }
    }
}

impl Drop for OwnGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.path);
    }
}

/// The folder, locked; `None` if another process has locked it.
fn locked(path: &Path) -> Option<File> {
    let folder = File::open(path).ok()?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(folder)
}

/// Whether a group of this name is one that [`OwnGroup::create`] makes.
fn is_a_supervisors(name: &str) -> bool {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    name.strip_prefix(NAME)
        .is_some_and(|numbers| numbers.split('-').all(is_number))
}

/// Removes the groups of supervisors that are gone and could not remove them: nobody has locked these.
fn remove_abandoned(parent: &Path) {
    for entry in entries(parent) {
        if is_a_supervisors(&entry.file_name().to_string_lossy())
            && let Some(_lock) = locked(&entry.path())
        {
            // It stays while there are processes in it.
            let _ = fs::remove_dir(entry.path());
        }
    }
}
