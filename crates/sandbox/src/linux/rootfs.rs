//! The file system that a program sees: only the granted files, for reading, and a private folder.
//!
//! The init, in a mount namespace of its own, mounts a small tmpfs. It binds there what the program may see, at the same
//! paths as outside, and makes the tmpfs its root. [`mounts`] does the mounting, [`paths`] decides what is granted, and
//! Landlock what may be done with it.

use super::files;
use super::identity::Identity;
use super::mounts::{self, attach, clone_tree, mount_tmpfs};
use super::paths;
use super::setup::Setup;
use super::sys;
use crate::config::FOLDER_LIMIT;
use crate::missing::{Feature, MissingFeature};
use libc::AT_RECURSIVE;
use rustix::fs::{CWD, Mode};
use rustix::process::umask;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path, PathBuf};

/// Where named shared memory and semaphores are files (shm_overview(7)).
const SHARED_MEMORY: &str = "/dev/shm";

/// Possible paths of the private folder; the first that is not granted is used.
const PRIVATE: [&str; 3] = ["/tmp", SHARED_MEMORY, "/run/crownhead"];

/// Links that programs expect.
const LINKS: [(&str, &str); 4] = [
    ("/proc/self/fd", "dev/fd"),
    ("/proc/self/fd/0", "dev/stdin"),
    ("/proc/self/fd/1", "dev/stdout"),
    ("/proc/self/fd/2", "dev/stderr"),
];

/// Enters a new root with the granted files, and returns the private folder. Notes missing features.
pub(super) fn enter(setup: &Setup, missing: &mut Vec<MissingFeature>) -> io::Result<PathBuf> {
    mounts::detach()?;
    // Nothing can be created beside the bound files, not even in the private folder.
    let before = umask(Mode::from_raw_mode(0o222));
    // Before the new root is mounted over it. Some containers refuse it.
    if mounts::mount_proc(Path::new("/proc")).is_err() {
        missing.push(MissingFeature::new(
            Feature::Proc,
            "no /proc of its own: a bot sees the names of all processes",
        ));
    }
    let proc = clone_tree(Path::new("/proc"))?;
    sys::set_mount_attributes(&proc, AT_RECURSIVE, sys::READ_ONLY | sys::NO_SET_ID, None)?;
    mounts::mount_root("size=4m,mode=755")?;
    let folder = mount_private_folder(setup)?;
    let mut bound = create_links(setup)?;
    for bind in binds(setup) {
        bind.attach(setup.identity, &mut bound)?;
    }
    create_folders(Path::new("/proc"), &[])?;
    attach(&proc, Path::new("proc"))?;
    if let Some(place) = &setup.place {
        create_folders(place, &bound)?;
    }
    sys::set_mount_attributes(CWD, 0, sys::READ_ONLY | sys::NO_DEVICES, None)?;
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

/// Creates what is not bound: the links of the system and of devices, and `/etc/passwd` and `/etc/group` for a user of
/// the program's own. They have only this user, because runtimes ask for their user's name.
fn create_links(setup: &Setup) -> io::Result<Bound> {
    for folder in [SHARED_MEMORY, "/etc"] {
        create_folders(Path::new(folder), &[])?;
    }
    for (target, name) in LINKS {
        symlink(target, name)?;
    }
    let mut bound = Vec::new();
    for link in &setup.grants.links {
        create_folders(link.parent().unwrap_or(link), &[])?;
        symlink(fs::read_link(link)?, relative(link))?;
        bound.push((Kind::Own, link.clone()));
    }
    if let Some(Identity { id, .. }) = setup.identity {
        fs::write("etc/passwd", format!("bot:x:{id}:{id}:bot:/:/bin/sh\n"))?;
        fs::write("etc/group", format!("bot:x:{id}:\n"))?;
        bound.extend(["/etc/passwd", "/etc/group"].map(|path| (Kind::Own, path.into())));
    }
    Ok(bound)
}

/// Everything to bind, in order: folders before their contents.
fn binds(setup: &Setup) -> Vec<Bind> {
    let plain = sys::READ_ONLY | sys::NO_SET_ID;
    let files = plain | sys::NO_DEVICES;
    let bind = |from: &Path, at: &Path, attributes: u64, kind: Kind| Bind {
        at: at.to_path_buf(),
        from: from.to_path_buf(),
        attributes,
        kind,
    };
    let devices = paths::DEVICES.iter().chain(paths::RANDOM).map(Path::new);
    let mut binds: Vec<Bind> = devices
        .map(|path| bind(path, path, plain, Kind::System))
        .collect();
    for group in &setup.cgroups.own {
        let at = mount_point_of(&group.path);
        binds.push(bind(&group.path, at, files, Kind::System));
    }
    for (paths, attributes, kind) in [
        (&setup.grants.system, files, Kind::System),
        (&setup.grants.own, files, Kind::Own),
        (
            &setup.grants.writable,
            files & !sys::READ_ONLY,
            Kind::Writable,
        ),
    ] {
        binds.extend(paths.iter().map(|path| bind(path, path, attributes, kind)));
    }
    binds.sort();
    binds
}

/// The mount point of the file system of this path.
fn mount_point_of(path: &Path) -> &Path {
    let device = |path: &Path| fs::metadata(path).map(|file| file.dev()).ok();
    let own = device(path);
    let inside = |path: &&Path| device(path) == own;
    path.ancestors().take_while(inside).last().unwrap_or(path)
}

/// What is to be bound, and where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Bind {
    at: PathBuf,
    from: PathBuf,
    /// Attributes of the mount, in addition to those that all have.
    attributes: u64,
    kind: Kind,
}

