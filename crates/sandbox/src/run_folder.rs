//! Temporary folders named after their process: `crownhead-` and its number. If a process is killed, its folder stays,
//! and the next run removes it.

use crate::host;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The folder for all temporary files of this process. It is removed when this is dropped.
#[derive(Debug)]
pub struct RunFolder(Held);

impl RunFolder {
    /// Creates the folder in the system's folder for temporary files, and removes those of processes that are gone.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create() -> io::Result<RunFolder> {
        RunFolder::create_in(&std::env::temp_dir())
    }

    fn create_in(parent: &Path) -> io::Result<RunFolder> {
        remove_abandoned(parent);
        // A sandboxed bot may run as another user. It can open a file here if it knows the name, but it cannot list the
        // folder.
        Held::create(parent, 0o711).map(RunFolder)
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0.path);
    }
}

/// A folder of this process, with the lock that tells other processes that its owner is alive.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) path: PathBuf,
    _lock: File,
}

impl Held {
    /// Creates this process's folder in `parent`, with this mode.
    pub(crate) fn create(parent: &Path, mode: u32) -> io::Result<Held> {
        let path = path_of(parent, std::process::id());
        host::create_folder(&path, mode)?;
        match locked(&path) {
            Some(lock) => Ok(Held { path, _lock: lock }),
            None => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

/// This folder, locked; `None` if another process has locked it.
pub(crate) fn locked(folder: &Path) -> Option<File> {
    let folder = host::open_lock(folder).ok()?;
    folder.try_lock().ok()?;
    Some(folder)
}

/// The folder of the process of this number.
pub(crate) fn path_of(parent: &Path, process: u32) -> PathBuf {
    parent.join(format!("crownhead-{process}"))
}

/// Removes the folders of this user's processes that are gone.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if owner(&entry.file_name()).is_some_and(|owner| is_abandoned(&entry, owner)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The number of the process whose folder has this name.
fn owner(name: &OsStr) -> Option<i32> {
    name.to_str()?.strip_prefix("crownhead-")?.parse().ok()
}

/// Both tests are needed. The process of a container that shares the folder is invisible here, but its lock is visible.
/// A new folder may have no lock yet, but its process is visible.
fn is_abandoned(entry: &fs::DirEntry, owner: i32) -> bool {
    let is_own = |data: fs::Metadata| data.is_dir() && host::is_own(&data);
    let is_free = || locked(&entry.path()).is_some();
    entry.metadata().is_ok_and(is_own) && host::is_gone(owner) && is_free()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that no process has, because Linux gives none above 4,194,304.
    const GONE: u32 = 2_000_000_000;

    #[test]
    fn the_next_run_removes_the_folders_of_processes_that_are_gone_and_no_other() {
        let folders = RunFolder::create().unwrap();
        let parent = folders.path();
        let names = || {
            let names = entries_of(parent);
            names.into_iter().filter(|name| name != "crownhead-own")
        };
        let abandoned = path_of(parent, GONE);
        fs::create_dir(&abandoned).unwrap();
        fs::write(abandoned.join("globals.cjs"), "").unwrap();
        // The folder of a process in another container, of which only the lock is visible.
        let locked = path_of(parent, GONE + 1);
        fs::create_dir(&locked).unwrap();
        let lock = File::open(&locked).unwrap();
        lock.lock().unwrap();
        // The folder of a process that has not locked it yet, and a name that only looks like one.
        fs::create_dir(path_of(parent, std::os::unix::process::parent_id())).unwrap();
        fs::create_dir(parent.join("crownhead-own")).unwrap();
        fs::write(path_of(parent, GONE + 2), "").unwrap();

        let next = RunFolder::create_in(parent).unwrap();
        let expected = [
            locked.clone(),
            path_of(parent, std::os::unix::process::parent_id()),
            path_of(parent, GONE + 2),
            next.path().to_path_buf(),
        ];
        let mut expected = expected.map(|path| path.file_name().unwrap().to_owned());
        expected.sort();
        assert!(names().eq(expected));

        // If only dropped, it would stay locked while another test starts a program.
        lock.unlock().unwrap();
        drop(next);
        drop(RunFolder::create_in(parent).unwrap());
        assert_eq!(names().count(), 2);
    }

    fn entries_of(folder: &Path) -> Vec<std::ffi::OsString> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }
}
