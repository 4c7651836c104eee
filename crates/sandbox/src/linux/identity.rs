//! Gives each bot a user id of its own. So bots share none of the kernel's limits per user, and cannot signal or limit
//! processes of other users.
//!
//! The administrator can assign any id. The bot can read granted files even if that user could not, because its mounts
//! show their owner's id as the bot's own (`MOUNT_ATTR_IDMAP` in mount_setattr(2)). An ordinary user may have
//! subordinate ids (subuid(5)). Bots get one if all users can read everything that the bot may read. The programs
//! `newuidmap` and `newgidmap` map these ids into a user namespace, from a process outside it. Without them, the bot
//! runs as the user.

use super::files;
use super::paths::{self, Grants};
use super::sys;
use libc::AT_RECURSIVE;
use rustix::process::{Signal, WaitOptions, getgid, getuid, kill_process, waitpid};
use rustix::thread::{CapabilitySet, Gid, Uid, UnshareFlags, capabilities};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The user, and the group of the same number, as which the programs of one supervisor run.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) id: u32,
    /// Whether owners can be shown as this user.
    shows_owners: bool,
    /// For each owner of granted files, a user namespace that maps the owner to this user.
    mappings: BTreeMap<Owner, File>,
    /// Whether all users could read the granted files when they were first granted.
    readable: BTreeMap<PathBuf, bool>,
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
    /// The identity for this supervisor's programs, if it may assign one, such as a `subordinate` id.
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

    /// Prepares to let this user read these files. `false` if that is impossible, so that the program must run as the
    /// caller. The process must not have threads.
    pub(super) fn prepare(&mut self, grants: &Grants) -> bool {
        if !self.shows_owners {
            let asked = |path: &&PathBuf| path.exists() && !paths::is_system(path);
            let mut read = grants.own.iter().filter(asked);
            // Written files would belong to another user.
            return grants.writable.is_empty()
                && read.all(|path| {
                    let known = self.readable.entry(path.clone());
                    *known.or_insert_with(|| files::are_readable(path))
                });
        }
        for owner in self.unmapped(grants) {
            if let Ok(mapping) = create_mapping(owner, self.id) {
                self.mappings.insert(owner, mapping);
            }
        }
        true
    }

    /// The owners of these files that need mappings. No user namespace can be created while something is mounted on the
    /// root (`current_chrooted` in the kernel's fs/namespace.c).
    pub(super) fn unmapped(&self, grants: &Grants) -> BTreeSet<Owner> {
        let granted = grants.own.iter().chain(&grants.writable);
        let mut owners: BTreeSet<Owner> = granted.filter_map(|path| owner_of(path).ok()).collect();
        owners.retain(|owner| self.shows_owners && !self.mappings.contains_key(owner));
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

/// A process that waits outside the user namespace that its parent is about to enter.
pub(super) struct Mapper {
    process: Child,
    id: u32,
}

/// Waits for a line, then maps the user, the group and the subordinate id `$3` into the namespace of process `$0`.
const SCRIPT: &str = "read go && newgidmap $0 $2 $2 1 $3 $3 1 && exec newuidmap $0 $1 $1 1 $3 $3 1";

/// Where the two programs are.
const FOLDERS: [&str; 3] = ["/usr/bin", "/bin", "/run/wrappers/bin"];

impl Mapper {
    /// Starts it, if this user has subordinate ids.
    pub(super) fn start() -> Option<Mapper> {
        FOLDERS
            .into_iter()
            .find(|folder| Path::new(folder).join("newuidmap").exists())?;
        let (users, groups) = (ranges("/etc/subuid")?, ranges("/etc/subgid")?);
        let pid = std::process::id();
        let ids = common(&users, &groups)?;
        let id = ids.start + pid % (ids.end - ids.start);
        let numbers = [pid, getuid().as_raw(), getgid().as_raw(), id];
        let process = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .args(numbers.map(|number| number.to_string()))
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        Some(Mapper { process, id })
    }

    /// Maps the ids into the namespace that this process has entered. Returns the subordinate id if that succeeds.
    pub(super) fn map(mut self) -> Option<u32> {
        let mut input = self.process.stdin.take()?;
        let asked = input.write_all(b"go\n");
        drop(input);
        let done = self.process.wait().ok()?;
        (asked.is_ok() && done.success()).then_some(self.id)
    }
}

/// The ids that a file grants this user.
fn ranges(file: &str) -> Option<Vec<Range<u32>>> {
    let user = getuid().as_raw().to_string();
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == user).then_some(name)
    });
    let text = fs::read_to_string(file).ok()?;
    Some(parse(&text, &user, name.unwrap_or(&user)))
}

fn parse(text: &str, user: &str, name: &str) -> Vec<Range<u32>> {
    let range = |line: &str| {
        let mut fields = line.split(':');
        let owner = fields.next()?;
        let (first, count): (u32, u32) =
            (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        (owner == user || owner == name).then_some(first..first.saturating_add(count))
    };
    text.lines().filter_map(range).collect()
}

/// The ids that a range of users and one of groups have in common.
fn common(users: &[Range<u32>], groups: &[Range<u32>]) -> Option<Range<u32>> {
    let pairs = users
        .iter()
        .flat_map(|user| groups.iter().map(move |group| (user, group)));
    let mut common =
        pairs.map(|(user, group)| user.start.max(group.start)..user.end.min(group.end));
    common.find(|ids| !ids.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_the_ids_that_are_granted_to_its_name_or_number() {
        let text = "ann:100000:65536\nbob:165536:65536\n1002:300000:10\n";
        assert_eq!(
            parse(text, "1002", "ann"),
            [100_000..165_536, 300_000..300_010]
        );
        assert_eq!(parse(text, "7", "eve"), []);
    }

    #[test]
    fn an_id_is_both_a_users_and_a_groups() {
        let (low, high) = (100..110, 105..120);
        let empty = 0..0;
        let common = |users: [&Range<u32>; 2], groups: [&Range<u32>; 2]| {
            super::common(&users.map(Range::clone), &groups.map(Range::clone))
        };
        assert_eq!(common([&empty, &low], [&empty, &high]), Some(105..110));
        assert_eq!(common([&empty, &low], [&(110..120), &empty]), None);
        assert_eq!(common([&(0..5), &low], [&low, &empty]), Some(low.clone()));
    }
}