/// The kinds of binds. A later kind is bound over an earlier one, never the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    System,
    /// Belongs to the program: its user is shown as the owner.
    Own,
    /// Belongs to the program, and it may write there.
    Writable,
}

/// The errors for which a path is left out: it does not exist, or cannot be reached.
const LEFT_OUT: [ErrorKind; 2] = [ErrorKind::NotFound, ErrorKind::PermissionDenied];

/// The binds so far.
type Bound = Vec<(Kind, PathBuf)>;

impl Bind {
    /// Attaches it to the new root, unless one of its parent folders is `bound`. Leaves out what does not exist or
    /// cannot be reached. The program's files are bound over the system's, because only their owner may be able to read
    /// them. Writable folders are bound over read-only ones, such as the program's own folder.
    fn attach(self, identity: Option<&Identity>, bound: &mut Bound) -> io::Result<()> {
        let is_there = is_in(&self.at, paths_of(bound));
        let over = bound.iter().filter(|(kind, _)| *kind >= self.kind);
        if is_in(&self.at, over.map(|(_, path)| path)) {
            return Ok(());
        }
        let Ok(file) = fs::metadata(&self.from) else {
            return Ok(());
        };
        let tree = match clone_tree(&self.from) {
            Err(error) if LEFT_OUT.contains(&error.kind()) => return Ok(()),
            tree => tree?,
        };
        sys::set_mount_attributes(&tree, AT_RECURSIVE, self.attributes, None)?;
        create_folders(self.at.parent().unwrap_or(&self.at), bound)?;
        let at = relative(&self.at);
        if !is_there && file.is_file() && at.exists() {
            // It is bound under another name, because one of them contains `..`.
            return Ok(());
        }
        self.show_owner(identity, &tree, is_there)?;
        if !is_there && file.is_dir() {
            create_folders(&self.at, &[])?;
        } else if !is_there {
            File::create(at)?;
        }
        attach(&tree, at)?;
        bound.push((self.kind, self.at));
        Ok(())
    }

    /// Shows the program's user as the owner in `tree`.
    ///
    /// # Errors
    /// When the file system cannot do that, and the user may not use the files as they are.
    fn show_owner(
        &self,
        identity: Option<&Identity>,
        tree: &OwnedFd,
        is_there: bool,
    ) -> io::Result<()> {
        let Some(identity) = identity.filter(|_| self.kind != Kind::System) else {
            return Ok(());
        };
        let is_usable = self.kind == Kind::Own && (is_there || files::is_readable(&self.from));
        if identity.show_as_own(&self.from, tree).is_ok() || is_usable {
            return Ok(());
        }
        let from = self.from.display();
        Err(io::Error::other(match self.kind {
            Kind::Writable => format!(
                "{from}: on this file system a bot, who is another user, cannot be let write (--sandbox off)"
            ),
            _ => format!(
                "{from}: on this file system a bot, who is another user, reads only what every user may read (chmod -R \
                 a+rX)"
            ),
        }))
    }
}

fn paths_of(bound: &[(Kind, PathBuf)]) -> impl Iterator<Item = &PathBuf> {
    bound.iter().map(|(_, path)| path)
}

fn relative(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}

/// Whether a path is one of these or in one of them.
fn is_in(path: &Path, mut folders: impl Iterator<Item = impl AsRef<Path>>) -> bool {
    folders.any(|folder| path.starts_with(folder))
}

/// Creates this folder and those it is in, except where something is bound already.
fn create_folders(path: &Path, bound: &[(Kind, PathBuf)]) -> io::Result<()> {
    let mut folder = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => folder.push(name),
            Component::ParentDir => drop(folder.pop()),
            _ => continue,
        }
        if !is_in(&folder, paths_of(bound)) {
            files::create_folder(relative(&folder))?;
        }
    }
    Ok(())
}
