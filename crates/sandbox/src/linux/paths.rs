//! Decides what a program may read: its own folder, and what programs need to run.
//!
//! A path through a folder that the program may write grants nothing, because an earlier game may have put a link
//! there. The files in that folder are granted with the folder itself.
//!
//! Mounts enforce this if possible, and Landlock in any case; that is done elsewhere.

use super::files::entries;
use super::folders::{folder_of, is_shared, places_of, program_paths, shared_folders};
use super::message::SpawnRequest;
use super::started;
use crate::config::NamedFiles;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// What all programs may read: libraries, interpreters, their settings, and the description of the machine. No folder
/// with a user's secrets is among them.
const SYSTEM: &str = "\
    /bin /sbin /lib /lib32 /lib64 /usr /opt /nix/store /gnu/store /snap \
    /sys/devices/system/cpu /sys/devices/system/node /sys/kernel/mm \
    /etc/alternatives /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/ld.so.preload /etc/localtime /etc/timezone \
    /etc/locale.alias /etc/nsswitch.conf /etc/passwd /etc/group /etc/os-release /etc/ssl/openssl.cnf /etc/ssl/certs \
    /etc/crypto-policies /etc/python3 /etc/node /etc/mono";

/// Each of [`SYSTEM`].
fn system() -> impl Iterator<Item = &'static Path> {
    SYSTEM.split(' ').map(Path::new)
}

/// The folders among them in which not every user may read everything.
const LOCAL: [&str; 2] = ["/opt", "/usr/local"];

/// Devices that may be read and written.
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// Devices that may be read.
pub(super) const RANDOM: &[&str] = &["/dev/urandom", "/dev/random"];

/// What a program may read, in addition to devices, `/proc` and its control groups. Some of it may not exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Grants {
    /// What all programs may read.
    pub(super) system: Vec<PathBuf>,
    /// Links such as `/bin`, whose targets are granted, too.
    pub(super) links: Vec<PathBuf>,
    /// This program's own paths: its installation, the folders of files on its command line, and what the caller
    /// allows.
    pub(super) own: Vec<PathBuf>,
    /// Folders that the caller also lets it write.
    pub(super) writable: Vec<PathBuf>,
}

impl Grants {
    /// All of it.
    pub(super) fn all(&self) -> impl Iterator<Item = &PathBuf> {
        let system = self.system.iter().chain(&self.links);
        system.chain(&self.own).chain(&self.writable)
    }
}

/// What this program may read: the system's paths and its own.
pub(super) fn grants(request: &SpawnRequest, system: Grants) -> Grants {
    let written = WrittenFolders::of(&request.sandbox.allow_write);
    let writable = request.sandbox.allow_write.iter();
    Grants {
        own: own_paths(request, &written),
        writable: writable
            .filter(|folder| written.permit(folder))
            .cloned()
            .collect(),
        ..system
    }
}

/// The real paths of folders that the caller lets a program write.
struct WrittenFolders(Vec<PathBuf>);

impl WrittenFolders {
    fn of(folders: &[PathBuf]) -> WrittenFolders {
        let real = folders.iter().filter_map(|path| path.canonicalize().ok());
        WrittenFolders(real.collect())
    }

    /// Whether no name on this path is looked up in one of these folders, so that no program has chosen the target.
    fn permit(&self, path: &Path) -> bool {
        /// As many links as the kernel follows (path_resolution(7)).
        const LINKS: usize = 40;
        let mut links = 0;
        let mut place = PathBuf::from("/");
        // The next one is the last.
        let mut names = names_of(path);
        while let Some(name) = names.pop() {
            if name == ".." {
                place.pop();
                continue;
            }
            if self.0.iter().any(|folder| place.starts_with(folder)) {
                return false;
            }
            place.push(name);
            if let Ok(target) = place.read_link() {
                links += 1;
                if links > LINKS {
                    return false;
                }
                if target.is_absolute() {
                    place = PathBuf::from("/");
                } else {
                    place.pop();
                }
                names.extend(names_of(&target));
            }
        }
        true
    }
}

/// The names in a path, the last one first.
fn names_of(path: &Path) -> Vec<OsString> {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.into()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    names.rev().collect()
}

