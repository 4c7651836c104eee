//! One control group of a supervisor: named after its number, locked while in use, and without the counters that would
//! tell programs about each other. [`cgroup`](super::cgroup) sets its limits.

use super::files::entries;
use crate::run_folder::locked;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The name of supervisors' groups, before their numbers.
const NAME: &str = "crownhead-";

/// How many names to try. A group that cannot be removed may have one, and another supervisor may remove a new group
/// before it is locked.
const NAMES: u32 = 4;

/// The files that programs may read: the limits, which runtimes read. All other files reveal something about earlier
/// programs.
const SHOWN: &str = "\
    cgroup.controllers cpu.cfs_period_us cpu.cfs_quota_us cpu.max cpu.shares cpu.weight cpuset.cpus cpuset.cpus.effective \
    cpuset.mems memory.high memory.limit_in_bytes memory.max memory.memsw.limit_in_bytes memory.soft_limit_in_bytes \
    memory.swap.max memory.use_hierarchy pids.max";

/// The files that the caller reads.
const CALLERS: &str = "cpu.stat";

/// A group. Dropping this removes it, so its processes must be gone.
#[derive(Debug)]
pub(super) struct OwnGroup {
    pub(super) path: PathBuf,
    /// While this is open, no other supervisor takes the group for an abandoned one.
    _lock: File,
}

impl OwnGroup {
    /// Creates a group under this process's number; `None` if that is not allowed. Removes the groups that killed
    /// supervisors left there.
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

    /// Keeps other users' programs from reading its counters; if this process has no privileges, its own programs, too.
    pub(super) fn hide_counters(&self) {
        for file in entries(&self.path) {
            let name = file.file_name();
            let is_shown = SHOWN.split(' ').any(|shown| name == shown);
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

/// Whether a group of this name is one that [`OwnGroup::create`] makes.
fn is_a_supervisors(name: &str) -> bool {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    name.strip_prefix(NAME)
        .is_some_and(|numbers| numbers.split('-').all(is_number))
}

/// Removes the groups that ended supervisors could not remove. These are not locked.
fn remove_abandoned(parent: &Path) {
    for entry in entries(parent) {
        if is_a_supervisors(&entry.file_name().to_string_lossy())
            && let Some(_lock) = locked(&entry.path())
        {
            // A group with processes stays.
            let _ = fs::remove_dir(entry.path());
        }
    }
}
