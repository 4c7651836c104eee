//! How much a program uses of its limits. A control group counts memory. Without one, the memory of all processes is
//! looked up at intervals in `/proc` (proc(5)). So is the size of the private folder, if that is on disk.
//!
//! Memory outside the processes' tables counts as well: shared memory with its size, once for all who share it, and
//! each open file with the most that a socket holds. Nameless files (memfd_create(2)) and files in flight in messages
//! cannot be found like that, so the seccomp filter refuses both. It also refuses calls that leave pages of memory or
//! files in a pipe. Files on disk do not count, because the kernel can drop them from memory.

use super::cgroup::OomKills;
use super::files::{self, read_text};
use super::processes::{descendants, live_folder, most_held_by_socket, own_pid};
use super::setup::Setup;
use super::sys;
use crate::config::{FOLDER_LIMIT, MEMORY_LIMIT, Sandbox};
use crate::program::Cause;
use rustix::process::{Signal, WaitStatus};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Monitors what one program uses, and enforces its limits.
pub(super) struct UsageMonitor {
    /// Whether the program is confined, and so has limits.
    confines: bool,
    /// The kernel's count of kills, opened before this process was confined.
    oom_kills: Option<OomKills>,
    /// A folder whose size only this process limits.
    folder: Option<PathBuf>,
    /// The limit that this process has seen exceeded.
    exceeded: Option<Cause>,
    /// Whether this PID namespace has only the program's processes. Then this process is its init and inherits orphans.
    /// Otherwise its parent, the supervisor, inherits them.
    pub(super) own_processes: bool,
}

impl UsageMonitor {
    pub(super) fn new(sandbox: &Sandbox, setup: &Setup) -> UsageMonitor {
        let oom_kills = setup.cgroups.oom_kills.as_ref();
        UsageMonitor {
            confines: sandbox.confines(),
            oom_kills: oom_kills.and_then(|kills| kills.try_clone().ok()),
            folder: setup.folder.clone(),
            exceeded: None,
            own_processes: setup.namespaces.is_some(),
        }
    }

    /// Whether the kernel leaves a limit unenforced.
    pub(super) fn needs_checking(&self) -> bool {
        self.must_count_memory() || self.folder.is_some()
    }

    fn must_count_memory(&self) -> bool {
        self.confines && self.oom_kills.is_none()
    }

    /// Whether the program's processes have used too much together.
    pub(super) fn check(&mut self) -> bool {
        let ancestor = if self.own_processes {
            own_pid()
        } else {
            Some(std::os::unix::process::parent_id())
        };
        let processes = ancestor.map(descendants).unwrap_or_default();
        let is_full = |folder: &PathBuf| {
            files::size_of(folder) + size_of_unlinked(&processes, folder) > FOLDER_LIMIT
        };
        if self.folder.as_ref().is_some_and(is_full) {
            self.exceeded = Some(Cause::FolderLimit);
        } else if self.must_count_memory() && memory_of(&processes) > MEMORY_LIMIT {
            self.exceeded = Some(Cause::MemoryLimit);
        }
        self.exceeded.is_some()
    }

    /// What is known about the cause of this end.
    pub(super) fn cause_of(&self, status: WaitStatus) -> Cause {
        let killed = status.terminating_signal() == Some(Signal::KILL.as_raw());
        let succeeded = status.exit_status() == Some(0);
        let is_near = || sys::peak_memory_of_children() > MEMORY_LIMIT / 5 * 4;
        if let Some(cause) = self.exceeded {
            cause
        } else if killed && self.oom_kills.as_ref().is_some_and(OomKills::happened) {
            Cause::MemoryLimit
        } else if !succeeded && self.confines && is_near() {
            Cause::NearMemoryLimit
        } else {
            Cause::Own
        }
    }
}

/// Bytes of memory that these processes use together.
fn memory_of(processes: &[u32]) -> u64 {
    let mut shared = BTreeMap::new();
    let own = processes.iter().map(|pid| {
        let folder = live_folder(*pid);
        let status = read_text(folder.join("status")).unwrap_or_default();
        let kilobytes = |name| parse_kilobytes(&status, name) << 10;
        let private = ["RssAnon:", "VmSwap:", "VmPTE:"].map(kilobytes);
        let mapped = match read_text(folder.join("maps")) {
            Ok(maps) => {
                note_shared(&maps, &mut shared);
                0
            }
            // It has hidden them (PR_SET_DUMPABLE in prctl(2)), so all of its memory may be in use.
            Err(_) => kilobytes("VmSize:"),
        };
        private.iter().sum::<u64>() + mapped + most_held_by_socket() * open_files(&folder, &status)
    });
    own.sum::<u64>() + shared.values().sum::<u64>()
}

fn open_files(folder: &Path, status: &str) -> u64 {
    let path = folder.join("fd");
    match fs::metadata(&path).map_or(0, |data| data.len()) {
        // Before Linux 6.2, the size of this folder is not the number of files.
        0 => match fs::read_dir(path) {
            Ok(files) => files.count() as u64,
            // It has hidden them, so count as many as it may have.
            Err(_) => field(status, "FDSize:").parse().unwrap_or(0),
        },
        files => files,
    }
}

