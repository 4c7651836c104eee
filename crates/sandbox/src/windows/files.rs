//! What files and the machine are called and allow on Windows. Files have no permissions there that a mode could name:
//! they have those of their folder.

use super::sys;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::windows::fs::{MetadataExt, symlink_dir, symlink_file};
use std::os::windows::io::{AsHandle, BorrowedHandle};
use std::path::Path;

/// A file of the user alone.
pub fn mode(_: &Metadata) -> u32 {
    0o600
}

/// Nothing.
///
/// # Errors
/// Never.
pub fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// What creates temporary files.
pub fn temporary_file(_: u32) -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
}

/// Makes a symbolic link.
///
/// # Errors
/// When the link cannot be made, which needs a right that not every user has.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    let folder = link.parent().unwrap_or(Path::new(""));
    match folder.join(target).is_dir() {
        true => symlink_dir(target, link),
        false => symlink_file(target, link),
    }
}

/// Two numbers that no two files have at once.
pub fn file_identity(path: &Path) -> Option<(u64, u64)> {
    sys::file_numbers(&File::open(path).ok()?).ok()
}

/// Locks a file for this handle. Others can read it all the same.
///
/// # Errors
/// When another handle has locked it, or the file system has no locks.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    sys::try_lock(file, true)
}

/// Whether another handle has locked a file.
pub fn is_locked(file: &File) -> bool {
    matches!(sys::try_lock(file, false), Err(TryLockError::WouldBlock))
}

/// How a file looks from outside. This changes when it is written to.
pub type FileLook = ([u64; 4], [i64; 4]);

/// How this file looks.
pub fn look_of(file: &Metadata) -> FileLook {
    let times = [file.creation_time(), file.last_write_time()];
    let [created, written] = times.map(u64::cast_signed);
    let attributes = file.file_attributes().into();
    (
        [0, 0, file.file_size(), attributes],
        [created, written, 0, 0],
    )
}

/// Whether this process may read this file or list this folder.
pub fn may_read(path: &Path) -> bool {
    match path.is_dir() {
        true => fs::read_dir(path).is_ok(),
        false => File::open(path).is_ok(),
    }
}

/// Whether this process may write this file, or create files in this folder.
///
/// # Errors
/// Why it may not.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match path.metadata()?.is_dir() {
        true => tempfile::tempfile_in(path).map(drop),
        false => OpenOptions::new().append(true).open(path).map(drop),
    }
}

/// Creates a folder.
pub(crate) fn create_folder(path: &Path, _: u32) -> io::Result<()> {
    fs::create_dir(path)
}

/// What is locked while a folder is in use. A folder itself cannot be.
pub(crate) fn open_lock(folder: &Path) -> io::Result<File> {
    let name = folder.join("in-use");
    OpenOptions::new().create(true).append(true).open(name)
}

/// Whether this user's files include this one: the folder for temporary files is the user's own.
pub(crate) fn is_own(_: &Metadata) -> bool {
    true
}

/// Whether no process has this number.
pub(crate) fn is_gone(process: i32) -> bool {
    !sys::exists(process.cast_unsigned())
}

/// Whether the machine or the user is out of files, processes or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    use windows_sys::Win32::Foundation as errors;
    let shortages = [
        errors::ERROR_TOO_MANY_OPEN_FILES,
        errors::ERROR_NOT_ENOUGH_MEMORY,
        errors::ERROR_NO_SYSTEM_RESOURCES,
        errors::ERROR_COMMITMENT_LIMIT,
    ];
    let number = error.raw_os_error().map(i32::cast_unsigned);
    number.is_some_and(|number| shortages.contains(&number))
}

/// The bytes that this user may still write on the disk of a folder.
///
/// # Errors
/// When there is no such folder.
pub fn free_space(folder: &Path) -> io::Result<u64> {
    sys::free_space(folder)
}

/// The name of this machine.
pub fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "windows".into())
}

/// Standard output as a file.
///
/// # Errors
/// When it is closed.
pub fn stdout_file(stdout: &io::Stdout) -> io::Result<File> {
    let handle: BorrowedHandle<'_> = stdout.as_handle();
    handle.try_clone_to_owned().map(File::from)
}
