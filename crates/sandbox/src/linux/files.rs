//! Trees of files: their size on disk, and removing them.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// Creates a folder unless it exists.
pub(super) fn create_folder(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// The entries of a folder; none if it cannot be read.
pub(super) fn entries(folder: impl AsRef<Path>) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

/// The text of a file of `/proc`. What a program names in it, such as itself, may be no text.
pub(super) fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// The least that a file counts, because many small files fill a disk, too.
const SMALLEST: u64 = 4096;

/// Bytes on disk of all files in a folder and its subfolders. Links are not followed.
pub(super) fn size_of(folder: &Path) -> u64 {
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => SMALLEST + size_of(&entry.path()),
        Ok(data) => size_on_disk(&data),
        Err(_) => 0,
    };
    entries(folder).map(size).sum()
}

pub(super) fn size_on_disk(file: &fs::Metadata) -> u64 {
    (file.blocks() * 512).max(SMALLEST)
}

/// Removes a folder, even if parts of it lack the permissions for that.
pub(super) fn remove(folder: &Path) {
    // A link in its place belongs to someone else, and its target must stay.
    let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    if !is_folder(folder) || fs::remove_dir_all(folder).is_ok() {
        return;
    }
    let mut unseen = vec![folder.to_path_buf()];
    while let Some(folder) = unseen.pop() {
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        let folders =
            entries(&folder).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        unseen.extend(folders.map(|entry| entry.path()));
    }
    let _ = fs::remove_dir_all(folder);
}

/// Whether every user can read this file or list this folder.
pub(super) fn is_readable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| match file.permissions().mode() {
        mode if file.is_dir() => mode & 0o5 == 0o5,
        // What its owner executes, others must be able to execute.
        mode => mode & 0o4 != 0 && (mode & 0o100 == 0 || mode & 0o1 != 0),
    })
}
