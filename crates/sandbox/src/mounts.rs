//! The file system that a program sees: nothing but what it is granted, for reading, and a private folder.
//!
//! The init, in a mount namespace of its own, mounts a small tmpfs, binds what is granted at the places where it lies
//! outside (mount_setattr(2), pivot_root(2)), and makes that its root. Leaves out what is granted
//! ([`paths`](super::paths)) and what may be done with it (Landlock, in [`confine`](super::confine)).

use super::copies;
use super::identity::Identity;
use super::namespaces::Namespaces;
use super::paths;
use super::supervisor::Setup;
use super::sys;
use rustix::fs::{CWD, Mode};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_change, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root, umask};
use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path, PathBuf};

/// Where the new root is mounted before it is the root: a folder that exists everywhere, and of which nothing is
/// bound.
const PLACE: &str = "/proc";

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

/// What is to be bound, and where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Bind {
    at: PathBuf,
    from: PathBuf,
    attributes: u64,
    /// Whether the program's user is shown as its owner.
    owned: bool,
}

/// Where something is bound.
struct Bound {
    system: Vec<PathBuf>,
    own: Vec<PathBuf>,
    writable: Vec<PathBuf>,
}

impl Bound {
    fn all(&self) -> Vec<&Path> {
        let both = self.system.iter().chain(&self.own);
        let all = both.chain(&self.writable);
        all.map(PathBuf::as_path).collect()
    }
}

/// Whether a path is one of these or in one of them.
fn is_in(path: &Path, mut folders: impl Iterator<Item = impl AsRef<Path>>) -> bool {
    folders.any(|folder| path.starts_with(folder))
}

/// Enters a new root with what is granted in it, and gives the private folder. The program runs in `place`, if
/// not in that.
pub(super) fn enter(
    setup: &Setup,
    namespaces: &Namespaces,
    place: Option<&Path>,
    size: u64,
) -> io::Result<PathBuf> {
    detach()?;
    // Nothing can be created beside what is bound, not even in the private folder.
    let before = umask(Mode::from_raw_mode(0o222));
    let identity = setup.identity(namespaces);
    let grants = &setup.grants;
    let binds = binds(setup);
    let is_granted = |folder: &Path| is_in(folder, grants.all());
    let mut places = PRIVATE.into_iter().map(Path::new);
    let folder = places
        .find(|folder| !is_granted(folder))
        .ok_or_else(|| io::Error::other("its private folder has no place"))?;
    let shared_proc = match namespaces.own_proc {
        true => None,
        false => Some(clone_tree(Path::new(PLACE))?),
    };
    let room = (4 << 20) + copies::LIMIT;
    mount_tmpfs(Path::new(PLACE), &format!("size={room},mode=755"))?;
    chdir(PLACE)?;
    let owner = identity.map_or(String::new(), |identity| {
        format!(",uid={0},gid={0}", identity.id())
    });
    create_folder(folder, &[])?;
    let options = format!("size={size},nr_inodes=4096,mode=700{owner}");
    mount_tmpfs(relative(folder), &options)?;
    let memory = Path::new(SHARED_MEMORY);
    if folder != memory && !is_granted(memory) {
        create_folder(memory, &[])?;
        attach(&clone_tree(relative(folder))?, relative(memory))?;
    }
    for link in &grants.links {
        create_folder(link.parent().unwrap_or(link), &[])?;
        symlink(fs::read_link(link)?, relative(link))?;
    }
    let mut bound = Bound {
        system: Vec::new(),
        own: grants.links.clone(),
        writable: Vec::new(),
    };
    if let Some(identity) = identity {
        bound.own.extend(write_accounts(identity.id())?);
    }
    for bind in binds {
        bind.attach(identity, &mut bound)?;
    }
    for (target, name) in LINKS {
        // Where all of `/dev` is granted they are there.
        let _ = symlink(target, name);
    }
    create_folder(Path::new("/proc"), &[])?;
    match shared_proc {
        None => mount_proc(Path::new("proc"))?,
        Some(tree) => {
            sys::set_tree_attributes(&tree, sys::READ_ONLY | sys::NO_SET_ID, None)?;
            attach(&tree, Path::new("proc"))?;
        }
    }
    if let Some(place) = place {
        create_folder(place, &bound.all())?;
    }
    sys::set_mount_attributes(Path::new("."), sys::READ_ONLY | sys::NO_DEVICES)?;
    become_root()?;
    umask(before);
    Ok(folder.to_path_buf())
}

