//! Control groups (cgroups(7)), in which the kernel counts the memory and the processes of a program with all its
//! descendants.
//!
//! Both versions are known: one mount for each controller (version 1), and one for all of them (version 2). The
//! administrator can create groups, and in version 2 a user to whom a part of the tree was delegated.

use super::ResourceLimits;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The groups of one program; empty where none can be created.
#[derive(Debug, Default)]
pub(super) struct Cgroups {
    folders: Vec<PathBuf>,
    /// The file in which the kernel counts kills for want of memory, if memory is limited.
    pub(super) oom_kills: Option<PathBuf>,
    /// Whether processes are limited.
    pub(super) processes: bool,
}

const ROOT: &str = "/sys/fs/cgroup";

impl Cgroups {
    /// Creates the groups that the system allows.
    pub(super) fn create(limits: &ResourceLimits) -> Cgroups {
        let mut groups = Cgroups::default();
        let Ok(own) = fs::read_to_string("/proc/self/cgroup") else {
            return groups;
        };
        let name = format!("crownhead-{}", std::process::id());
        for line in own.lines() {
            let mut parts = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
                continue;
            };
            let path = path.trim_start_matches('/');
            let created = match controllers {
                "memory" => {
                    groups.limit_memory(&Path::new(ROOT).join("memory").join(path), &name, limits)
                }
                "pids" => {
                    groups.limit_processes(&Path::new(ROOT).join("pids").join(path), &name, limits)
                }
                "" => groups.limit_both(path, &name, limits),
                _ => Ok(()),
            };
            // A limit without a group is enforced by other means, or reported as missing.
            drop(created);
        }
        groups
    }

    fn limit_memory(&mut self, own: &Path, name: &str, limits: &ResourceLimits) -> io::Result<()> {
        let folder = self.create_group(own, name)?;
        write(&folder, "memory.limit_in_bytes", limits.memory)?;
        // Swap counts, where the kernel counts it.
        let _ = write(&folder, "memory.memsw.limit_in_bytes", limits.memory);
        self.oom_kills = Some(folder.join("memory.oom_control"));
        Ok(())
    }

    fn limit_processes(
        &mut self,
        own: &Path,
        name: &str,
        limits: &ResourceLimits,
    ) -> io::Result<()> {
        let folder = self.create_group(own, name)?;
        write(&folder, "pids.max", limits.processes)?;
        self.processes = true;
        Ok(())
    }

    /// Version 2: beside our own group, or in it, wherever the controllers are delegated.
    fn limit_both(&mut self, own: &str, name: &str, limits: &ResourceLimits) -> io::Result<()> {
        let own = Path::new(ROOT).join(own);
        let parents = [own.parent(), Some(own.as_path())];
        for parent in parents.into_iter().flatten() {
            let delegated =
                fs::read_to_string(parent.join("cgroup.subtree_control")).unwrap_or_default();
            let has = |controller| delegated.split_whitespace().any(|word| word == controller);
            if !(has("memory") && has("pids")) {
                continue;
            }
            let Ok(folder) = self.create_group(parent, name) else {
                continue;
            };
            write(&folder, "memory.max", limits.memory)?;
            let _ = write(&folder, "memory.swap.max", 0u32);
            self.oom_kills = Some(folder.join("memory.events"));
            write(&folder, "pids.max", limits.processes)?;
            self.processes = true;
            return Ok(());
        }
        Ok(())
    }

    fn create_group(&mut self, parent: &Path, name: &str) -> io::Result<PathBuf> {
        let folder = parent.join(name);
        fs::create_dir(&folder)?;
        self.folders.push(folder.clone());
        Ok(folder)
    }

    /// A process that writes `0` into these files enters the groups.
    pub(super) fn procs_files(&self) -> impl Iterator<Item = PathBuf> {
        self.folders
            .iter()
            .map(|folder| folder.join("cgroup.procs"))
    }

    /// Removes the groups, whose processes must be gone.
    pub(super) fn remove(&self) {
        for folder in &self.folders {
            let _ = fs::remove_dir(folder);
        }
    }
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
