//! Which folders users or programs share, and which files belong to a program's installation.

use std::path::{Path, PathBuf};

/// Folders that many users or programs share.
pub(super) fn shared_folders() -> Vec<PathBuf> {
    let known = ["/", "/home", "/root", "/tmp", "/var/tmp", "/dev/shm"];
    let mut folders = known.map(PathBuf::from).to_vec();
    folders.push(std::env::temp_dir());
    if let Some(home) = std::env::home_dir() {
        folders.push(home.join(".local"));
        folders.push(home.canonicalize().unwrap_or_default());
        folders.push(home);
    }
    folders
}

/// The folder of a file, or only the file if that folder is shared.
pub(super) fn folder_of(file: &Path, shared: &[PathBuf]) -> PathBuf {
    match file.parent() {
        Some(folder) if !is_shared(folder, shared) => folder.to_path_buf(),
        _ => file.to_path_buf(),
    }
}

pub(super) fn is_shared(folder: &Path, shared: &[PathBuf]) -> bool {
    folder.parent() == Some(Path::new("/home")) || shared.iter().any(|other| other == folder)
}

/// Folders of an installation beside its `bin`: libraries and settings of interpreters, and the interpreters that
/// programs in `shims` choose from (pyenv, asdf, mise).
const BESIDE_BIN: &str = "\
    lib lib32 lib64 libexec share bin conf jre release pyvenv.cfg shims versions version installs plugins";

pub(super) fn is_installed(program: &Path) -> bool {
    let folder = program.parent();
    folder.is_some_and(|folder| folder.ends_with("bin") || folder.ends_with("shims"))
}

/// A program's folder. For `…/bin/program`, also the installation beside `bin`, which an interpreter needs.
pub(super) fn installation(program: &Path, shared: &[PathBuf]) -> Vec<PathBuf> {
    let own = folder_of(program, shared);
    let prefix = own.parent().filter(|_| is_installed(program));
    match prefix {
        Some(prefix) if !is_shared(prefix, shared) => {
            let beside = BESIDE_BIN.split(' ').map(|name| prefix.join(name));
            beside.chain([own.clone()]).collect()
        }
        // `~/.local` has programs' libraries beside `bin`, and secrets in `share`.
        Some(prefix) if prefix.ends_with(".local") => vec![prefix.join("lib"), own.clone()],
        _ => vec![own],
    }
}

/// The real path of a file, if a folder on the way is a link; and the path of its target, if the file itself is a link.
/// Only the target file is granted, because the link's author chose it.
pub(super) fn places_of(path: &Path) -> (Option<PathBuf>, Option<PathBuf>) {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let real = folder
        .zip(path.file_name())
        .map(|(folder, name)| folder.join(name));
    let target = path.canonicalize().ok().filter(|_| path.is_symlink());
    (real.filter(|real| real != path), target)
}

/// The paths that a program needs: its folder, its installation, and the same for the target of a link, if that is
/// installed. `alone` leaves the folder out.
pub(super) fn program_paths(program: &Path, alone: bool, shared: &[PathBuf]) -> Vec<PathBuf> {
    let (real, target) = places_of(program);
    let named = std::iter::once(program.to_path_buf()).chain(real);
    // In a virtual environment, the interpreter is a link to the installed one.
    let all = named
        .map(|path| (path, alone))
        .chain(target.map(|path| (path, true)));
    let paths = all.map(|(path, alone)| match alone && !is_installed(&path) {
        true => vec![path],
        false => installation(&path, shared),
    });
    paths.flatten().collect()
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
    fn an_interpreter_reads_its_installation_but_neither_what_is_beside_it_nor_the_home_folder() {
        let jdk = installation_of("/home/ann/jdk/bin/java");
        for read in ["bin", "lib", "conf"] {
            assert!(jdk.contains(&format!("/home/ann/jdk/{read}")), "{read}");
        }
        assert!(!jdk.contains(&"/home/ann/jdk".into()), "{jdk:?}");
        let pyenv = installation_of("/home/ann/.pyenv/shims/python3");
        assert!(pyenv.contains(&"/home/ann/.pyenv/versions".into()));
        assert_eq!(installation_of("/home/ann/bin/bot"), ["/home/ann/bin"]);
        let local = installation_of("/home/ann/.local/bin/python3");
        assert_eq!(local.last().unwrap(), "/home/ann/.local/bin");
        assert!(!local.iter().any(|path| path.ends_with("/share")));
    }

    #[test]
    fn a_link_makes_only_its_target_file_readable() {
        let folder = std::env::temp_dir().join(format!("links-{}", std::process::id()));
        let (bots, home) = (folder.join("bots"), folder.join("home"));
        std::fs::create_dir_all(&bots).unwrap();
        std::fs::create_dir_all(&home).unwrap();
        let (key, book) = (home.join("key"), bots.join("book.bin"));
        std::fs::write(&key, "secret").unwrap();
        std::os::unix::fs::symlink(&key, &book).unwrap();
        // A folder on the way may be a link of the user, not of the bot.
        let current = folder.join("current");
        std::os::unix::fs::symlink(&bots, &current).unwrap();
        let real = folder.canonicalize().unwrap();
        let (in_folder, target) = places_of(&current.join("book.bin"));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(in_folder, Some(real.join("bots/book.bin")));
        assert_eq!(target, Some(real.join("home/key")));
    }
}
