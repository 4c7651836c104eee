//! The file system that a program sees: nothing but what it is granted, for reading, and a private folder.
//!
//! The init, in a mount namespace of its own, mounts a small tmpfs, binds what is granted at the places where it lies
//! outside, and makes that its root. Leaves out how that is mounted ([`mounts`]), what is granted ([`paths`]) and what
//! may be done with it (Landlock).

use super::cgroup::{ROOT, own_groups};
use super::identity::Identity;
use super::mounts::{self, attach, clone_tree, mount_tmpfs};
use super::paths;
use super::setup::Setup;
use super::{files, sys};
use libc::AT_RECURSIVE;
use rustix::fs::{CWD, Mode};
use rustix::process::umask;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path, PathBuf};

/// Where shared memory and semaphores with names are files (shm_overview(7)).
const SHARED_MEMORY: &str = "/dev/shm";

/// Where the private folder can be; the first that is not granted is taken.
const PRIVATE: [&str; 3] = ["/tmp", SHARED_MEMORY, "/run/crownhead"];

/// Links that programs expect.
const LINKS: [(&str, &str); 4] = [
    ("/proc/self/fd", "dev/fd"),
    ("/proc/self/fd/0", "dev/stdin"),
    ("/proc/self/fd/1", "dev/stdout"),
    ("/proc/self/fd/2", "dev/stderr"),
];

/// Enters a new root with what is granted in it, and gives the private folder, of this size. The program runs in
/// `place`, if not in that. Without its `own_proc` it gets the outer one.
pub(super) fn enter(
    setup: &Setup,
    own_proc: bool,
    place: Option<&Path>,
    size: u64,
) -> io::Result<PathBuf> {
    mounts::detach()?;
    // Nothing can be created beside what is bound, not even in the private folder.
    let before = umask(Mode::from_raw_mode(0o222));
    let identity = setup.identity;
    let binds = binds(setup);
    let shared_proc = (!own_proc).then(|| clone_tree(Path::new("/proc")));
    let shared_proc = shared_proc.transpose()?;
    let room = (4 << 20) + files::COPY_LIMIT;
    mounts::mount_root(&format!("size={room},mode=755"))?;
    let folder = mount_private_folder(setup, size)?;
    let mut bound = Vec::new();
    for link in &setup.grants.links {
        create_folders(link.parent().unwrap_or(link), &[])?;
        symlink(fs::read_link(link)?, relative(link))?;
        bound.push((Kind::Own, link.clone()));
    }
    if let Some(identity) = identity {
        bound.extend(write_accounts(identity.id)?);
    }
    for bind in binds {
        bind.attach(identity, &mut bound)?;
    }
    for (target, name) in LINKS {
        // Where all of `/dev` is granted they are there.
        let _ = symlink(target, name);
    }
    create_folders(Path::new("/proc"), &[])?;
    match shared_proc {
        None => mounts::mount_proc(Path::new("proc"))?,
        Some(tree) => {
            sys::set_mount_attributes(&tree, AT_RECURSIVE, sys::READ_ONLY | sys::NO_SET_ID, None)?;
            attach(&tree, Path::new("proc"))?;
        }
    }
    if let Some(place) = place {
        create_folders(place, &bound)?;
    }
    sys::set_mount_attributes(CWD, 0, sys::READ_ONLY | sys::NO_DEVICES, None)?;
    mounts::become_root()?;
    umask(before);
    Ok(folder)
}

/// Mounts the private folder in the new root, as shared memory too where that is not granted; gives its path.
fn mount_private_folder(setup: &Setup, size: u64) -> io::Result<PathBuf> {
    let is_free = |folder: &&Path| !is_in(folder, setup.grants.all());
    let folder = PRIVATE.into_iter().map(Path::new).find(is_free);
    let folder = folder.ok_or_else(|| io::Error::other("its private folder has no place"))?;
    let owner = |identity: &Identity| format!(",uid={0},gid={0}", identity.id);
    let owner = setup.identity.map(owner).unwrap_or_default();
    create_folders(folder, &[])?;
    let options = format!("size={size},nr_inodes=4096,mode=700{owner}");
    mount_tmpfs(relative(folder), &options)?;
    let memory = Path::new(SHARED_MEMORY);
    if folder != memory && is_free(&memory) {
        create_folders(memory, &[])?;
        attach(&clone_tree(relative(folder))?, relative(memory))?;
    }
    Ok(folder.to_path_buf())
}

/// What is to be bound, and where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Bind {
    at: PathBuf,
    from: PathBuf,
    attributes: u64,
    kind: Kind,
}

/// What is bound: a later kind over an earlier one, and never the other way round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    System,
    /// The program's: its user is shown as the owner.
    Own,
    /// The program's, which may write it.
    Writable,
}

