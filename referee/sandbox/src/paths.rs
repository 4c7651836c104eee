//! What a program may read: its own folder, and what programs need to run.

use super::message::SpawnRequest;
use std::path::{Path, PathBuf};

/// What programs of all kinds read: libraries, interpreters, their settings, and the description of the machine.
/// No folder with a user's secrets is among them.
const SYSTEM: &[&str] = &[
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/snap",
    "/proc",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm",
    "/sys/fs/cgroup",
    "/dev/urandom",
    "/dev/random",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/group",
    "/etc/os-release",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/crypto-policies",
    "/etc/python3",
    "/etc/node",
    "/etc/mono",
];

/// Devices that may be read and written.
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// Everything the program may read; some of it may not exist.
pub(super) fn readable(request: &SpawnRequest) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    paths.extend(java_settings());
    paths.extend(own(request));
    paths
}

/// What must not be hidden by a mount.
pub(super) fn needed(request: &SpawnRequest) -> Vec<PathBuf> {
    let mut paths = own(request);
    paths.extend(std::env::current_dir());
    paths.extend(request.folder.clone());
    paths
}

/// What belongs to this program: its installation, the folders of the files named on its command line, and what
/// the caller allows.
fn own(request: &SpawnRequest) -> Vec<PathBuf> {
    let shared = shared_folders();
    let mut paths = Vec::new();
    if let Some(program) = &request.program {
        let real = Path::new(program).canonicalize().ok();
        for program in [Some(PathBuf::from(program)), real].into_iter().flatten() {
            match request.files_alone && !is_bin(&program) {
                true => paths.push(program),
                false => paths.extend(installation(&program, &shared)),
            }
        }
    }
    let folder = request.folder.as_ref();
    let folder = folder.filter(|folder| !request.files_alone && !is_shared(folder, &shared));
    paths.extend(folder.cloned());
    let place = request.folder.clone().unwrap_or_default();
    for word in &request.arguments {
        let path = std::path::absolute(place.join(word)).ok();
        let path = path.filter(|path| path.is_file());
        let real = path.as_ref().and_then(|path| path.canonicalize().ok());
        for file in [path, real].into_iter().flatten() {
            paths.push(match request.files_alone {
                true => file,
                false => folder_of(&file, &shared),
            });
        }
    }
    paths.extend(request.allow_read.iter().map(PathBuf::from));
    paths
}

/// Folders that many users or programs share.
fn shared_folders() -> Vec<PathBuf> {
    let mut folders = vec![
        "/".into(),
        "/home".into(),
        "/root".into(),
        std::env::temp_dir(),
    ];
    folders.extend(["/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from));
    if let Some(home) = std::env::home_dir() {
        folders.push(home.join(".local"));
        folders.push(home.canonicalize().unwrap_or_default());
        folders.push(home);
    }
    folders
}

/// Whether a folder is no one's own: shared by users or programs, or part of the system.
pub(super) fn is_everybodys(folder: &Path) -> bool {
    // Below `/opt` everything has a folder of its own.
    let is_in = |system: &&str| *system != "/opt" && folder.starts_with(system);
    is_shared(folder, &shared_folders()) || folder == Path::new("/opt") || SYSTEM.iter().any(is_in)
}

/// The folder a file lies in, or the file alone where that folder is shared.
fn folder_of(file: &Path, shared: &[PathBuf]) -> PathBuf {
    match file.parent() {
        Some(folder) if !is_shared(folder, shared) => folder.to_path_buf(),
        _ => file.to_path_buf(),
    }
}

fn is_shared(folder: &Path, shared: &[PathBuf]) -> bool {
    let is_home = folder.parent() == Some(Path::new("/home"));
    is_home || shared.iter().any(|other| other == folder)
}

/// A program's folder; of `…/bin/program` also what is installed beside `bin`, as an interpreter needs it.
fn installation(program: &Path, shared: &[PathBuf]) -> Vec<PathBuf> {
    let own = folder_of(program, shared);
    let is_bin = own.ends_with("bin") || own.ends_with("shims");
    match own.parent() {
        Some(prefix) if is_bin && !is_shared(prefix, shared) => vec![prefix.to_path_buf()],
        // `~/.local` has libraries of programs beside their `bin`, and secrets in `share`.
        Some(prefix) if is_bin && prefix.ends_with(".local") => {
            vec![prefix.join("lib"), own.clone()]
        }
        _ => vec![own],
    }
}

/// Whether a program lies where programs are installed.
fn is_bin(program: &Path) -> bool {
    let folder = program.parent();
    folder.is_some_and(|folder| folder.ends_with("bin") || folder.ends_with("shims"))
}

/// Java's settings, which lie in `/etc/java-NN-openjdk`.
fn java_settings() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"java"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installation_of(program: &str) -> Vec<String> {
        let shared = ["/", "/tmp", "/home/ann", "/home/ann/.local"].map(PathBuf::from);
        let paths = installation(Path::new(program), &shared);
        paths
            .iter()
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn a_program_reads_its_own_folder_but_no_shared_folder() {
        assert_eq!(
            installation_of("/home/ann/bots/new/bot"),
            ["/home/ann/bots/new"]
        );
        assert_eq!(installation_of("/home/ann/bot"), ["/home/ann/bot"]);
        assert_eq!(installation_of("/home/bob/bot"), ["/home/bob/bot"]);
        assert_eq!(installation_of("/tmp/bot"), ["/tmp/bot"]);
    }

    #[test]
    fn an_interpreter_reads_its_installation_but_not_the_home_folder() {
        assert_eq!(
            installation_of("/home/ann/.pyenv/shims/python3"),
            ["/home/ann/.pyenv"]
        );
        assert_eq!(installation_of("/home/ann/jdk/bin/java"), ["/home/ann/jdk"]);
        assert_eq!(installation_of("/home/ann/bin/bot"), ["/home/ann/bin"]);
        let local = installation_of("/home/ann/.local/bin/python3");
        assert_eq!(local.last().unwrap(), "/home/ann/.local/bin");
        assert!(!local.iter().any(|path| path.ends_with("/share")));
    }
}
