//! Namespaces of a program (namespaces(7)): its own processes, its own mounts, its own shared memory.
//!
//! The administrator may create them; others may inside a user namespace, where the system allows that.

use super::message::SandboxSetup;
use super::sys::unshare;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::thread::{
    CapabilitySet, UnshareFlags, capabilities, configure_capability_in_ambient_set,
    set_capabilities,
};
use std::ffi::CString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Makes an ordinary user's process the administrator of a user namespace, if the system allows that. The process
/// must not have threads yet.
pub(super) fn become_privileged() {
    let privileged =
        capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    if !privileged {
        // Where it is not allowed, `enter` fails and reports it.
        let _ = enter_user_namespace();
    }
}

/// Creates the namespaces for the children of this thread, and notes in `setup` which there are.
pub(super) fn enter(setup: &mut SandboxSetup) {
    match unshare(UnshareFlags::NEWPID | UnshareFlags::NEWNS | UnshareFlags::NEWIPC) {
        Ok(()) => {
            setup.own_processes = true;
            setup.own_mounts = mount_change(
                "/",
                MountPropagationFlags::REC | MountPropagationFlags::PRIVATE,
            )
            .is_ok();
        }
        Err(error) => setup.missing.push(format!(
            "no namespaces ({error}): a bot sees the names of all processes"
        )),
    }
}

/// Enters a user namespace in which this user and group keep their numbers.
fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    unshare(UnshareFlags::NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
    fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))?;
    // The init mounts too, and would lose the right to in its execve.
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?;
    Ok(())
}

/// Where a private file system can be mounted, if it hides nothing that is needed.
const MOUNT_POINTS: [&str; 4] = ["/dev/shm", "/mnt", "/media", "/srv"];

/// Mounts a tmpfs of this many bytes; it is gone with the namespace.
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

/// Mounts a `/proc` that shows the processes of this PID namespace alone.
pub(super) fn mount_proc() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount("proc", "/proc", "proc", flags, None)?)
}
