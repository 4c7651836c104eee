//! Control groups (cgroups(7)), in which the kernel counts the resources of a program and its descendants, freezes them
//! and kills them.
//!
//! Handles both versions: one mount for each controller (version 1), and one for all of them (version 2). Version 2 is
//! often mounted without controllers beside version 1, and can still freeze, kill and count processor time. The
//! administrator can create groups. In version 2, so can a user to whom a part of the tree is delegated. The supervisor
//! creates groups for its programs, one after the other, and removes them when it ends. The caller freezes them.

use super::files::create_folder;
use super::own_group::OwnGroup;
use crate::config::MEMORY_LIMIT;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The groups of a supervisor's programs; empty if none can be created. Dropping this removes them.
#[derive(Debug, Default)]
pub(super) struct Cgroups {
    /// The groups that contain the programs.
    pub(super) folders: Vec<PathBuf>,
    /// The groups that programs see: those above, and one without processes in each hierarchy of version 1 that counts
    /// processor time.
    pub(super) own: Vec<OwnGroup>,
    /// The kernel's count of out-of-memory kills, if memory is limited.
    pub(super) oom_kills: Option<OomKills>,
    /// The bytes of memory in use, if memory is limited.
    memory: Option<File>,
    /// Whether processes are limited.
    pub(super) processes: bool,
    /// Whether one of the groups can be frozen.
    pub(super) can_freeze: bool,
    /// The `cgroup.procs` of each group of version 1.
    entrances: Vec<File>,
    /// The `cgroup.procs` of the group of version 2, and of the supervisor's own group.
    unified: Option<(File, File)>,
}

/// The most processes and threads of a program: enough for Java and Node.
pub(super) const PROCESSES: u32 = 256;

/// The most bytes of memory that earlier programs may leave in use.
const LEFT: u64 = 16 << 20;

/// Where the hierarchies are mounted.
const ROOT: &str = "/sys/fs/cgroup";

impl Cgroups {
    /// Creates the groups that the system allows. A limit without a group is enforced by other means, or reported as
    /// missing.
    pub(super) fn create() -> Cgroups {
        let mut groups = Cgroups::default();
        let own = own_groups();
        for (controllers, path) in &own {
            match controllers.as_str() {
                "memory" | "pids" => drop(groups.create_group(&own_group(controllers, path))),
                "" => groups.create_unified(path),
                _ => {}
            }
        }
        // Only if version 2 cannot kill, because a process that version 1 has frozen cannot be killed.
        let can_kill = |group: &PathBuf| group.join(KILL).exists();
        let mut freezers = own
            .iter()
            .filter(|(controllers, _)| controllers == "freezer");
        if !groups.folders.iter().any(can_kill)
            && let Some((controllers, path)) = freezers.next()
        {
            groups.create_group(&own_group(controllers, path));
        }
        for folder in groups.folders.clone() {
            groups.limit(&folder);
        }
        groups.open_entrances();
        groups.can_freeze = Freezer::of(&groups.folders).is_some();
        groups.create_empty(&own);
        groups.own.iter().for_each(OwnGroup::hide_counters);
        groups
    }

    /// Opened while this process can see the groups and may enter them.
    fn open_entrances(&mut self) {
        let open = |group: &Path| File::options().write(true).open(group.join("cgroup.procs"));
        for folder in &self.folders {
            let outside = folder.join(KILL).exists().then(own_unified_group).flatten();
            match (open(folder), outside.and_then(|group| open(&group).ok())) {
                (Ok(inside), Some(outside)) => self.unified = Some((inside, outside)),
                (Ok(inside), None) => self.entrances.push(inside),
                (Err(_), _) => {}
            }
        }
    }

    /// Moves this process into all groups.
    pub(super) fn enter(&self) -> io::Result<()> {
        let unified = self.unified.iter().map(|(inside, _)| inside);
        for mut entrance in self.entrances.iter().chain(unified) {
            entrance.write_all(b"0")?;
        }
        Ok(())
    }

    /// Moves this process out of the group of version 2 again, so that it is neither frozen nor thawed with its
    /// program.
    pub(super) fn leave_unified(&self) -> io::Result<()> {
        match &self.unified {
            Some((_, outside)) => (&*outside).write_all(b"0"),
            None => Ok(()),
        }
    }

    /// Version 2: beside our own group or in it, wherever the controllers are delegated. Without controllers, in our
    /// own group, only for killing and freezing.
    fn create_unified(&mut self, own: &str) {
        let Some(root) = unified_root() else { return };
        let own = root.join(own);
        let beside = own.parent().filter(|parent| parent.starts_with(&root));
        let parents: Vec<&Path> = beside.into_iter().chain([own.as_path()]).collect();
        let has_limits = |parent: &&&Path| has_controllers(parent, "cgroup.subtree_control");
        let mut limited = parents.iter().filter(has_limits);
        let _created = limited.any(|parent| self.create_group(parent))
            || (is_delegable(&own) && take_over(&own).is_ok() && self.create_group(&own))
            || parents.iter().rev().any(|parent| self.create_group(parent));
    }