/// Why something is left out that cannot be bound: it is not there, or cannot be reached.
const LEFT_OUT: [ErrorKind; 2] = [ErrorKind::NotFound, ErrorKind::PermissionDenied];

/// All that is to be bound, in the order in which it is: folders before what is in them.
fn binds(setup: &Setup) -> Vec<Bind> {
    let plain = sys::READ_ONLY | sys::NO_SET_ID;
    let files = plain | sys::NO_DEVICES;
    let bind = |from: &Path, at: &Path, attributes: u64, kind: Kind| Bind {
        at: at.to_path_buf(),
        from: from.to_path_buf(),
        attributes,
        kind,
    };
    let grants = &setup.grants;
    let granted = [
        (&grants.system, files, Kind::System),
        (&grants.own, files, Kind::Own),
        (&grants.writable, files & !sys::READ_ONLY, Kind::Writable),
    ];
    let mut binds = Vec::new();
    for (paths, attributes, kind) in granted {
        binds.extend(paths.iter().map(|path| bind(path, path, attributes, kind)));
    }
    let devices = paths::DEVICES.iter().chain(paths::RANDOM).map(Path::new);
    binds.extend(devices.map(|path| bind(path, path, plain, Kind::System)));
    let groups = &setup.cgroups.folders;
    for group in groups.iter().chain(&processor_groups(groups)) {
        binds.push(bind(group, mount_point_of(group), files, Kind::System));
    }
    binds.sort();
    binds
}

impl Bind {
    /// Attaches it to the new root, unless a folder that it is in is `bound`. What does not exist or cannot be reached
    /// is left out. What belongs to the program is bound over what is the system's, for it may be readable to its owner
    /// alone; what it may write over its own folder, for one, which is read-only.
    fn attach(
        self,
        identity: Option<&Identity>,
        bound: &mut Vec<(Kind, PathBuf)>,
    ) -> io::Result<()> {
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
            // It is bound under another name, of which one has `..` in it.
            return Ok(());
        }
        if !self.is_copied(identity, &tree, is_there)? {
            if !is_there && file.is_dir() {
                create_folders(&self.at, &[])?;
            } else if !is_there {
                File::create(at)?;
            }
            attach(&tree, at)?;
        }
        bound.push((self.kind, self.at));
        Ok(())
    }

    /// Shows the program's user as the owner in `tree`. Where the file system cannot, and that user cannot read it
    /// either, copies it instead.
    fn is_copied(
        &self,
        identity: Option<&Identity>,
        tree: &OwnedFd,
        is_there: bool,
    ) -> io::Result<bool> {
        let Some(identity) = identity.filter(|_| self.kind != Kind::System) else {
            return Ok(false);
        };
        if identity.show_as_own(&self.from, tree).is_ok() {
            return Ok(false);
        }
        let from = self.from.display();
        if self.kind == Kind::Writable {
            return Err(io::Error::other(format!(
                "{from}: on this file system a bot, who is another user, cannot be let write (--sandbox off)"
            )));
        }
        if is_there || files::are_readable(&self.from) {
            return Ok(false);
        }
        files::copy(&self.from, relative(&self.at), identity.id).map_err(|error| {
            io::Error::other(format!(
                "{from}: {error}; here a bot reads what every user may read (chmod -R a+rX), and up to {} MB else",
                files::COPY_LIMIT >> 20
            ))
        })?;
        Ok(true)
    }
}

/// Users and groups as the program knows them: itself alone. Runtimes ask for their user's name.
fn write_accounts(id: u32) -> io::Result<[(Kind, PathBuf); 2]> {
    create_folders(Path::new("/etc"), &[])?;
    fs::write("etc/passwd", format!("bot:x:{id}:{id}:bot:/:/bin/sh\n"))?;
    fs::write("etc/group", format!("bot:x:{id}:\n"))?;
    Ok(["/etc/passwd", "/etc/group"].map(|path| (Kind::Own, path.into())))
}

/// The groups that version 1 counts processor time in, without which Java does not ask how much memory it may use: its
/// own group says that, too.
fn processor_groups(groups: &[PathBuf]) -> Vec<PathBuf> {
    let one = Path::new(ROOT).join("memory");
    if !groups.iter().any(|group| group.starts_with(&one)) {
        return Vec::new();
    }
    let own = own_groups().into_iter();
    own.filter(|(controllers, _)| controllers.starts_with("cpu"))
        .map(|(controllers, path)| Path::new(ROOT).join(controllers).join(path))
        .collect()
}

/// Where the file system is mounted that this path is in.
fn mount_point_of(path: &Path) -> &Path {
    let device = |path: &Path| fs::metadata(path).map(|file| file.dev()).ok();
    let own = device(path);
    let inside = |path: &&Path| device(path) == own;
    path.ancestors().take_while(inside).last().unwrap_or(path)
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
