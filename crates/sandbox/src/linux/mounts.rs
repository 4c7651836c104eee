//! Mounting in a mount namespace of its own (mount_setattr(2), open_tree(2), pivot_root(2)), and a trial of it.

use super::sys;
use libc::AT_RECURSIVE;
use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_change, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// Where the new root is mounted before it becomes the root: a folder that exists everywhere and is never bound.
const PLACE: &str = "/proc";

/// Mounts the future root as the current folder.
pub(super) fn mount_root(options: &str) -> io::Result<()> {
    mount_tmpfs(Path::new(PLACE), options)?;
    Ok(chdir(PLACE)?)
}

/// Makes the current folder the root, and forgets the old one.
pub(super) fn become_root() -> io::Result<()> {
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(chdir("/")?)
}

/// Moves the current folder, a mount, on top of the root. It hides no path there, and nothing that is mounted outside.
pub(super) fn hide(mount: &OwnedFd) -> io::Result<()> {
    attach(mount, Path::new("/"))?;
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    Ok(mount_change(".", private)?)
}

/// Forgets the mount that is the current folder.
pub(super) fn forget_current() -> io::Result<()> {
    Ok(unmount(".", UnmountFlags::DETACH)?)
}

/// From now on, mounts made here are invisible outside; mounts made outside are visible here.
pub(super) fn follow() -> io::Result<()> {
    let slave = MountPropagationFlags::REC | MountPropagationFlags::DOWNSTREAM;
    Ok(mount_change("/", slave)?)
}

/// A `/proc` that shows only the processes of this PID namespace.
pub(super) fn mount_proc(at: &Path) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    Ok(mount("proc", at, "proc", flags, None)?)
}

/// From now on, mounts made here are invisible outside, and the other way round.
pub(super) fn detach() -> io::Result<()> {
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    Ok(mount_change("/", private)?)
}

pub(super) fn mount_tmpfs(at: &Path, options: &str) -> io::Result<()> {
    let options = CString::new(options)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount("crownhead", at, "tmpfs", flags, options.as_c_str())?)
}

pub(super) fn clone_tree(path: &Path) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    Ok(open_tree(CWD, path, flags)?)
}

pub(super) fn attach(tree: &OwnedFd, at: &Path) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    Ok(move_mount(tree, "", CWD, at, flags)?)
}

/// Mounts a root with a `/proc` in temporary namespaces. Returns whether a new `/proc` can be mounted, which some
/// containers refuse.
pub(super) fn try_out() -> io::Result<bool> {
    detach()?;
    let tree = clone_tree(Path::new("/"))?;
    sys::set_mount_attributes(&tree, AT_RECURSIVE, sys::READ_ONLY, None)?;
    mount_root("size=4k")?;
    fs::create_dir("proc")?;
    let own_proc = mount_proc(Path::new("proc")).is_ok();
    become_root()?;
    Ok(own_proc)
}
