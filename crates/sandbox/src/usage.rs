//! How much memory processes use together, as far as `/proc` tells (proc(5)), where no control group counts it.
//!
//! What no process has in its tables counts as well: shared memory counts with its size, once however many share it,
//! and each open file with the most that a socket holds. Nameless files (memfd_create(2)) cannot be found like that:
//! the [filter](super::seccomp) refuses them. Files on disk are not counted, for the kernel can drop them from memory.

use rustix::process::Pid;
use std::collections::BTreeMap;
use std::fs;

/// The most that the kernel keeps for one file: a socket whose buffer was set to the largest size there is, twice the
/// default of `net.core.wmem_max` (socket(7)). A pipe holds less.
const FILE: u64 = 2 * 212_992;

/// Bytes of memory that these processes use together.
pub(super) fn memory_of(processes: &[Pid]) -> u64 {
    let mut shared = BTreeMap::new();
    let own = processes.iter().map(|pid| {
        let folder = format!("/proc/{}", pid.as_raw_nonzero());
        let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
        let kilobytes = |name| parse_kilobytes(&status, name) << 10;
        let private = ["RssAnon:", "VmSwap:", "VmPTE:"].map(kilobytes);
        let mapped = match fs::read_to_string(format!("{folder}/maps")) {
            Ok(maps) => {
                note_shared(&maps, &mut shared);
                0
            }
            // It has hidden them (PR_SET_DUMPABLE in prctl(2)): all of it may be in use.
            Err(_) => kilobytes("VmSize:"),
        };
        private.iter().sum::<u64>() + mapped + FILE * open_files(&folder)
    });
    own.sum::<u64>() + shared.values().sum::<u64>()
}

fn open_files(folder: &str) -> u64 {
    let path = format!("{folder}/fd");
    match fs::metadata(&path).map_or(0, |data| data.len()) {
        // Before Linux 6.2 the size of this folder is no number of files.
        0 => fs::read_dir(path).map_or(0, |entries| entries.count() as u64),
        files => files,
    }
}

fn parse_kilobytes(status: &str, name: &str) -> u64 {
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    value
        .and_then(|value| value.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// Takes in how large the shared memory without a file is that this process maps, by its number.
fn note_shared(maps: &str, shared: &mut BTreeMap<String, u64>) {
    for line in maps.lines() {
        // 7f2a5c000000-7f2a5e000000 rw-s 00000000 00:01 2049    /dev/zero (deleted)
        let mut words = line.split_ascii_whitespace();
        let (Some(range), Some(rights), Some(offset), Some(device), Some(number), Some(name)) = (
            words.next(),
            words.next(),
            words.next(),
            words.next(),
            words.next(),
            words.next(),
        ) else {
            continue;
        };
        let is_memory = ["/dev/zero", "/memfd:", "/SYSV"]
            .iter()
            .any(|kind| name.starts_with(kind));
        if !rights.ends_with('s') || !is_memory {
            continue;
        }
        let number = format!("{device} {number}");
        let hexadecimal = |word| u64::from_str_radix(word, 16).unwrap_or(0);
        let (start, end) = range.split_once('-').unwrap_or((range, range));
        let end = hexadecimal(offset) + hexadecimal(end).saturating_sub(hexadecimal(start));
        let size = shared.entry(number).or_default();
        *size = end.max(*size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    const MAPS: &str = "\
55e0c0000000-55e0c0100000 r-xp 00000000 fe:00 1311    /usr/bin/bot
7f2a5c000000-7f2a5c100000 rw-s 00000000 00:01 2049    /dev/zero (deleted)
7f2a5c100000-7f2a5c200000 rw-s 00100000 00:01 2049    /dev/zero (deleted)
7f2a5d000000-7f2a5d400000 rw-s 00000000 00:01 7       /memfd:eaten (deleted)
7f2a5e000000-7f2a5e100000 rw-s 00000000 fe:00 99      /home/ann/book.bin
7f2a5f000000-7f2a5f800000 rw-p 00000000 00:00 0
";

    #[test]
    fn shared_memory_counts_once_with_its_size_and_files_do_not() {
        let mut shared = BTreeMap::new();
        note_shared(MAPS, &mut shared);
        note_shared(MAPS, &mut shared);
        let sizes: Vec<u64> = shared.values().copied().collect();
        assert_eq!(sizes, [2 << 20, 4 << 20]);
    }

    #[test]
    fn a_process_uses_what_it_has_touched_and_what_its_files_may_hold() {
        let own = Pid::from_raw(std::process::id().cast_signed()).unwrap();
        let before = memory_of(&[own]);
        let block = vec![1u8; 32 << 20];
        let files: Vec<File> = (0..100).map(|_| File::open("/dev/null").unwrap()).collect();
        let used = memory_of(&[own]).saturating_sub(before);
        // Other tests in this process take and give back a little.
        assert!(used > (30 << 20) + 90 * FILE, "{used}");
        assert!(used < (64 << 20) + 200 * FILE, "{used}");
        drop((std::hint::black_box(block), files));
    }
}
