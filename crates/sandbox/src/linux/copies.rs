//! Copies of granted files, for file systems whose owners cannot be shown as others ([`identity`](super::identity)).

use super::files::create_folder;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::path::Path;

/// The most bytes that are copied for one program, into its memory.
pub(super) const LIMIT: u64 = 64 << 20;

/// The most files that are looked at to find out whether all are readable; more take too long at every start.
const LOOKED_AT: usize = 10_000;

/// Whether every user can read this file, or all that is in this folder.
pub(super) fn are_readable(path: &Path) -> bool {
    readable(path, &mut { LOOKED_AT })
}

fn readable(path: &Path, left: &mut usize) -> bool {
    let (Ok(file), Some(fewer)) = (fs::symlink_metadata(path), left.checked_sub(1)) else {
        return false;
    };
    *left = fewer;
    let mode = file.permissions().mode();
    if file.is_symlink() {
        return true;
    }
    if !file.is_dir() {
        // What its owner executes is executed by others.
        return mode & 0o4 != 0 && (mode & 0o100 == 0 || mode & 0o1 != 0);
    }
    mode & 0o5 == 0o5
        && fs::read_dir(path)
            .is_ok_and(|entries| entries.flatten().all(|entry| readable(&entry.path(), left)))
}

/// Copies a file, or all that is in a folder, for this user, who owns of the copy what the owner of the original does.
///
/// # Errors
/// When it is too much, or something cannot be read.
pub(super) fn copy(from: &Path, to: &Path, user: u32) -> io::Result<()> {
    let owner = fs::metadata(from)?.uid();
    copy_all(from, to, (owner, user), &mut { LIMIT })
}

fn copy_all(from: &Path, to: &Path, owners: (u32, u32), left: &mut u64) -> io::Result<()> {
    let file = fs::symlink_metadata(from)?;
    let owner = (file.uid() == owners.0).then_some(owners.1);
    if file.is_symlink() {
        symlink(fs::read_link(from)?, to)?;
        return lchown(to, owner, None);
    }
    if file.is_dir() {
        create_folder(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy_all(&from.join(&name), &to.join(&name), owners, left)?;
        }
        fs::set_permissions(to, file.permissions())?;
    } else if file.is_file() {
        *left = left
            .checked_sub(file.len())
            .ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
        fs::copy(from, to)?;
    } else {
        return Ok(());
    }
    chown(to, owner, None)
}