fn parse_kilobytes(status: &str, name: &str) -> u64 {
    let number = field(status, name).strip_suffix(" kB");
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The value of the line with this name, if there is one.
fn field<'a>(status: &'a str, name: &str) -> &'a str {
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    value.unwrap_or_default().trim()
}

/// A mapping of a process, from a line of proc_pid_maps(5).
struct Mapping<'a> {
    rights: &'a str,
    length: u64,
    offset: u64,
    /// The file: the device that it is on, and its number there.
    file: (&'a str, u64),
    name: &'a str,
}

impl Mapping<'_> {
    /// `7f2a5c000000-7f2a5e000000 rw-s 00000000 00:01 2049    /dev/zero (deleted)`
    fn parse(line: &str) -> Option<Mapping<'_>> {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let number = |word| u64::from_str_radix(word, 16).ok();
        Some(Mapping {
            length: number(end)?.saturating_sub(number(start)?),
            rights: words.next()?,
            offset: number(words.next()?)?,
            file: (words.next()?, words.next()?.parse().ok()?),
            name: words.next()?.trim_start(),
        })
    }
}

/// Adds the sizes of the anonymous shared memory that this process maps, by its file.
fn note_shared(maps: &str, shared: &mut BTreeMap<(String, u64), u64>) {
    let kinds = ["/dev/zero", "/memfd:", "/SYSV"];
    for mapping in maps.lines().filter_map(Mapping::parse) {
        let is_memory = kinds.iter().any(|kind| mapping.name.starts_with(kind));
        if mapping.rights.ends_with('s') && is_memory {
            let (device, number) = mapping.file;
            let size = shared.entry((device.into(), number)).or_default();
            *size = (mapping.offset + mapping.length).max(*size);
        }
    }
}

/// Bytes of deleted files on the disk of `folder` that these processes still have open or mapped.
fn size_of_unlinked(processes: &[u32], folder: &Path) -> u64 {
    let Ok(device) = fs::metadata(folder).map(|folder| folder.dev()) else {
        return 0;
    };
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let shown = format!("{major:02x}:{minor:02x}");
    let mut sizes = BTreeMap::new();
    for pid in processes {
        let process = live_folder(*pid);
        let open = files::entries(process.join("fd"));
        for file in open.filter_map(|entry| fs::metadata(entry.path()).ok()) {
            if file.is_file() && file.nlink() == 0 && file.dev() == device {
                sizes.insert(file.ino(), files::size_on_disk(&file));
            }
        }
        let maps = read_text(process.join("maps")).unwrap_or_default();
        for mapping in maps.lines().filter_map(Mapping::parse) {
            if mapping.name.ends_with(" (deleted)") && mapping.file.0 == shown {
                let known: &mut u64 = sizes.entry(mapping.file.1).or_default();
                *known = mapping.length.max(*known);
            }
        }
    }
    sizes.values().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};

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
        assert_eq!(sizes, [4 << 20, 2 << 20]);
    }

    #[test]
    fn a_process_uses_what_it_has_touched_and_what_its_files_may_hold() {
        let own = std::process::id();
        let before = memory_of(&[own]);
        let block = vec![1u8; 32 << 20];
        let files: Vec<File> = (0..100).map(|_| File::open("/dev/null").unwrap()).collect();
        let used = memory_of(&[own]).saturating_sub(before);
        // Other tests in this process allocate and free a little.
        assert!(used > (30 << 20) + 90 * most_held_by_socket(), "{used}");
        assert!(used < (64 << 20) + 200 * most_held_by_socket(), "{used}");
        drop((std::hint::black_box(block), files));
    }

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
    fn a_mapping_is_read_from_a_line_of_maps() {
        let line = "7f00-8f00 rw-s 00001000 fd:01 131                        /tmp/a x (deleted)";
        let mapping = Mapping::parse(line).unwrap();
        assert_eq!((mapping.length, mapping.offset), (0x1000, 0x1000));
        assert_eq!(mapping.file, ("fd:01", 131));
        assert_eq!(
            (mapping.rights, mapping.name),
            ("rw-s", "/tmp/a x (deleted)")
        );
        assert!(Mapping::parse("7f00-8f00 rw-s").is_none());
    }

    #[test]
    fn a_process_counts_whatever_it_calls_itself() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(OsStr::from_bytes(b"\xff) \xfe"));
        fs::copy("/bin/sleep", &program).unwrap();
        let mut child = Command::new(&program).arg("60").spawn().unwrap();
        let (used, all) = (memory_of(&[child.id()]), descendants(std::process::id()));
        let parent = super::super::processes::Stat::of_process(child.id())
            .unwrap()
            .parent;
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(used > 0 && all.contains(&child.id()));
        assert_eq!(parent, std::process::id());
    }
}
