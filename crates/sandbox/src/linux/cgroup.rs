//! Control groups (cgroups(7)), in which the kernel counts what a program uses with all its descendants, and in
//! which they are frozen and killed.
//!
//! Both versions are known: one mount for each controller (version 1), and one for all of them (version 2), which is
//! often mounted without controllers beside version 1 and freezes, kills and counts processor time all the same.
//! The administrator can create groups, and in version 2 a user to whom a part of the tree was delegated. Leaves out
//! how the caller freezes a program ([`freezer`](super::freezer)).

use super::files::create_folder;
use crate::config::ResourceLimits;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The groups of one program; empty where none can be created.
#[derive(Debug, Default)]
pub(super) struct Cgroups {
    pub(super) folders: Vec<PathBuf>,
    /// The file in which the kernel counts kills for want of memory, if memory is limited.
    pub(super) oom_kills: Option<PathBuf>,
    /// Whether processes are limited.
    pub(super) processes: bool,
}

/// Where the hierarchies are mounted.
pub(super) const ROOT: &str = "/sys/fs/cgroup";

impl Cgroups {
    /// Creates the groups that the system allows.
    pub(super) fn create(limits: &ResourceLimits) -> Cgroups {
        let mut groups = Cgroups::default();
        let own = own_groups();
        for (controllers, path) in &own {
            let created = match controllers.as_str() {
                "memory" => groups.limit_memory(path, limits),
                "pids" => groups.limit_processes(path, limits),
                "" => groups.create_unified(path, limits),
                _ => Ok(()),
            };
            // A limit without a group is enforced by other means, or reported as missing.
            drop(created);
        }
        // Only where version 2 cannot kill: what version 1 has frozen cannot be killed.
        let can_kill = |group: &PathBuf| group.join(KILL).exists();
        let mut own = own
            .iter()
            .filter(|(controllers, _)| controllers == "freezer");
        if !groups.folders.iter().any(can_kill)
            && let Some((_, path)) = own.next()
        {
            let _ = groups.create_group(&Path::new(ROOT).join("freezer").join(path));
        }
        groups
    }

    fn limit_memory(&mut self, own: &str, limits: &ResourceLimits) -> io::Result<()> {
        let folder = self.create_group(&Path::new(ROOT).join("memory").join(own))?;
        write(&folder, "memory.limit_in_bytes", limits.memory)?;
        // Swap counts, where the kernel counts it.
        let _ = write(&folder, "memory.memsw.limit_in_bytes", limits.memory);
        self.oom_kills = Some(folder.join("memory.oom_control"));
        Ok(())
    }

    fn limit_processes(&mut self, own: &str, limits: &ResourceLimits) -> io::Result<()> {
        let folder = self.create_group(&Path::new(ROOT).join("pids").join(own))?;
        write(&folder, "pids.max", limits.processes)?;
        self.processes = true;
        Ok(())
    }

    /// Version 2: beside our own group, or in it, wherever the controllers are delegated; without them in our own,
    /// for killing and freezing alone.
    fn create_unified(&mut self, own: &str, limits: &ResourceLimits) -> io::Result<()> {
        let root = unified_root().ok_or(io::ErrorKind::NotFound)?;
        let own = root.join(own);
        let beside = own.parent().filter(|parent| parent.starts_with(&root));
        let parents: Vec<&Path> = beside.into_iter().chain([own.as_path()]).collect();
        let limited = parents
            .iter()
            .filter(|parent| has_controllers(parent, "cgroup.subtree_control"))
            .find_map(|parent| self.create_group(parent).ok())
            .or_else(|| {
                let delegated = own != root && take_over(&own).is_ok();
                delegated.then(|| self.create_group(&own).ok())?
            });
        let Some(folder) = limited else {
            let mut parents = parents.iter().rev();
            parents.find_map(|parent| self.create_group(parent).ok());
            return Ok(());
        };
        write(&folder, "memory.max", limits.memory)?;
        let _ = write(&folder, "memory.swap.max", 0u32);
        self.oom_kills = Some(folder.join("memory.events"));
        write(&folder, "pids.max", limits.processes)?;
        self.processes = true;
        Ok(())
    }

    /// Creates a group under the supervisor's number.
    fn create_group(&mut self, parent: &Path) -> io::Result<PathBuf> {
        let folder = parent.join(format!("crownhead-{}", std::process::id()));
        fs::create_dir(&folder)?;
        self.folders.push(folder.clone());
        Ok(folder)
    }

    /// Kills every process in the groups, or at least lets those be killed that are frozen.
    pub(super) fn kill(&self) {
        for folder in &self.folders {
            // No file is created here: control groups have those of the kernel alone.
            let _ = fs::write(folder.join(KILL), "1")
                .or_else(|_| fs::write(folder.join("freezer.state"), "THAWED"));
        }
    }

    /// Whether the kernel has killed a process for want of memory.
    pub(super) fn out_of_memory(&self) -> bool {
        let file = self.oom_kills.as_ref();
        let text = file.and_then(|file| fs::read_to_string(file).ok());
        text.is_some_and(|text| parse_oom_kills(&text) > 0)
    }

    /// Removes the groups, whose processes must be gone.
    pub(super) fn remove(&self) {
        for folder in &self.folders {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The file through which version 2 kills everything in a group.
const KILL: &str = "cgroup.kill";

/// The groups of this process: the controllers of a hierarchy (none for version 2), and the path below its root.
pub(super) fn own_groups() -> Vec<(String, String)> {
    let text = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        Some((controllers.into(), path.trim_start_matches('/').into()))
    };
    text.lines().filter_map(group).collect()
}

/// Where version 2 is mounted: beside the hierarchies of version 1, or alone.
fn unified_root() -> Option<PathBuf> {
    [Path::new(ROOT).join("unified"), ROOT.into()]
        .into_iter()
        .find(|root| root.join("cgroup.controllers").exists())
}

fn has_controllers(group: &Path, file: &str) -> bool {
    let text = fs::read_to_string(group.join(file)).unwrap_or_default();
    ["memory", "pids"]
        .iter()
        .all(|wanted| text.split_whitespace().any(|word| word == *wanted))
}

/// Readies our own group, which was delegated to this user, for groups with limits: a group has either processes or
/// children with controllers, so what runs in it (the referee, and the shell that has started it) moves into a child.
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

/// How often the kernel has killed for want of memory, as `memory.oom_control` or `memory.events` counts it.
pub(super) fn parse_oom_kills(text: &str) -> u64 {
    let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
    count
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::parse_oom_kills;

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
}
