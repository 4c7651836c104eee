//! A user id of its own for each bot, so that no limit that the kernel counts for each user is shared, and none of
//! another user's processes can be signalled or limited.
//!
//! The administrator can give one away, and files that the bot may read need not be readable to that user: the mounts
//! through which it sees them show their owner's id as its own (`MOUNT_ATTR_IDMAP` in mount_setattr(2)). An ordinary
//! user may have subordinate ids to give ([`subordinate`](super::subordinate)); that user's bots have one where all
//! that they may read is readable to everybody.

use super::copies;
use super::paths::{self, Grants};
use super::sys::{self, Forked};
use libc::AT_RECURSIVE;
use rustix::process::{Signal, WaitOptions, kill_process, waitpid};
use rustix::thread::{CapabilitySet, Gid, Uid, UnshareFlags, capabilities};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The user, and the group of the same number, as which the programs of one supervisor run.
#[derive(Debug)]
pub(super) struct Identity {
    id: u32,
    /// Whether owners can be shown as this user.
    shows_owners: bool,
    /// For each owner of granted files a user namespace in which they are this user's.
    mappings: BTreeMap<Owner, File>,
    /// Whether everybody may read what is granted, as it was when it was first granted.
    readable: BTreeMap<PathBuf, bool>,
}

/// The user and the group that own a file.
type Owner = (u32, u32);

/// The lowest id, to which the supervisor's pid is added: above what containers and dynamic users get (systemd,
/// "Users, Groups, UIDs and GIDs on systemd Systems": 1879048192 to 2147483647 is unused).
const FIRST: u32 = 1_900_000_000;

/// Dynamic users of services (the same page: 61184 to 65519), for containers that have no higher ids.
const FIRST_IN_CONTAINER: u32 = 61_184;
const IN_CONTAINER: u32 = 65_519 - FIRST_IN_CONTAINER;

impl Identity {
    /// The identity for this supervisor's programs, if it may give one away: a `subordinate` id, for one.
    pub(super) fn of_supervisor(subordinate: Option<u32>) -> Option<Identity> {
        let needed = CapabilitySet::SETUID
            | CapabilitySet::SETGID
            | CapabilitySet::CHOWN
            | CapabilitySet::SYS_ADMIN;
        let allowed = capabilities(None).is_ok_and(|sets| sets.effective.contains(needed));
        let pid = std::process::id();
        let ids = [FIRST + pid, FIRST_IN_CONTAINER + pid % IN_CONTAINER];
        let mut ids = subordinate.into_iter().chain(ids);
        Some(Identity {
            id: ids.find(|&id| allowed && exists(id))?,
            shows_owners: subordinate.is_none(),
            mappings: BTreeMap::new(),
            readable: BTreeMap::new(),
        })
    }

    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// Prepares to let this user read these files; `false` if it could not, and the program is to run as the caller.
    /// The process must not have threads.
    pub(super) fn prepare(&mut self, grants: &Grants) -> bool {
        if !self.shows_owners {
            let asked = |path: &&PathBuf| path.exists() && !paths::is_system(path);
            let mut read = grants.own.iter().filter(asked);
            // What is written would be another user's.
            return grants.writable.is_empty()
                && read.all(|path| {
                    let known = self.readable.entry(path.clone());
                    *known.or_insert_with(|| copies::are_readable(path))
                });
        }
        for path in grants.own.iter().chain(&grants.writable) {
            let Ok(owner) = owner_of(path) else { continue };
            if !self.mappings.contains_key(&owner)
                && let Ok(mapping) = create_mapping(owner, self.id)
            {
                self.mappings.insert(owner, mapping);
            }
        }
        true
    }

    /// Shows the owner of this file or folder as this user in a mount of it, which is not attached yet.
    pub(super) fn show_as_own(&self, path: &Path, mount: &OwnedFd) -> io::Result<()> {
        let mapping = self.mappings.get(&owner_of(path)?);
        let mapping = mapping.ok_or_else(|| io::Error::other("no mapping"))?;
        sys::set_mount_attributes(mount, AT_RECURSIVE, 0, Some(mapping.as_fd()))
    }

    /// Turns this process into this user's, which takes its privileges.
    pub(super) fn assume(&self) -> io::Result<()> {
        let (user, group) = (Uid::from_raw(self.id), Gid::from_raw(self.id));
        set_thread_groups(&[])?;
        set_thread_res_gid(group, group, group)?;
        Ok(set_thread_res_uid(user, user, user)?)
    }
}

/// Whether both the user and the group of this number are mapped in this user namespace.
fn exists(id: u32) -> bool {
    let maps = ["/proc/self/uid_map", "/proc/self/gid_map"];
    maps.iter().all(|map| {
        let text = fs::read_to_string(map).unwrap_or_default();
        text.lines().any(|line| {
            let numbers = line.split_whitespace().flat_map(str::parse);
            let numbers: Vec<u64> = numbers.collect();
            matches!(numbers[..], [first, _, count] if (first..first + count).contains(&id.into()))
        })
    })
}

fn owner_of(path: &Path) -> io::Result<Owner> {
    let file = fs::metadata(path)?;
    Ok((file.uid(), file.gid()))
}

/// A user namespace in which the ids of `owner` are `id` outside.
fn create_mapping((user, group): Owner, id: u32) -> io::Result<File> {
    let Forked::Parent(child) = sys::fork(UnshareFlags::NEWUSER)? else {
        // Until it is killed.
        loop {
            rustix::event::pause();
        }
    };
    let file = |name: &str| format!("/proc/{}/{name}", child.as_raw_nonzero());
    let created = fs::write(file("uid_map"), format!("{user} {id} 1"))
        .and_then(|()| fs::write(file("gid_map"), format!("{group} {id} 1")))
        .and_then(|()| File::open(file("ns/user")));
    let _ = kill_process(child, Signal::KILL);
    waitpid(Some(child), WaitOptions::empty())?;
    created
}
