//! Trees of processes, as `/proc` shows them, and of files.

use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// The pids of all processes that descend from `ancestor` now. Empty where the kernel does not list children.
pub fn descendants(ancestor: u32) -> Vec<u32> {
    let pids = pids_of_descendants(ancestor).into_iter();
    pids.map(|pid| pid.as_raw_nonzero().get().unsigned_abs())
        .collect()
}

pub(super) fn pids_of_descendants(ancestor: u32) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut unseen = vec![ancestor];
    while let Some(parent) = unseen.pop() {
        let children = children(parent);
        unseen.extend(
            children
                .iter()
                .map(|pid| pid.as_raw_nonzero().get().unsigned_abs()),
        );
        found.extend(children);
    }
    found
}

fn children(parent: u32) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{parent}/task"));
    let mut found = Vec::new();
    for thread in threads.into_iter().flatten().flatten() {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = children
            .split_whitespace()
            .filter_map(|word| word.parse::<i32>().ok());
        found.extend(numbers.filter_map(Pid::from_raw));
    }
    found
}

/// The pid that a child of `parent` has here which calls itself `inner` in its own PID namespace.
pub(super) fn child_with_inner_pid(parent: Pid, inner: i32) -> Option<i32> {
    let calls_itself_so = |pid: &Pid| {
        let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
        let pids = status
            .lines()
            .find_map(|line| line.strip_prefix("NSpid:"))?;
        let own = pids.split_whitespace().last()?.parse::<i32>().ok()?;
        (own == inner).then_some(())
    };
    children(parent.as_raw_nonzero().get().unsigned_abs())
        .into_iter()
        .find(|pid| calls_itself_so(pid).is_some())
        .map(|pid| pid.as_raw_nonzero().get())
}

/// Sends a signal to all descendants of `ancestor` but this one.
pub(super) fn signal(ancestor: u32, except: Pid, signal: Signal) {
    for pid in pids_of_descendants(ancestor) {
        if pid != except {
            let _ = kill_process(pid, signal);
        }
    }
}

/// Stops all descendants of `ancestor` but this one, also those that are born meanwhile.
pub(super) fn stop(ancestor: u32, except: Pid) {
    let mut stopped = vec![except];
    loop {
        let mut running = pids_of_descendants(ancestor);
        running.retain(|pid| !stopped.contains(pid));
        if running.is_empty() {
            return;
        }
        for pid in running {
            let _ = kill_process(pid, Signal::STOP);
            stopped.push(pid);
        }
    }
}

/// The processor time of the ended children that these processes have waited for, in ticks of some milliseconds.
pub fn reaped_time(processes: &[u32]) -> Duration {
    // In user mode and in the kernel, of waited-for children alone: fields 16 and 17 of proc_pid_stat(5).
    let ticks_of = |pid: &u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = text.rsplit_once(')')?;
        let mut fields = fields.split_whitespace().skip(13);
        let ticks = [fields.next()?, fields.next()?].map(|field| field.parse::<u64>().unwrap_or(0));
        Some(ticks.iter().sum::<u64>())
    };
    let ticks: u64 = processes.iter().filter_map(ticks_of).sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second().max(1))
}

/// How much memory a process has in use, in bytes: its resident size (proc_pid_statm(5)).
pub fn resident_memory(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Kills and reaps until no child is left: every orphan of a child becomes a child of this subreaper as well.
///
/// A fork bomb is outrun because the number of its processes is limited, and a killed process forks no more.
pub(super) fn kill_all_children() {
    loop {
        for pid in pids_of_descendants(std::process::id()) {
            let _ = kill_process(pid, Signal::KILL);
        }
        // Reap what is dead; wait for the first that is not.
        match wait(WaitOptions::empty()) {
            Ok(_) => while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {},
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// The least that a file counts, for many small ones fill a disk too.
const SMALLEST: u64 = 4096;

/// Bytes that the files in a folder and the folders in it take on disk; links are not followed.
pub(super) fn size_of(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => SMALLEST + size_of(&entry.path()),
        Ok(data) => size_on_disk(&data),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

fn size_on_disk(file: &fs::Metadata) -> u64 {
    (file.blocks() * 512).max(SMALLEST)
}

/// Bytes of the files on the disk of `folder` that these processes have open or mapped, and that have no name any more.
pub(super) fn size_of_unlinked(processes: &[Pid], folder: &Path) -> u64 {
    let Ok(device) = fs::metadata(folder).map(|folder| folder.dev()) else {
        return 0;
    };
    let mut sizes = BTreeMap::new();
    for pid in processes {
        let process = format!("/proc/{}", pid.as_raw_nonzero());
        let open = fs::read_dir(format!("{process}/fd"));
        let open = open.into_iter().flatten().flatten();
        for file in open.filter_map(|entry| fs::metadata(entry.path()).ok()) {
            if file.is_file() && file.nlink() == 0 && file.dev() == device {
                sizes.insert(file.ino(), size_on_disk(&file));
            }
        }
        let maps = fs::read_to_string(format!("{process}/maps")).unwrap_or_default();
        for (inode, size) in maps.lines().filter_map(|line| deleted(line, device)) {
            let known: &mut u64 = sizes.entry(inode).or_default();
            *known = size.max(*known);
        }
    }
    sizes.values().sum()
}

/// The inode and the length of a mapping of a deleted file on this device, as proc_pid_maps(5) has it.
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

/// Removes a folder, parts of which may lack the permissions for that.
pub(super) fn remove(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if fs::remove_dir_all(folder).is_ok() {
        return;
    }
    let mut unseen = vec![folder.to_path_buf()];
    while let Some(folder) = unseen.pop() {
        drop(fs::set_permissions(
            &folder,
            fs::Permissions::from_mode(0o700),
        ));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        unseen.extend(folders.map(|entry| entry.path()));
    }
    let _ = fs::remove_dir_all(folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_name_counts_while_it_is_open() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("unlinked-{}", std::process::id()));
        let myself = rustix::process::getpid();
        let before = size_of_unlinked(&[myself], &folder);
        fs::write(&path, vec![1; 1 << 20]).unwrap();
        let file = fs::File::open(&path).unwrap();
        assert_eq!(size_of_unlinked(&[myself], &folder), before);
        fs::remove_file(&path).unwrap();
        assert!(size_of_unlinked(&[myself], &folder) >= before + (1 << 20));
        drop(file);
        assert_eq!(size_of_unlinked(&[myself], &folder), before);
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
