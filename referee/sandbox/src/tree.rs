//! Trees of processes, as `/proc` shows them, and of files.

use super::sys::ProcessClock;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// All processes that descend from `ancestor` now. Empty where the kernel does not list children.
pub(super) fn descendants(ancestor: u32) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut unseen = vec![ancestor];
    while let Some(parent) = unseen.pop() {
        let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else {
            continue;
        };
        for thread in threads.flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let numbers = children
                .split_whitespace()
                .filter_map(|word| word.parse::<i32>().ok());
            for pid in numbers.filter_map(Pid::from_raw) {
                found.push(pid);
                unseen.push(pid.as_raw_nonzero().get().unsigned_abs());
            }
        }
    }
    found
}

/// The processor time that the descendants of `ancestor` have used together, with the ended children that they have
/// waited for.
pub(super) fn processor_time(ancestor: u32) -> Duration {
    // In user mode and in the kernel, of waited-for children alone: fields 16 and 17 of proc_pid_stat(5).
    let of_children = |pid: u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = text.rsplit_once(')')?;
        let mut fields = fields.split_whitespace().skip(13);
        let ticks = [fields.next()?, fields.next()?].map(|field| field.parse::<u64>().unwrap_or(0));
        let ticks_a_second = rustix::param::clock_ticks_per_second();
        Some(Duration::from_millis(
            ticks.iter().sum::<u64>() * 1000 / ticks_a_second.max(1),
        ))
    };
    let of = |pid: Pid| {
        let pid = pid.as_raw_nonzero().get().unsigned_abs();
        let own = ProcessClock::of(pid).and_then(|clock| clock.now());
        own.unwrap_or_default() + of_children(pid).unwrap_or_default()
    };
    descendants(ancestor).into_iter().map(of).sum()
}

/// Kills and reaps until no child is left: every orphan of a child becomes a child of this subreaper as well.
///
/// A fork bomb is outrun because the number of its processes is limited, and a killed process forks no more.
pub(super) fn kill_all_children() {
    loop {
        for pid in descendants(std::process::id()) {
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

/// Bytes of the files in a folder and the folders in it; links are not followed.
pub(super) fn size_of(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => size_of(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
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
