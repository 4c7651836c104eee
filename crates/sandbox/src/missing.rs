//! What a system may lack to confine programs, and how to get it.

use crate::host;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{fmt, io};

/// A part of the sandbox that not every system gives to every user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Processes, files and a user of the program's own.
    Namespaces,
    /// A network of its own, in which there is nothing.
    Network,
    /// A `/proc` of its own.
    Proc,
    /// Rules of the kernel for files, sockets and signals.
    Landlock,
    /// A filter of system calls (seccomp).
    SystemCalls,
    /// A control group that counts memory.
    Memory,
    /// A control group that freezes.
    Freezing,
    /// A control group that counts processes.
    Processes,
}

impl Feature {
    /// All of them, in the order in which people are shown them.
    pub const ALL: [Feature; 8] = [
        Feature::Namespaces,
        Feature::Network,
        Feature::Proc,
        Feature::Landlock,
        Feature::SystemCalls,
        Feature::Memory,
        Feature::Freezing,
        Feature::Processes,
    ];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What bots can and cannot do with it.
    pub const fn purpose(self) -> &'static str {
        self.words().1
    }

    #[rustfmt::skip]
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Feature::Namespaces => ("namespaces", "a bot sees only its own files and processes"),
            Feature::Network => ("network namespace", "a bot sees no connections of this machine"),
            Feature::Proc => ("own /proc", "a bot sees the names of its own processes only"),
            Feature::Landlock => ("Landlock", "a bot reads and writes only what it may"),
            Feature::SystemCalls => ("filter of system calls", "a bot cannot get around these rules"),
            Feature::Memory => ("control group for memory", "a bot cannot pass its limit of memory"),
            Feature::Freezing => ("control group that freezes", "a bot takes no time from its opponent"),
            Feature::Processes => ("control group for processes", "a bot cannot start any number of processes"),
        }
    }

    /// What to type, or to change, to get it on this machine.
    pub fn grant(self) -> &'static str {
        self.grant_on(Path::new("/"))
    }

    /// The same on the Linux whose root folder this is.
    fn grant_on(self, root: &Path) -> &'static str {
        const CONTAINER: &str =
            "run Crownhead outside the container, or start the container with --privileged";
        let says = |file: &str, value: &str| {
            let text = std::fs::read_to_string(root.join("proc/sys").join(file));
            text.is_ok_and(|text| text.trim() == value)
        };
        match self {
            Feature::Namespaces if says("kernel/apparmor_restrict_unprivileged_userns", "1") => {
                "sudo install -m 644 docs/apparmor/crownhead /etc/apparmor.d/ && \
                 sudo apparmor_parser -r /etc/apparmor.d/crownhead"
            }
            Feature::Namespaces if says("kernel/unprivileged_userns_clone", "0") => {
                "sudo sysctl kernel.unprivileged_userns_clone=1"
            }
            Feature::Namespaces if says("user/max_user_namespaces", "0") => {
                "sudo sysctl user.max_user_namespaces=10000"
            }
            Feature::Namespaces | Feature::Network | Feature::Proc => CONTAINER,
            Feature::Landlock | Feature::SystemCalls => {
                "use a newer kernel: Linux 6.12 or later has all of it"
            }
            Feature::Memory | Feature::Freezing | Feature::Processes => {
                if root.join("run/systemd/system").is_dir() {
                    "systemd-run --user --scope -p Delegate=yes crownhead …"
                } else {
                    "run Crownhead as root, where /sys/fs/cgroup can be written to"
                }
            }
        }
    }
}

/// A feature that the system lacks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MissingFeature {
    /// Which.
    pub feature: Feature,
    /// What that means for people who run bots here, as a sentence without its full stop.
    pub consequence: String,
}

impl MissingFeature {
    pub(crate) fn new(feature: Feature, consequence: impl Into<String>) -> MissingFeature {
        MissingFeature {
            feature,
            consequence: consequence.into(),
        }
    }
}

impl fmt::Display for MissingFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.consequence)
    }
}

/// Whether a program was not started because the machine or the user is out of files, processes or memory. A program
/// that does not run yet cannot cause this.
pub fn is_resource_shortage(error: &io::Error) -> bool {
    host::is_shortage(error)
}

#[cfg(test)]
mod tests {
    use super::Feature::{Memory, Namespaces};
    use std::fs;

    #[test]
    fn the_way_to_a_feature_is_that_of_the_machine() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let write = |file: &str, value: &str| {
            let path = root.join("proc/sys").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, value).unwrap();
        };
        assert!(Namespaces.grant_on(root).contains("--privileged"));
        write("user/max_user_namespaces", "0\n");
        assert!(Namespaces.grant_on(root).contains("max_user_namespaces="));
        write("kernel/unprivileged_userns_clone", "0\n");
        assert!(Namespaces.grant_on(root).contains("userns_clone=1"));
        write("kernel/apparmor_restrict_unprivileged_userns", "1\n");
        assert!(Namespaces.grant_on(root).contains("apparmor_parser"));

        assert!(Memory.grant_on(root).contains("as root"));
        fs::create_dir_all(root.join("run/systemd/system")).unwrap();
        assert!(Memory.grant_on(root).contains("Delegate=yes"));
    }
}