    fn create_group(&mut self, parent: &Path) -> bool {
        let Some(group) = OwnGroup::create(parent) else {
            return false;
        };
        self.folders.push(group.path.clone());
        self.own.push(group);
        true
    }

    /// Groups of version 1 that count processor time. Without them, Java does not read its memory limit. The caller's
    /// groups would show what else runs.
    fn create_empty(&mut self, own: &[(String, String)]) {
        let version_1 = Path::new(ROOT).join("memory");
        if !self
            .folders
            .iter()
            .any(|group| group.starts_with(&version_1))
        {
            return;
        }
        let counting = own
            .iter()
            .filter(|(controllers, _)| controllers.starts_with("cpu"));
        let parents = counting.map(|(controllers, path)| own_group(controllers, path));
        self.own
            .extend(parents.filter_map(|parent| OwnGroup::create(&parent)));
    }

    /// Sets the limits that this group supports, in either version.
    fn limit(&mut self, group: &Path) {
        // If the kernel counts swap: version 2 allows none, and version 1 limits memory and swap together.
        let versions = [
            (
                "memory.max",
                "memory.swap.max",
                0,
                "memory.events",
                "memory.current",
            ),
            (
                "memory.limit_in_bytes",
                "memory.memsw.limit_in_bytes",
                MEMORY_LIMIT,
                "memory.oom_control",
                "memory.usage_in_bytes",
            ),
        ];
        for (file, swap_file, swap, kills, usage) in versions {
            if write(group, file, MEMORY_LIMIT).is_ok() {
                let _ = write(group, swap_file, swap);
                let file = File::open(group.join(kills));
                self.oom_kills = file.ok().map(|file| OomKills { file, before: 0 });
                self.memory = File::open(group.join(usage)).ok();
            }
        }
        self.processes |= write(group, "pids.max", PROCESSES).is_ok();
    }

    /// Whether earlier programs left so much memory in use (pages of files that they read) that the next program would
    /// have to reclaim it first.
    pub(super) fn are_soiled(&self) -> bool {
        let mut text = [0; 32];
        let file = self.memory.as_ref();
        let count = file.map_or(0, |file| file.read_at(&mut text, 0).unwrap_or(0));
        let bytes = str::from_utf8(&text[..count]).map(str::trim);
        bytes.is_ok_and(|bytes| bytes.parse().is_ok_and(|bytes: u64| bytes > LEFT))
    }

    /// Prepares the groups for the next program.
    pub(super) fn reset(&mut self) {
        if let Some(kills) = &mut self.oom_kills {
            kills.before = kills.count();
        }
        for folder in &self.folders {
            // The last program may have been frozen when it was killed.
            let _ = write(folder, "cgroup.freeze", 0);
        }
    }

    /// Kills every process in the groups, or at least thaws frozen ones so that they can be killed.
    pub(super) fn kill(&self) {
        for folder in &self.folders {
            // Each group has its version's file, and no other file can be created in it.
            let _ = write(folder, KILL, 1).or_else(|_| write(folder, "freezer.state", "THAWED"));
        }
    }

    /// Whether the kernel has killed a process for lack of memory.
    pub(super) fn out_of_memory(&self) -> bool {
        self.oom_kills.as_ref().is_some_and(OomKills::happened)
    }
}

/// The kernel's count of out-of-memory kills in a group.
#[derive(Debug)]
pub(super) struct OomKills {
    file: File,
    /// The kills of earlier programs.
    before: u64,
}

impl OomKills {
    /// Whether the kernel has killed a process of this program.
    pub(super) fn happened(&self) -> bool {
        self.count() > self.before
    }

    fn count(&self) -> u64 {
        let mut text = [0; 512];
        let count = self.file.read_at(&mut text, 0).unwrap_or(0);
        parse_oom_kills(&String::from_utf8_lossy(&text[..count]))
    }

    /// The same for a process that continues by itself.
    pub(super) fn try_clone(&self) -> io::Result<OomKills> {
        let file = self.file.try_clone()?;
        Ok(OomKills { file, ..*self })
    }
}

/// The file through which version 2 kills everything in a group.
const KILL: &str = "cgroup.kill";

/// A program's group as the caller uses it: freezes it, thaws it, and reads its processor time.
///
/// The supervisor names the program's groups at the start. So a turn needs no message, and nothing inside the sandbox
/// takes part. A frozen program runs no further instruction, whatever signals and timers it has set up, and can still
/// be killed.
#[derive(Debug)]
pub(super) struct Freezer {
    state: File,
    frozen: &'static [u8],
    thawed: &'static [u8],
    /// The file in which version 2 counts processor time.
    usage: Option<File>,
}