/// What all programs may read.
pub(super) fn system_grants() -> Grants {
    // Java's settings lie in `/etc/java-NN-openjdk`.
    let settings = entries("/etc").map(|entry| entry.path());
    let java = settings.filter(|path| path.to_string_lossy().starts_with("/etc/java"));
    let system = system().map(PathBuf::from).chain(java);
    let (links, system) = system.partition(|path| path.is_symlink());
    Grants {
        system,
        links,
        ..Grants::default()
    }
}

/// The folder that it runs in.
pub(super) fn working_folder(request: &SpawnRequest) -> PathBuf {
    let current = std::env::current_dir().unwrap_or_else(|_| "/".into());
    current.join(request.folder.as_deref().unwrap_or_default())
}

fn own_paths(request: &SpawnRequest, written: &WrittenFolders) -> Vec<PathBuf> {
    let shared = shared_folders();
    let place = working_folder(request);
    let named = request.sandbox.named;
    let files_alone = named != NamedFiles::Folders;
    let mut paths = Vec::new();
    let program = request.program.as_ref().map(|program| place.join(program));
    if let Some(program) = program.filter(|program| written.permit(program)) {
        paths.extend(program_paths(&program, files_alone, &shared));
    }
    let has_folder = request.folder.is_some() && written.permit(&place);
    if has_folder && !files_alone && !is_shared(&place, &shared) {
        paths.push(place.clone());
    }
    let words = request.arguments.iter();
    for word in words.filter(|_| named != NamedFiles::Nothing) {
        let path = place.join(word);
        if written.permit(&path) && path.is_file() {
            let (real, target) = places_of(&path);
            let named = std::iter::once(path).chain(real);
            if files_alone {
                paths.extend(named);
            } else {
                paths.extend(named.map(|path| folder_of(&path, &shared)));
            }
            paths.extend(target);
        }
    }
    if named == NamedFiles::Folders {
        let started = started::paths(request, &place, &shared);
        paths.extend(started.into_iter().filter(|path| written.permit(path)));
    }
    let read = request.sandbox.allow_read.iter();
    paths.extend(read.filter(|path| written.permit(path)).cloned());
    if paths.contains(&PathBuf::from("/")) {
        // Everything in it, except what every program has of its own.
        let all = entries("/").map(|entry| entry.path());
        paths.extend(all.filter(|path| path != Path::new("/proc") && path != Path::new("/dev")));
    }
    // Every user can read what comes from the system's packages.
    let is_packaged =
        |path: &Path| is_system(path) && !LOCAL.iter().any(|local| path.starts_with(local));
    paths.retain(|path| path != Path::new("/") && !is_packaged(path));
    paths
}

/// Whether this is in a folder that all programs may read.
pub(super) fn is_system(path: &Path) -> bool {
    system().any(|system| path.starts_with(system))
}

/// Whether a folder is shared by users or programs, or part of the system: `/tmp`, the home folder or `/usr/bin`.
pub fn is_shared_folder(folder: &Path) -> bool {
    // Below `/opt`, every program has a folder of its own.
    let opt = Path::new("/opt");
    let is_in = |system: &Path| system != opt && folder.starts_with(system);
    is_shared(folder, &shared_folders()) || folder == opt || system().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_through_a_folder_that_is_written() {
        let folder = std::env::temp_dir().join(format!("written-{}", std::process::id()));
        let (bot, home) = (folder.join("bot"), folder.join("home"));
        std::fs::create_dir_all(bot.join("sub")).unwrap();
        std::fs::create_dir_all(&home).unwrap();
        for (name, target) in [("current", &bot), ("inside", &bot.join("sub"))] {
            std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        }
        std::os::unix::fs::symlink(&home, bot.join("away")).unwrap();
        let written = WrittenFolders::of(&[folder.join("current")]);
        let permitted = |path: &str| written.permit(&folder.join(path));
        let all = [
            "bot",
            "current",
            "home/key",
            "bot/../home",
            "current/../home",
            "none",
        ];
        let none = [
            "bot/weights",
            "bot/sub",
            "current/sub",
            "inside",
            "bot/away/key",
            "bot/away/..",
        ];
        let (all, none) = (all.map(permitted), none.map(permitted));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((all, none), ([true; 6], [false; 6]));
    }
}
