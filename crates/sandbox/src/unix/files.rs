//! What files and the machine are called and allow on Unix.

use rustix::fs::{Access, access};
use rustix::process::{Pid, geteuid, test_kill_process};
use std::fs::{self, DirBuilder, File, Metadata, Permissions, TryLockError};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

/// The type and the permissions of a file (inode(7)).
pub fn mode(file: &Metadata) -> u32 {
    file.mode()
}

/// Gives a file these permissions.
///
/// # Errors
/// When it is not the caller's.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// What creates temporary files with these permissions, or fewer (umask(2)).
pub fn temporary_file(mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.permissions(Permissions::from_mode(mode));
    builder
}

/// Makes a symbolic link.
///
/// # Errors
/// When the link cannot be made.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Two numbers that no two files have at once.
pub fn file_identity(path: &Path) -> Option<(u64, u64)> {
    let file = path.metadata().ok()?;
    Some((file.dev(), file.ino()))
}

/// Locks a file for this handle. Others can read it all the same.
///
/// # Errors
/// When another handle has locked it, or the file system has no locks.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// Whether another handle has locked a file.
pub fn is_locked(file: &File) -> bool {
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// How a file looks from outside. This changes whenever it is written to, even if its times do not.
pub type FileLook = ([u64; 4], [i64; 4]);

/// How this file looks.
pub fn look_of(file: &Metadata) -> FileLook {
    let which = [file.dev(), file.ino(), file.len(), file.mode().into()];
    let [mtime, ctime] = [file.mtime(), file.ctime()];
    (which, [mtime, file.mtime_nsec(), ctime, file.ctime_nsec()])
}

/// Whether this process may read this file or list this folder.
pub fn may_read(path: &Path) -> bool {
    access(path, Access::READ_OK).is_ok()
}

/// Whether this process may write this file, or create files in this folder.
///
/// # Errors
/// Why it may not.
pub fn check_writable(path: &Path) -> io::Result<()> {
    Ok(access(path, Access::WRITE_OK)?)
}

/// Creates a folder that others may use as `mode` says.
pub(crate) fn create_folder(path: &Path, mode: u32) -> io::Result<()> {
    DirBuilder::new().mode(mode).create(path)
}

/// What is locked while a folder is in use.
pub(crate) fn open_lock(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Whether this user's files include this one.
pub(crate) fn is_own(file: &Metadata) -> bool {
    file.uid() == geteuid().as_raw()
}

/// Whether no process has this number.
pub(crate) fn is_gone(process: i32) -> bool {
    let is_gone = |pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH);
    Pid::from_raw(process).is_some_and(is_gone)
}

/// Whether the machine or the user is out of files, processes or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let shortages = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| shortages.contains(&errno))
}

/// The bytes that this user may still write in the file system of a folder.
///
/// # Errors
/// When there is no such folder.
pub fn free_space(folder: &Path) -> io::Result<u64> {
    let system = rustix::fs::statvfs(folder)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

/// The name of this machine.
pub fn host_name() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into()
}

/// Standard output as a file.
///
/// # Errors
/// When it is closed.
pub fn stdout_file(stdout: &io::Stdout) -> io::Result<File> {
    stdout.as_fd().try_clone_to_owned().map(File::from)
}
