//! The file system that a program sees: nothing but what it is granted, for reading, and a private folder.
//!
//! The init, in a mount namespace of its own, mounts a small tmpfs, binds what is granted at the places where it lies
//! outside (mount_setattr(2), pivot_root(2)), and makes that its root. Leaves out what is granted
//! ([`paths`](super::paths)) and what may be done with it (Landlock, in [`confine`](super::confine)).

use super::copies;
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
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path, PathBuf};

/// Where the new root is mounted before it is the root: a folder that exists everywhere, and of which nothing is
/// granted.
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

/// What is to be bound, and where. It is opened before the new root hides anything.
struct Bind {
    at: PathBuf,
    is_folder: bool,
    source: Source,
}

enum Source {
    Tree(OwnedFd),
    /// To be copied for this user.
    Copy(PathBuf, u32),
}

/// Enters a new root with what is granted in it, and gives the private folder. The program runs in `place`.
pub(super) fn enter(
    setup: &Setup,
    namespaces: &Namespaces,
    place: &Path,
    size: u64,
) -> io::Result<PathBuf> {
    detach()?;
    // Nothing can be created beside what is bound, not even in the private folder.
    let before = umask(Mode::from_raw_mode(0o222));
    let identity = namespaces.identity.as_ref();
    let grants = &setup.grants;
    let mut bound = grants.links.clone();
    let binds = open_binds(setup, namespaces, &mut bound)?;
    let is_granted = |folder: &Path| grants.all().any(|granted| folder.starts_with(granted));
    let mut places = PRIVATE.into_iter().map(Path::new);
    let folder = places
        .find(|folder| !is_granted(folder))
        .ok_or_else(|| io::Error::other("its private folder has no place"))?;
    let copies = binds
        .iter()
        .any(|bind| matches!(bind.source, Source::Copy(..)));
    let room = (4 << 20) + if copies { copies::LIMIT } else { 0 };
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
    for bind in binds {
        bind.attach(&bound)?;
    }
    for (target, name) in LINKS {
        // Where all of `/dev` is granted they are there.
        let _ = symlink(target, name);
    }
    if namespaces.own_proc {
        create_folder(Path::new("/proc"), &[])?;
        mount_proc(Path::new("proc"))?;
    }
    create_folder(place, &bound)?;
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

/// Opens all that is to be bound, in the order in which it is bound: folders before what is in them, which is then not
/// bound by itself. What does not exist or cannot be reached is left out. Notes what will be `bound`.
fn open_binds(
    setup: &Setup,
    namespaces: &Namespaces,
    bound: &mut Vec<PathBuf>,
) -> io::Result<Vec<Bind>> {
    let plain = sys::READ_ONLY | sys::NO_SET_ID;
    let files = plain | sys::NO_DEVICES;
    let same = |path: &Path| (path.to_path_buf(), path.to_path_buf());
    let mut sources = Vec::new();
    let mut add = |(source, at): (PathBuf, PathBuf), attributes: u64, own: bool| {
        sources.push((at, source, attributes, own));
    };
    for path in &setup.grants.system {
        add(same(path), files, false);
    }
    for path in &setup.grants.own {
        add(same(path), files, true);
    }
    for path in &setup.grants.writable {
        add(same(path), files & !sys::READ_ONLY, true);
    }
    for path in paths::DEVICES.iter().chain(paths::RANDOM) {
        add(same(Path::new(path)), plain, false);
    }
    let groups = setup.groups.iter().filter_map(|procs| procs.parent());
    for group in groups.map(Path::to_path_buf).chain(processor_groups(setup)) {
        let at = mount_point_of(&group).to_path_buf();
        add((group, at), files, false);
    }
    if !namespaces.own_proc {
        add(same(Path::new("/proc")), files, false);
    }
    sources.sort();
    let mut binds = Vec::new();
    let mut writable: Vec<PathBuf> = Vec::new();
    for (at, source, attributes, own) in sources {
        // What may be written is bound once more, over the folder that it lies in.
        let may_write = attributes & sys::READ_ONLY == 0 && own;
        let enough = if may_write { &writable } else { &*bound };
        if enough.iter().any(|bound| at.starts_with(bound)) {
            continue;
        }
        let (Ok(file), Ok(tree)) = (fs::metadata(&source), clone_tree(&source)) else {
            continue;
        };
        sys::set_tree_attributes(&tree, attributes, None)?;
        let identity = namespaces.identity.as_ref().filter(|_| own);
        let copied_for = identity.filter(|identity| {
            identity.show_as_own(&source, &tree).is_err()
                && !may_write
                && !copies::are_readable(&source)
        });
        writable.extend(may_write.then(|| at.clone()));
        bound.push(at.clone());
        binds.push(Bind {
            at,
            is_folder: file.is_dir(),
            source: match copied_for {
                Some(identity) => Source::Copy(source, identity.id()),
                None => Source::Tree(tree),
            },
        });
    }
    Ok(binds)
}

impl Bind {
    /// Attaches it to the new root. `bound` is what is bound in the end, and not to be created.
    fn attach(self, bound: &[PathBuf]) -> io::Result<()> {
        create_folder(self.at.parent().unwrap_or(&self.at), bound)?;
        let at = relative(&self.at);
        match self.source {
            Source::Tree(tree) => {
                match self.is_folder {
                    true => create_folder(&self.at, &[])?,
                    false => drop(File::create(at)?),
                }
                attach(&tree, at)
            }
            Source::Copy(source, user) => copies::copy(&source, at, user).map_err(|error| {
                io::Error::other(format!(
                    "{}: {error}; here a bot reads what every user may read (chmod -R a+rX), and up to {} MB else",
                    source.display(),
                    copies::LIMIT >> 20
                ))
            }),
        }
    }
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
fn create_folder(path: &Path, bound: &[PathBuf]) -> io::Result<()> {
    let mut folder = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => folder.push(name),
            Component::ParentDir => drop(folder.pop()),
            _ => continue,
        }
        if bound.iter().any(|bound| folder.starts_with(bound)) {
            continue;
        }
        match fs::create_dir(relative(&folder)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
