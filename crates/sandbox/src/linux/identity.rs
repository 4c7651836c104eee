//! Gives each bot a user id of its own. So bots share none of the kernel's limits per user, and cannot signal or limit
//! processes of other users.
//!
//! Only the administrator can assign an id. The bot can read granted files even if that user could not, because its
//! mounts show their owner's id as the bot's own (`MOUNT_ATTR_IDMAP` in mount_setattr(2)). An ordinary user's bot runs as
//! that user.

use super::paths::Grants;
use super::sys;
use libc::AT_RECURSIVE;
use rustix::process::{Signal, WaitOptions, kill_process, waitpid};
use rustix::thread::{CapabilitySet, Gid, Uid, UnshareFlags, capabilities};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The user, and the group of the same number, as which the programs of one supervisor run.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) id: u32,
    /// For each owner of granted files, a user namespace that maps the owner to this user.
    mappings: BTreeMap<Owner, File>,
}

/// The user and the group that own a file.
pub(super) type Owner = (u32, u32);

/// The base id, to which the supervisor's pid is added. It is above the ids of containers and dynamic users (systemd,
/// "Users, Groups, UIDs and GIDs on systemd Systems": 1879048192 to 2147483647 is unused).
const FIRST: u32 = 1_900_000_000;

/// Dynamic users of services (the same page: 61184 to 65519), for containers that have no higher ids.
const FIRST_IN_CONTAINER: u32 = 61_184;
const IN_CONTAINER: u32 = 65_519 - FIRST_IN_CONTAINER;

impl Identity {
    /// The identity for this supervisor's programs, if it may assign one.
    pub(super) fn of_supervisor() -> Option<Identity> {
        let needed = CapabilitySet::SETUID
            | CapabilitySet::SETGID
            | CapabilitySet::CHOWN
            | CapabilitySet::SYS_ADMIN;
        let allowed = capabilities(None).is_ok_and(|sets| sets.effective.contains(needed));
        let pid = std::process::id();
        let ids = [FIRST + pid, FIRST_IN_CONTAINER + pid % IN_CONTAINER];
        let mut ids = ids.into_iter();
        Some(Identity {
            id: ids.find(|&id| allowed && exists(id))?,
            mappings: BTreeMap::new(),
        })
    }

    /// Maps the owners of these files. The process must not have threads.
    pub(super) fn map(&mut self, grants: &Grants) {
        for owner in self.unmapped(grants) {
            if let Ok(mapping) = create_mapping(owner, self.id) {
                self.mappings.insert(owner, mapping);
            }
        }
    }

    /// The owners of these files that need mappings. No user namespace can be created while something is mounted on the
    /// root (`current_chrooted` in the kernel's fs/namespace.c).
    pub(super) fn unmapped(&self, grants: &Grants) -> BTreeSet<Owner> {
        let granted = grants.own.iter().chain(&grants.writable);
        let mut owners: BTreeSet<Owner> = granted.filter_map(|path| owner_of(path).ok()).collect();
        owners.retain(|owner| !self.mappings.contains_key(owner));
        owners
    }

    /// Shows the owner of this file or folder as this user, in its mount, which is not attached yet.
    pub(super) fn show_as_own(&self, path: &Path, mount: &OwnedFd) -> io::Result<()> {
        let mapping = self.mappings.get(&owner_of(path)?);
        let mapping = mapping.ok_or_else(|| io::Error::other("no mapping"))?;
        sys::set_mount_attributes(mount, AT_RECURSIVE, 0, Some(mapping.as_fd()))
    }

    /// Changes to this user, which drops this process's privileges.
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
    let Some(child) = sys::fork(UnshareFlags::NEWUSER)? else {
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