/// Does once what [`enter`] does many times, in namespaces that are then forgotten. Gives whether a new `/proc` can be
/// mounted, which some containers refuse.
pub(super) fn try_out() -> io::Result<bool> {
    detach()?;
    let tree = clone_tree(Path::new("/"))?;
    sys::set_tree_attributes(&tree, sys::READ_ONLY, None)?;
    mount_tmpfs(Path::new(PLACE), "size=4k")?;
    chdir(PLACE)?;
    create_folder(Path::new("/proc"), &[])?;
    let own_proc = mount_proc(Path::new("proc")).is_ok();
    become_root()?;
    Ok(own_proc)
}

/// Makes the current folder the root, and forgets the old one.
fn become_root() -> io::Result<()> {
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(chdir("/")?)
}

/// A `/proc` that shows the processes of this PID namespace alone.
fn mount_proc(at: &Path) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    Ok(mount("proc", at, "proc", flags, None)?)
}

/// What is mounted here from now on is not seen outside, nor the other way round.
fn detach() -> io::Result<()> {
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    Ok(mount_change("/", private)?)
}

fn mount_tmpfs(at: &Path, options: &str) -> io::Result<()> {
    let options = CString::new(options)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount("crownhead", at, "tmpfs", flags, options.as_c_str())?)
}

fn clone_tree(path: &Path) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    Ok(open_tree(CWD, path, flags)?)
}

fn attach(tree: &OwnedFd, at: &Path) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    Ok(move_mount(tree, "", CWD, at, flags)?)
}

/// All that is to be bound, in the order in which it is: folders before what is in them.
fn binds(setup: &Setup) -> Vec<Bind> {
    let plain = sys::READ_ONLY | sys::NO_SET_ID;
    let files = plain | sys::NO_DEVICES;
    let mut binds = Vec::new();
    let mut add = |from: &Path, at: &Path, attributes: u64, owned: bool| {
        binds.push(Bind {
            at: at.to_path_buf(),
            from: from.to_path_buf(),
            attributes,
            owned,
        });
    };
    for path in &setup.grants.system {
        add(path, path, files, false);
    }
    for path in &setup.grants.own {
        add(path, path, files, true);
    }
    for path in &setup.grants.writable {
        let writable = files & !sys::READ_ONLY;
        add(path, path, writable, true);
    }
    for path in paths::DEVICES.iter().chain(paths::RANDOM).map(Path::new) {
        add(path, path, plain, false);
    }
    let groups = setup.groups.iter().filter_map(|procs| procs.parent());
    for group in groups.map(Path::to_path_buf).chain(processor_groups(setup)) {
        add(&group, mount_point_of(&group), files, false);
    }
    binds.sort();
    binds
}

impl Bind {
    fn is_writable(&self) -> bool {
        self.attributes & sys::READ_ONLY == 0
    }