impl Freezer {
    /// The group that can be frozen, if any; version 2 comes before version 1.
    pub(super) fn of(groups: &[PathBuf]) -> Option<Freezer> {
        let versions = [
            ("cgroup.freeze", &b"1"[..], &b"0"[..]),
            ("freezer.state", b"FROZEN", b"THAWED"),
        ];
        versions.into_iter().find_map(|(file, frozen, thawed)| {
            groups.iter().find_map(|group| {
                let state = File::options().write(true).open(group.join(file));
                Some(Freezer {
                    state: state.ok()?,
                    frozen,
                    thawed,
                    usage: File::open(group.join("cpu.stat")).ok(),
                })
            })
        })
    }

    /// Freezes the group. When this returns, its processes run at most in the kernel, until they stop.
    pub(super) fn freeze(&self) -> io::Result<()> {
        self.state.write_all_at(self.frozen, 0)
    }

    /// Thaws the group.
    pub(super) fn thaw(&self) -> io::Result<()> {
        self.state.write_all_at(self.thawed, 0)
    }

    /// The processor time of all processes that were ever in the group.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        let mut text = [0; 64];
        let count = self.usage.as_ref()?.read_at(&mut text, 0).ok()?;
        parse_usage(str::from_utf8(&text[..count]).ok()?)
    }
}

/// The first line of `cpu.stat`.
fn parse_usage(text: &str) -> Option<Duration> {
    let count = text.lines().next()?.strip_prefix("usage_usec ")?;
    count.trim().parse().ok().map(Duration::from_micros)
}

/// The groups of this process: the controllers of a hierarchy (none for version 2), and the path below its root.
fn own_groups() -> Vec<(String, String)> {
    let text = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        Some((controllers.into(), path.trim_start_matches('/').into()))
    };
    text.lines().filter_map(group).collect()
}

/// The group of version 2 that this process is in.
fn own_unified_group() -> Option<PathBuf> {
    let own = own_groups();
    let (_, path) = own.iter().find(|(controllers, _)| controllers.is_empty())?;
    Some(unified_root()?.join(path))
}

/// Our own group in a hierarchy of version 1.
fn own_group(controllers: &str, path: &str) -> PathBuf {
    Path::new(ROOT).join(controllers).join(path)
}

/// The mount point of version 2, which may be beside the hierarchies of version 1.
fn unified_root() -> Option<PathBuf> {
    [Path::new(ROOT).join("unified"), ROOT.into()]
        .into_iter()
        .find(|root| root.join("cgroup.controllers").exists())
}

/// Whether a group is not the root of its hierarchy, which alone has no `cgroup.type` (kernel manual, "Control Group v2").
/// From inside, a container's own group has the path of a root.
fn is_delegable(group: &Path) -> bool {
    group.join("cgroup.type").exists()
}

fn has_controllers(group: &Path, file: &str) -> bool {
    let text = fs::read_to_string(group.join(file)).unwrap_or_default();
    ["memory", "pids"]
        .iter()
        .all(|wanted| text.split_whitespace().any(|word| word == *wanted))
}

/// Prepares our own group, which is delegated to this user, for groups with limits. A group has either processes or
/// children with controllers, so its processes (the referee, and the shell that started it) move into a child.
fn take_over(own: &Path) -> io::Result<()> {
    if !has_controllers(own, "cgroup.controllers") {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let callers = own.join("crownhead");
    create_folder(&callers)?;
    for process in fs::read_to_string(own.join("cgroup.procs"))?.lines() {
        // It may have ended.
        let _ = write(&callers, "cgroup.procs", process);
    }
    write(own, "cgroup.subtree_control", "+memory +pids")
}

fn write(folder: &Path, file: &str, value: impl ToString) -> io::Result<()> {
    fs::write(folder.join(file), value.to_string())
}

/// How often the kernel has killed for lack of memory, as counted by `memory.oom_control` or `memory.events`.
fn parse_oom_kills(text: &str) -> u64 {
    let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
    count.map_or(0, |count| count.trim().parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_are_read_from_both_versions_of_control_groups() {
        assert_eq!(
            parse_oom_kills("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"),
            2
        );
        assert_eq!(
            parse_oom_kills("low 0\nhigh 0\nmax 31\noom 3\noom_kill 1\noom_group_kill 0\n"),
            1
        );
        assert_eq!(parse_oom_kills(""), 0);
    }

    #[test]
    fn processor_time_is_the_first_line() {
        let text = "usage_usec 303217\nuser_usec 303217\nsystem_usec 0\n";
        assert_eq!(parse_usage(text), Some(Duration::from_micros(303_217)));
        assert_eq!(parse_usage("user_usec 1\n"), None);
        assert_eq!(parse_usage(""), None);
    }
}
