//! Namespaces of a program (namespaces(7)): its own processes, mounts, network, control groups and shared memory.
//!
//! The administrator may create them. Others may do so inside a user namespace, if the system allows that. The
//! namespaces that all programs of a supervisor share are created once: the user namespace, an empty network namespace,
//! and a mount namespace for the files that all of them see. The others are created when the init is forked. Other
//! files decide what the program then sees.

use super::identity::Identity;
use super::mounts;
use super::sys::{self, unshare};
use crate::missing::{Feature, MissingFeature};
use rustix::io::Errno;
use rustix::process::{Gid, Uid, WaitOptions, getgid, getuid, waitpid};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities};
use std::fs;
use std::io;

/// The namespaces that the programs of one supervisor share.
#[derive(Debug)]
pub(super) struct Namespaces {
    /// The user that programs run as, if not the caller.
    pub(super) identity: Option<Identity>,
    /// Whether a `/proc` of the program's own can be mounted.
    pub(super) own_proc: bool,
    /// Missing features.
    pub(super) missing: Vec<MissingFeature>,
}

/// What programs lack without namespaces; `why` there are none.
pub(super) fn without(why: &str) -> MissingFeature {
    MissingFeature::new(
        Feature::Namespaces,
        format!(
            "no namespaces ({why}): a bot sees the names of all processes and of all files. It shares with you and its \
             opponent what the kernel counts for each user. Its temporary folder is on disk and checked every 50 ms, and it \
             has no /dev/shm"
        ),
    )
}

/// Describes why namespaces cannot be created or used.
fn describe(error: &io::Error, created: bool) -> String {
    match Errno::from_io_error(error) {
        Some(Errno::NOSPC) => "the system allows no more of them: user.max_user_namespaces".into(),
        Some(Errno::PERM | Errno::ACCESS) if created => {
            "the system permits nothing in them; on Ubuntu an AppArmor profile changes that, see docs/guide/sandbox.md"
                .into()
        }
        _ => error.to_string(),
    }
}

impl Namespaces {
    /// Enters the shared namespaces, after trying them out in a child. The process must not have threads yet.
    ///
    /// # Errors
    /// Why programs cannot have namespaces, for messages.
    pub(super) fn enter() -> Result<Namespaces, String> {
        let privileged =
            capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
        // Read before entering the user namespace, where they have no numbers until they are mapped.
        let user = (!privileged).then(|| (getuid(), getgid()));
        let own_proc = try_out(user).map_err(|error| describe(&error, true))?;
        if let Some(user) = user {
            unshare(UnshareFlags::NEWUSER).map_err(|error| describe(&error, false))?;
            map_ids(user).map_err(|error| describe(&error, true))?;
        }
        let mut missing = Vec::new();
        unshare(UnshareFlags::NEWNS)
            .and_then(|()| mounts::follow())
            .map_err(|error| describe(&error, true))?;
        if let Err(error) = unshare(UnshareFlags::NEWNET) {
            missing.push(MissingFeature::new(
                Feature::Network,
                format!("no network namespace ({error}): a bot sees the list of the machine's connections"),
            ));
        }
        if !own_proc {
            missing.push(MissingFeature::new(
                Feature::Proc,
                "no /proc of its own: a bot sees the names of all processes",
            ));
        }
        Ok(Namespaces {
            identity: Identity::of_supervisor(),
            own_proc,
            missing,
        })
    }
}

/// Maps a user and a group to their own numbers in the user namespace that this process has entered.
fn map_ids((user, group): (Uid, Gid)) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))?;
    fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))
}

/// Creates in a child what an init needs, in a user namespace if this `user` needs one. Some systems allow the
/// namespaces and then refuse to mount in them, and no process can leave such a user namespace. Returns whether a new
/// `/proc` can be mounted.
fn try_out(user: Option<(Uid, Gid)>) -> io::Result<bool> {
    in_child(UnshareFlags::empty(), || {
        if let Some(user) = user {
            if unshare(UnshareFlags::NEWUSER).is_err() {
                // The supervisor fails in the same way, and reports why.
                return Ok(false);
            }
            map_ids(user)?;
        }
        in_child(NAMESPACES, || {
            unshare(UnshareFlags::NEWCGROUP)?;
            mounts::try_out()
        })
    })
}

/// Does this work in a child with new namespaces, and returns its result.
fn in_child(namespaces: UnshareFlags, work: impl FnOnce() -> io::Result<bool>) -> io::Result<bool> {
    match sys::fork(namespaces)? {
        None => std::process::exit(match work() {
            Ok(true) => 0,
            Ok(false) => FALSE,
            // Numbers of errors fit in an exit status.
            Err(error) => error.raw_os_error().unwrap_or(KILLED),
        }),
        Some(child) => {
            let ended = waitpid(Some(child), WaitOptions::empty())?;
            match ended.and_then(|(_, status)| status.exit_status()) {
                Some(0) => Ok(true),
                Some(FALSE) => Ok(false),
                Some(KILLED) | None => {
                    Err(io::Error::other("it was killed while it was tried out"))
                }
                Some(errno) => Err(Errno::from_raw_os_error(errno).into()),
            }
        }
    }
}

/// The exit statuses for `false`, and for a killed child of the child. No error has these numbers.
const FALSE: i32 = 255;
const KILLED: i32 = 254;

/// The namespaces of an init at its fork. It enters its control groups before it gets a namespace for them, so that it
/// sees only those.
pub(super) const NAMESPACES: UnshareFlags = UnshareFlags::NEWPID
    .union(UnshareFlags::NEWNS)
    .union(UnshareFlags::NEWIPC);
