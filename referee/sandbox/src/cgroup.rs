//! Control groups, in which the kernel counts the memory and the processes of a bot with all its offspring.
//!
//! Both generations are known: one mount for each controller (version 1), and one for all of them (version
//! 2). A group can be had by the administrator, and in version 2 by a user to whom a part of the tree was
//! given.

use super::Limits;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The groups of one bot; nothing where none can be had.
#[derive(Debug, Default)]
pub(super) struct Groups {
    folders: Vec<PathBuf>,
    /// The file in which kills for want of memory are counted, if memory is limited.
    pub(super) kills: Option<PathBuf>,
    /// Whether processes are limited.
    pub(super) processes: bool,
}

const ROOT: &str = "/sys/fs/cgroup";

impl Groups {
    /// Makes what groups can be had.
    pub(super) fn create(limits: &Limits) -> Groups {
        let mut groups = Groups::default();
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
            let made = match controllers {
                "memory" => {
                    groups.limit_memory(&Path::new(ROOT).join("memory").join(path), &name, limits)
                }
                "pids" => {
                    groups.limit_processes(&Path::new(ROOT).join("pids").join(path), &name, limits)
                }
                "" => groups.limit_both(path, &name, limits),
                _ => Ok(()),
            };
            // What cannot be had is limited by other means, or the gap is told.
            drop(made);
        }
        groups
    }

    fn limit_memory(&mut self, own: &Path, name: &str, limits: &Limits) -> io::Result<()> {
        let folder = self.make(own, name)?;
        write(&folder, "memory.limit_in_bytes", limits.memory)?;
        // Swap counts, where the kernel counts it.
        let _ = write(&folder, "memory.memsw.limit_in_bytes", limits.memory);
        self.kills = Some(folder.join("memory.oom_control"));
        Ok(())
    }

    fn limit_processes(&mut self, own: &Path, name: &str, limits: &Limits) -> io::Result<()> {
        let folder = self.make(own, name)?;
        write(&folder, "pids.max", limits.processes)?;
        self.processes = true;
        Ok(())
    }

    /// Version 2: beside our own group, or in it, wherever the controllers are handed down.
    fn limit_both(&mut self, own: &str, name: &str, limits: &Limits) -> io::Result<()> {
        let own = Path::new(ROOT).join(own);
        let parents = [own.parent(), Some(own.as_path())];
        for parent in parents.into_iter().flatten() {
            let handed_down =
                fs::read_to_string(parent.join("cgroup.subtree_control")).unwrap_or_default();
            let has = |controller| {
                handed_down
                    .split_whitespace()
                    .any(|word| word == controller)
            };
            if !(has("memory") && has("pids")) {
                continue;
            }
            let Ok(folder) = self.make(parent, name) else {
                continue;
            };
            write(&folder, "memory.max", limits.memory)?;
            let _ = write(&folder, "memory.swap.max", 0u32);
            self.kills = Some(folder.join("memory.events"));
            write(&folder, "pids.max", limits.processes)?;
            self.processes = true;
            return Ok(());
        }
        Ok(())
    }

    fn make(&mut self, parent: &Path, name: &str) -> io::Result<PathBuf> {
        let folder = parent.join(name);
        fs::create_dir(&folder)?;
        self.folders.push(folder.clone());
        Ok(folder)
    }

    /// The files that take in the process which writes `0` into them.
    pub(super) fn doors(&self) -> impl Iterator<Item = PathBuf> {
        self.folders
            .iter()
            .map(|folder| folder.join("cgroup.procs"))
    }

    /// Removes the groups; their processes must be gone.
    pub(super) fn remove(&self) {
        for folder in &self.folders {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn write(folder: &Path, file: &str, value: impl ToString) -> io::Result<()> {
    fs::write(folder.join(file), value.to_string())
}

/// How often the kernel has killed for want of memory, as a group's file tells it.
pub(super) fn kills(text: &str) -> u64 {
    let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
    count
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::kills;

    #[test]
    fn kills_are_read_from_both_generations_of_groups() {
        assert_eq!(kills("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"), 2);
        assert_eq!(
            kills("low 0\nhigh 0\nmax 31\noom 3\noom_kill 1\noom_group_kill 0\n"),
            1
        );
        assert_eq!(kills(""), 0);
    }
}
