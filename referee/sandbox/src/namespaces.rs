//! Namespaces of a bot: its own processes, its own mounts, its own shared memory.
//!
//! The administrator may make them; others may inside a namespace of users, where the system allows that.

use super::message::Facts;
use nix::sched::{CloneFlags, unshare};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::thread::{
    CapabilitySet, capabilities, configure_capability_in_ambient_set, set_capabilities,
};
use std::ffi::CString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Makes an ordinary user's process the administrator of a namespace of users, if the system allows that; it
/// must not have threads yet.
pub(super) fn become_privileged() {
    let privileged =
        capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    if !privileged {
        // Where it is not allowed, `enter` fails and says so.
        let _ = as_user();
    }
}

/// Makes the namespaces for the children of this thread, and says in `facts` what came of it.
pub(super) fn enter(facts: &mut Facts) {
    let inside = CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWIPC;
    match unshare(inside) {
        Ok(()) => {
            facts.own_processes = true;
            facts.own_mounts = mount_change(
                "/",
                MountPropagationFlags::REC | MountPropagationFlags::PRIVATE,
            )
            .is_ok();
        }
        Err(error) => facts.gaps.push(format!(
            "no namespaces ({}): a bot sees the names of all processes",
            io::Error::from(error)
        )),
    }
}

/// In a namespace of users in which this user is who it was.
fn as_user() -> io::Result<()> {
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
    fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))?;
    // The warden mounts too, and starting a program would take the right to from it.
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?;
    Ok(())
}

/// Where a private file system can be mounted without hiding anything that is needed.
const MOUNT_POINTS: [&str; 4] = ["/dev/shm", "/mnt", "/media", "/srv"];

/// Mounts an empty file system in memory for this many bytes; it is gone with the namespace.
pub(super) fn mount_folder(size: u64, needed: &[PathBuf]) -> Option<PathBuf> {
    let hides = |point: &Path| needed.iter().any(|path| path.starts_with(point));
    let point = MOUNT_POINTS
        .into_iter()
        .map(Path::new)
        .find(|point| point.is_dir() && !hides(point))?;
    let options = CString::new(format!("size={size},nr_inodes=4096,mode=700")).ok()?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("crownhead", point, "tmpfs", flags, options.as_c_str()).ok()?;
    Some(point.to_path_buf())
}

/// Shows the processes of this namespace, and no others, in `/proc`.
pub(super) fn mount_proc() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount("proc", "/proc", "proc", flags, None)?)
}
