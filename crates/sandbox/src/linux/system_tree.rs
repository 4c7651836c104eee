//! The part of the file system that all programs of a supervisor share: the system's paths, devices, and their control
//! groups. Binding it anew for each program would take longer than all other mounts.
//!
//! The supervisor, in a mount namespace of its own, mounts it on top of its root, where no path leads. The init has a
//! copy of the mount as its current folder.

use super::binds::{Bind, Bound, Kind, create_folders, relative};
use super::cgroup::Cgroups;
use super::mounts::{self, clone_tree};
use super::paths::{self, Grants};
use super::{files, sys};
use rustix::fs::{CWD, Mode, OFlags, open};
use rustix::process::{fchdir, umask};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// Links that programs expect.
const LINKS: [(&str, &str); 4] = [
    ("/proc/self/fd", "dev/fd"),
    ("/proc/self/fd/0", "dev/stdin"),
    ("/proc/self/fd/1", "dev/stdout"),
    ("/proc/self/fd/2", "dev/stderr"),
];

/// How long to use it. After that, the system may have other files than the bound ones.
const LIFETIME: Duration = Duration::from_secs(10);

/// A mounted tree. Dropping this unmounts it.
#[derive(Debug)]
pub(super) struct SystemTree {
    root: OwnedFd,
    /// The folders in its root.
    parts: Vec<PathBuf>,
    pub(super) bound: Bound,
    /// The system's paths that are granted.
    pub(super) grants: Grants,
    as_user: Option<u32>,
    since: Instant,
}

impl SystemTree {
    /// Mounts it for programs that run `as_user`, or as the caller.
    pub(super) fn mount(cgroups: &Cgroups, as_user: Option<u32>) -> io::Result<SystemTree> {
        let grants = paths::system_grants();
        let binds = binds(&grants, cgroups);
        let _back = Returning::new()?;
        // Nothing can be created beside the bound files.
        let before = umask(Mode::from_raw_mode(0o222));
        mounts::mount_root("size=4m,mode=755")?;
        let placed = fill(&grants, binds, as_user).and_then(|bound| {
            let root = open(".", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
            mounts::hide(&root)?;
            let is_folder =
                |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
            let parts = files::entries(".").filter(is_folder);
            let names = parts.map(|part| part.file_name().into());
            Ok((bound, root, names.collect()))
        });
        umask(before);
        let (bound, root, parts) = placed.inspect_err(|_| drop(mounts::forget_current()))?;
        Ok(SystemTree {
            root,
            bound,
            grants,
            parts,
            as_user,
            since: Instant::now(),
        })
    }

    /// Whether it equals a tree that is mounted now.
    pub(super) fn is_current(&self) -> bool {
        self.since.elapsed() < LIFETIME
    }

    /// Whether it is for programs that run `as_user`.
    pub(super) fn is_for(&self, as_user: Option<u32>) -> bool {
        self.as_user == as_user
    }

    /// Makes it the current folder of this process, until the returned value is dropped.
    pub(super) fn visit(&self) -> io::Result<Returning> {
        let back = Returning::new()?;
        fchdir(&self.root)?;
        Ok(back)
    }

    /// Whether a program that is granted this path needs a folder in a part of the tree.
    pub(super) fn lacks(&self, path: &Path) -> bool {
        let relative = relative(path);
        let in_part = self.parts.iter().any(|part| relative.starts_with(part));
        let is_bound = self.bound.iter().any(|(_, bound)| path.starts_with(bound));
        path.components().any(|part| part == Component::ParentDir) || in_part && !is_bound
    }

    /// Copies of the folders in its root, which is the current folder, for another root.
    pub(super) fn clone_parts(&self) -> io::Result<Vec<(&Path, OwnedFd)>> {
        let parts = self.parts.iter().map(PathBuf::as_path);
        parts.map(|part| Ok((part, clone_tree(part)?))).collect()
    }

    /// The links in its root.
    pub(super) fn links(&self) -> impl Iterator<Item = &PathBuf> {
        let links = self.grants.links.iter();
        links.filter(|link| link.parent() == Some(Path::new("/")))
    }
}

impl Drop for SystemTree {
    fn drop(&mut self) {
        // If this fails, it stays mounted until this process ends.
        if let Ok(_back) = self.visit() {
            let _ = mounts::forget_current();
        }
    }
}

/// Dropping this returns to the previous current folder.
pub(super) struct Returning(OwnedFd);

impl Returning {
    fn new() -> io::Result<Returning> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        Ok(Returning(open(".", flags, Mode::empty())?))
    }
}

impl Drop for Returning {
    fn drop(&mut self) {
        let _ = fchdir(&self.0);
    }
}

/// Fills the current folder.
fn fill(grants: &Grants, binds: Vec<Bind>, as_user: Option<u32>) -> io::Result<Bound> {
    let mut bound = Vec::new();
    for folder in ["/dev/shm", "/etc"] {
        create_folders(Path::new(folder), &[])?;
    }
    for link in &grants.links {
        create_folders(link.parent().unwrap_or(link), &[])?;
        symlink(fs::read_link(link)?, relative(link))?;
        bound.push((Kind::Own, link.clone()));
    }
    if let Some(id) = as_user {
        bound.extend(write_accounts(id)?);
    }
    for bind in binds {
        bind.attach(None, &mut bound)?;
    }
    for (target, name) in LINKS {
        symlink(target, name)?;
    }
    sys::set_mount_attributes(CWD, 0, sys::NO_DEVICES, None)?;
    Ok(bound)
}

/// Everything to bind, in order: folders before their contents.
fn binds(grants: &Grants, cgroups: &Cgroups) -> Vec<Bind> {
    let plain = sys::READ_ONLY | sys::NO_SET_ID;
    let files = plain | sys::NO_DEVICES;
    let bind = |from: &Path, at: &Path, attributes: u64| Bind {
        at: at.to_path_buf(),
        from: from.to_path_buf(),
        attributes,
        kind: Kind::System,
    };
    let system = grants.system.iter();
    let mut binds: Vec<Bind> = system.map(|path| bind(path, path, files)).collect();
    let devices = paths::DEVICES.iter().chain(paths::RANDOM).map(Path::new);
    binds.extend(devices.map(|path| bind(path, path, plain)));
    for group in &cgroups.own {
        binds.push(bind(&group.path, mount_point_of(&group.path), files));
    }
    binds.sort();
    binds
}

/// The program's `/etc/passwd` and `/etc/group`, with only its own user, because runtimes ask for their user's name.
fn write_accounts(id: u32) -> io::Result<[(Kind, PathBuf); 2]> {
    fs::write("etc/passwd", format!("bot:x:{id}:{id}:bot:/:/bin/sh\n"))?;
    fs::write("etc/group", format!("bot:x:{id}:\n"))?;
    Ok(["/etc/passwd", "/etc/group"].map(|path| (Kind::Own, path.into())))
}

/// The mount point of the file system of this path.
fn mount_point_of(path: &Path) -> &Path {
    let device = |path: &Path| fs::metadata(path).map(|file| file.dev()).ok();
    let own = device(path);
    let inside = |path: &&Path| device(path) == own;
    path.ancestors().take_while(inside).last().unwrap_or(path)
}
