//! A program's control group as the caller uses it: freezes it, thaws it, and reads its processor time.
//!
//! The supervisor creates the group, under a name made of its own pid, so that no message is needed in a turn, and
//! nothing inside the sandbox has a part in it. What is frozen runs no further instruction, whatever signals and
//! timers it has arranged for, and can still be killed.

use super::cgroup::{ROOT, name_of, own_groups, unified_root};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// A group that can be frozen.
#[derive(Debug)]
pub(super) struct Freezer {
    state: File,
    frozen: &'static [u8],
    thawed: &'static [u8],
    /// Where version 2 counts processor time.
    usage: Option<File>,
}

impl Freezer {
    /// The group of the program that runs under the supervisor with this pid, where it has one.
    pub(super) fn of(supervisor: u32) -> Option<Freezer> {
        let name = name_of(supervisor);
        parents().iter().find_map(|(parent, version)| {
            let folder = parent.join(&name);
            let (state, frozen, thawed) = match version {
                Version::One => ("freezer.state", &b"FROZEN"[..], &b"THAWED"[..]),
                Version::Two => ("cgroup.freeze", &b"1"[..], &b"0"[..]),
            };
            Some(Freezer {
                state: File::options().write(true).open(folder.join(state)).ok()?,
                frozen,
                thawed,
                usage: File::open(folder.join("cpu.stat")).ok(),
            })
        })
    }

    /// Freezes the group: when this returns, its processes run in the kernel at most, on their way to standing still.
    pub(super) fn freeze(&self) -> std::io::Result<()> {
        self.state.write_all_at(self.frozen, 0)
    }

    /// Lets its processes go on.
    pub(super) fn thaw(&self) -> std::io::Result<()> {
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

#[derive(Clone, Copy, Debug)]
enum Version {
    One,
    Two,
}

/// Where supervisors create their groups, version 2 first. A supervisor may have moved this process into a child of
/// the group that it was in.
fn parents() -> &'static [(PathBuf, Version)] {
    static PARENTS: OnceLock<Vec<(PathBuf, Version)>> = OnceLock::new();
    PARENTS.get_or_init(|| {
        let (mut one, mut two) = (Vec::new(), Vec::new());
        for (controllers, path) in own_groups() {
            match controllers.as_str() {
                "" => {
                    let own = unified_root().map(|root| root.join(path));
                    let ancestors = own.iter().flat_map(|own| own.ancestors().take(2));
                    two.extend(ancestors.map(|path| (path.to_path_buf(), Version::Two)));
                }
                "freezer" => {
                    let own = Path::new(ROOT).join("freezer").join(path);
                    one.push((own, Version::One));
                }
                _ => {}
            }
        }
        two.into_iter().chain(one).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_the_first_line() {
        let text = "usage_usec 303217\nuser_usec 303217\nsystem_usec 0\n";
        assert_eq!(parse_usage(text), Some(Duration::from_micros(303_217)));
        assert_eq!(parse_usage("user_usec 1\n"), None);
        assert_eq!(parse_usage(""), None);
    }
}