    /// Attaches it to the new root, unless a folder that it is in is `bound`. What does not exist or cannot be reached
    /// is left out.
    /// What belongs to the program is bound over what is the system's, for it may be readable to its owner alone.
    fn attach(self, identity: Option<&Identity>, bound: &mut Bound) -> io::Result<()> {
        let is_there = is_in(&self.at, bound.all().into_iter());
        let is_done = match (self.is_writable(), self.owned) {
            // In the program's own folder, for one, which is read-only.
            (true, _) => is_in(&self.at, bound.writable.iter()),
            (false, true) => is_in(&self.at, bound.own.iter().chain(&bound.writable)),
            (false, false) => is_there,
        };
        if is_done {
            return Ok(());
        }
        let Ok(file) = fs::metadata(&self.from) else {
            return Ok(());
        };
        let tree = match clone_tree(&self.from) {
            Ok(tree) => tree,
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::PermissionDenied => return Ok(()),
                _ => return Err(error),
            },
        };
        sys::set_tree_attributes(&tree, self.attributes, None)?;
        create_folder(self.at.parent().unwrap_or(&self.at), &bound.all())?;
        let at = relative(&self.at);
        if !is_there && file.is_file() && at.exists() {
            // It is bound under another name, of which one has `..` in it.
            return Ok(());
        }
        let stranger = identity
            .filter(|identity| self.owned && identity.show_as_own(&self.from, &tree).is_err());
        if stranger.is_some() && self.is_writable() {
            return Err(io::Error::other(format!(
                "{}: on this file system a bot, who is another user, cannot be let write (--sandbox off)",
                self.from.display()
            )));
        }
        let copied_for = stranger.filter(|_| !is_there && !copies::are_readable(&self.from));
        if let Some(identity) = copied_for {
            copies::copy(&self.from, at, identity.id()).map_err(|error| {
                io::Error::other(format!(
                    "{}: {error}; here a bot reads what every user may read (chmod -R a+rX), and up to {} MB else",
                    self.from.display(),
                    copies::LIMIT >> 20
                ))
            })?;
        } else {
            match file.is_dir() {
                _ if is_there => {}
                true => create_folder(&self.at, &[])?,
                false => drop(File::create(at)?),
            }
            attach(&tree, at)?;
        }
        match (self.is_writable(), self.owned) {
            (true, _) => bound.writable.push(self.at),
            (false, true) => bound.own.push(self.at),
            (false, false) => bound.system.push(self.at),
        }
        Ok(())
    }
}

/// Users and groups as the program knows them: itself alone. Runtimes ask for their user's name.
fn write_accounts(id: u32) -> io::Result<[PathBuf; 2]> {
    create_folder(Path::new("/etc"), &[])?;
    fs::write("etc/passwd", format!("bot:x:{id}:{id}:bot:/:/bin/sh\n"))?;
    fs::write("etc/group", format!("bot:x:{id}:\n"))?;
    Ok(["/etc/passwd".into(), "/etc/group".into()])
}

/// The groups that version 1 counts processor time in, without which Java does not ask how much memory it may use: its
/// own group says that, too.
fn processor_groups(setup: &Setup) -> Vec<PathBuf> {
    let one = Path::new("/sys/fs/cgroup/memory");
    if !setup.groups.iter().any(|group| group.starts_with(one)) {
        return Vec::new();
    }
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = |line: &str| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let folder = Path::new("/sys/fs/cgroup").join(controllers);
        let known = controllers.starts_with("cpu");
        known.then(|| folder.join(path.trim_start_matches('/')))
    };
    own.lines().filter_map(group).collect()
}

/// Where the file system is mounted that this path is in.
fn mount_point_of(path: &Path) -> &Path {
    let device = |path: &Path| fs::metadata(path).map(|file| file.dev()).ok();
    let own = device(path);
    let inside = |path: &&Path| device(path) == own;
    path.ancestors().take_while(inside).last().unwrap_or(path)
}

fn relative(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}

/// Creates this folder and those it is in, except where something is bound already.
fn create_folder(path: &Path, bound: &[&Path]) -> io::Result<()> {
    let mut folder = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => folder.push(name),
            Component::ParentDir => drop(folder.pop()),
            _ => continue,
        }
        if is_in(&folder, bound.iter()) {
            continue;
        }
        match fs::create_dir(relative(&folder)) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
