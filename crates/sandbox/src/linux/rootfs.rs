//! The file system that a program sees: only the granted files, for reading, and a private folder.
//!
//! The init, in a mount namespace of its own, mounts a small tmpfs. It attaches there what all programs see, binds this
//! program's files at their outside paths, and makes the tmpfs its root. [`mounts`] does the mounting,
//! [`paths`](super::paths) decides what is granted, and Landlock what may be done with it.

use super::binds::{Bind, Kind, create_folders, is_in, relative};
use super::files;
use super::identity::Identity;
use super::mounts::{self, attach, clone_tree, mount_tmpfs};
use super::paths::Grants;
use super::setup::Setup;
use super::sys;
use super::system_tree::SystemTree;
use crate::config::FOLDER_LIMIT;
use libc::AT_RECURSIVE;
use rustix::fs::{CWD, Mode};
use rustix::process::umask;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

/// Where named shared memory and semaphores are files (shm_overview(7)).
const SHARED_MEMORY: &str = "/dev/shm";

/// Possible paths of the private folder; the first that is not granted is used.
const PRIVATE: [&str; 3] = ["/tmp", SHARED_MEMORY, "/run/crownhead"];

/// Enters a new root with the granted files, and returns the private folder. The current folder is the root of `tree`.
/// Without `own_proc`, the program gets the outer `/proc`.
pub(super) fn enter(setup: &Setup, tree: &SystemTree, own_proc: bool) -> io::Result<PathBuf> {
    mounts::detach()?;
    // Nothing can be created beside the bound files, not even in the private folder.
    let before = umask(Mode::from_raw_mode(0o222));
    let shared_proc = (!own_proc).then(|| clone_tree(Path::new("/proc")));
    let shared_proc = shared_proc.transpose()?;
    let parts = tree.clone_parts()?;
    // While it is mounted over the old root, the old root cannot be unmounted, and is reachable as `/..`.
    mounts::forget_current()?;
    mounts::mount_root("size=4m,mode=755")?;
    for (name, part) in &parts {
        files::create_folder(name)?;
        attach(part, name)?;
    }
    for link in tree.links() {
        symlink(fs::read_link(link)?, relative(link))?;
    }
    let folder = mount_private_folder(setup)?;
    let mut bound = tree.bound.clone();
    for bind in binds(&setup.grants) {
        bind.attach(setup.identity, &mut bound)?;
    }
    create_folders(Path::new("/proc"), &[])?;
    match shared_proc {
        None => mounts::mount_proc(Path::new("proc"))?,
        Some(tree) => {
            sys::set_mount_attributes(&tree, AT_RECURSIVE, sys::READ_ONLY | sys::NO_SET_ID, None)?;
            attach(&tree, Path::new("proc"))?;
        }
    }
    if let Some(place) = &setup.place {
        create_folders(place, &bound)?;
    }
    let closed = sys::READ_ONLY | sys::NO_DEVICES;
    for (_, part) in &parts {
        sys::set_mount_attributes(part, 0, closed, None)?;
    }
    sys::set_mount_attributes(CWD, 0, closed, None)?;
    mounts::become_root()?;
    expect_no_other()?;
    umask(before);
    Ok(folder)
}

/// # Errors
/// When the root is mounted on another file system, so that there is a way outside.
fn expect_no_other() -> io::Result<()> {
    let place = |path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    if place("/")? == place("/..")? {
        return Ok(());
    }
    Err(io::Error::other("the file system outside is not gone"))
}

/// Mounts the private folder in the new root, also as shared memory unless that is granted. Returns its path.
fn mount_private_folder(setup: &Setup) -> io::Result<PathBuf> {
    let is_free = |folder: &&Path| !is_in(folder, setup.grants.all());
    let folder = PRIVATE.into_iter().map(Path::new).find(is_free);
    let folder = folder.ok_or_else(|| io::Error::other("its private folder has no place"))?;
    let owner = |identity: &Identity| format!(",uid={0},gid={0}", identity.id);
    let owner = setup.identity.map(owner).unwrap_or_default();
    create_folders(folder, &[])?;
    let options = format!("size={FOLDER_LIMIT},nr_inodes=4096,mode=700{owner}");
    mount_tmpfs(relative(folder), &options)?;
    let memory = Path::new(SHARED_MEMORY);
    if folder != memory && is_free(&memory) {
        create_folders(memory, &[])?;
        attach(&clone_tree(relative(folder))?, relative(memory))?;
    }
    Ok(folder.to_path_buf())
}

/// The paths that only this program is granted, in the order of binding: folders before their contents.
fn binds(grants: &Grants) -> Vec<Bind> {
    let files = sys::READ_ONLY | sys::NO_SET_ID | sys::NO_DEVICES;
    let bind = |path: &PathBuf, attributes: u64, kind: Kind| Bind {
        at: path.clone(),
        from: path.clone(),
        attributes,
        kind,
    };
    let own = grants.own.iter().map(|path| bind(path, files, Kind::Own));
    let writable = grants.writable.iter();
    let writable = writable.map(|path| bind(path, files & !sys::READ_ONLY, Kind::Writable));
    let mut binds: Vec<Bind> = own.chain(writable).collect();
    binds.sort();
    binds
}
