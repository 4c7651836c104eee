//! Trees of files: their size on disk, and removing them.

use super::processes::live_folder;
use std::collections::BTreeMap;
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

fn size_on_disk(file: &fs::Metadata) -> u64 {
    (file.blocks() * 512).max(SMALLEST)
}

/// Bytes of deleted files on the disk of `folder` that these processes still have open or mapped.
pub(super) fn size_of_unlinked(processes: &[u32], folder: &Path) -> u64 {
    let Ok(device) = fs::metadata(folder).map(|folder| folder.dev()) else {
        return 0;
    };
    let mut sizes = BTreeMap::new();
    for pid in processes {
        let process = live_folder(*pid);
        let open = entries(process.join("fd"));
        for file in open.filter_map(|entry| fs::metadata(entry.path()).ok()) {
            if file.is_file() && file.nlink() == 0 && file.dev() == device {
                sizes.insert(file.ino(), size_on_disk(&file));
            }
        }
        let maps = fs::read_to_string(process.join("maps")).unwrap_or_default();
        for (inode, size) in maps.lines().filter_map(|line| deleted(line, device)) {
            let known: &mut u64 = sizes.entry(inode).or_default();
            *known = size.max(*known);
        }
    }
    sizes.values().sum()
}

/// The inode and the length of a mapped deleted file on this device, from a line of proc_pid_maps(5).
fn deleted(line: &str, device: u64) -> Option<(u64, u64)> {
    let mut fields = line.strip_suffix(" (deleted)")?.split_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let (major, minor) = fields.nth(2)?.split_once(':')?;
    let hexadecimal = |text| u64::from_str_radix(text, 16).ok();
    let (major, minor) = (hexadecimal(major)?, hexadecimal(minor)?);
    let same = u64::from(rustix::fs::major(device)) == major
        && u64::from(rustix::fs::minor(device)) == minor;
    let length = hexadecimal(end)?.checked_sub(hexadecimal(start)?)?;
    same.then_some((fields.next()?.parse().ok()?, length))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    #[test]
    fn a_file_without_a_name_counts_while_it_is_open() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("unlinked-{}", std::process::id()));
        fs::write(&path, vec![1; 1 << 20]).unwrap();
        // Uses a separate process, because other tests open files in this one.
        let script = "exec 3<\"$0\"; echo; read line; exec 3<&-; echo; read line";
        let mut holder = Command::new("sh")
            .args(["-c", script])
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = holder.stdin.take().unwrap();
        let mut steps = BufReader::new(holder.stdout.take().unwrap()).lines();
        let mut await_step = || drop(steps.next().unwrap().unwrap());
        let size = || size_of_unlinked(&[holder.id()], &folder);
        await_step();
        let before = size();
        fs::remove_file(&path).unwrap();
        assert!(size() >= before + (1 << 20));
        input.write_all(b"\n").unwrap();
        await_step();
        assert_eq!(size(), before);
        drop(input);
        holder.wait().unwrap();
    }

    #[test]
    fn a_mapping_of_a_deleted_file_is_read_from_a_line_of_maps() {
        let device = rustix::fs::makedev(0xfd, 1);
        let line = "7f00-8f00 rw-s 00000000 fd:01 131 /tmp/x (deleted)";
        assert_eq!(deleted(line, device), Some((131, 0x1000)));
        assert_eq!(deleted(line, device + 1), None);
        let kept = "7f00-8f00 rw-s 00000000 fd:01 131 /tmp/x";
        assert_eq!(deleted(kept, device), None);
    }
}
