//! A program's control group as the caller uses it: freezes it, thaws it, and reads its processor time.
//!
//! The supervisor creates the group and names it when the program is started, so that no message is needed in a turn,
//! and nothing inside the sandbox has a part in it. What is frozen runs no further instruction, whatever signals and
//! timers it has arranged for, and can still be killed.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
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
    /// That of these groups which can be frozen, if there is one; of version 2 before version 1.
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
