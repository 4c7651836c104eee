//! Namespaces of a program (namespaces(7)): its own processes, mounts, network, control groups and shared memory.
//!
//! The administrator may create them; others may inside a user namespace, where the system allows that. What all
//! programs of a supervisor can share is created once: the user namespace, and a network namespace in which there is
//! nothing. The others are created when the init is forked. What the program then sees is left out.

use super::identity::Identity;
use super::mounts;
use super::subordinate::Mapper;
use super::sys::{self, Forked, unshare};
use rustix::io::Errno;
use rustix::process::{WaitOptions, waitpid};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities};
use std::fs;
use std::io;

/// What the programs of one supervisor share.
#[derive(Debug)]
pub(super) struct Namespaces {
    /// As whom programs run, if not as the caller.
    pub(super) identity: Option<Identity>,
    /// Whether a `/proc` of the program's own can be mounted.
    pub(super) own_proc: bool,
    /// Missing features, a sentence each.
    pub(super) missing: Vec<String>,
}

/// Why programs cannot have namespaces, for messages.
#[derive(Debug)]
pub(super) enum Unavailable {
    /// The system refused; this process is as it was.
    Refused(String),
    /// This process has got into a user namespace in which it may do nothing.
    Stranded(String),
}

impl Unavailable {
    /// What programs lack without namespaces, a sentence each.
    pub(super) fn consequences(&self) -> Vec<String> {
        let (Unavailable::Refused(why) | Unavailable::Stranded(why)) = self;
        vec![
            format!("no namespaces ({why}): a bot sees the names of all processes and of all files"),
            "no user of a bot's own: what the kernel counts for each user it shares with you and its opponent".into(),
            "no file system of a bot's own: its temporary folder is on disk and checked every 50 ms, and it has no /dev/shm".into(),
        ]
    }
}

/// What it means that namespaces cannot be created, or not be used.
fn describe(error: &io::Error, created: bool) -> String {
    match Errno::from_io_error(error) {
        Some(Errno::NOSPC) => "the system allows no more of them: user.max_user_namespaces".into(),
        Some(Errno::PERM | Errno::ACCESS) if created => {
            "the system permits nothing in them; on Ubuntu an AppArmor profile does, see SECURITY.md"
                .into()
        }
        _ => error.to_string(),
    }
}

impl Namespaces {
    /// Enters what programs share, and tries out the rest. The process must not have threads yet.
    pub(super) fn enter() -> Result<Namespaces, Unavailable> {
        let privileged =
            capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
        let subordinate = if privileged {
            None
        } else {
            enter_user_namespace()?
        };
        let mut missing = Vec::new();
        if let Err(error) = unshare(UnshareFlags::NEWNET) {
            missing.push(format!(
                "no network namespace ({error}): a bot sees the list of the machine's connections"
            ));
        }
        match try_out() {
            Ok(own_proc) => {
                if !own_proc {
                    missing
                        .push("no /proc of a bot's own: it sees the names of all processes".into());
                }
                Ok(Namespaces {
                    identity: Identity::of_supervisor(subordinate),
                    own_proc,
                    missing,
                })
            }
            Err(error) if privileged => Err(Unavailable::Refused(describe(&error, true))),
            Err(error) => Err(Unavailable::Stranded(describe(&error, true))),
        }
    }
}

/// Enters a user namespace in which this user and group keep their numbers; gives the subordinate id that is mapped
/// there, too, if there is one.
fn enter_user_namespace() -> Result<Option<u32>, Unavailable> {
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    let mapper = Mapper::start();
    unshare(UnshareFlags::NEWUSER)
        .map_err(|error| Unavailable::Refused(describe(&error, false)))?;
    let subordinate = mapper.and_then(Mapper::map);
    let is_mapped = |file: &str| fs::read_to_string(file).is_ok_and(|map| !map.is_empty());
    let map = || {
        if !is_mapped("/proc/self/gid_map") {
            fs::write("/proc/self/setgroups", "deny")?;
            fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))?;
        }
        if !is_mapped("/proc/self/uid_map") {
            fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
        }
        Ok(subordinate)
    };
    map().map_err(|error: io::Error| Unavailable::Stranded(describe(&error, true)))
}

/// Creates in a child what an init needs: some systems allow the namespaces and then refuse to mount in them. Gives
/// whether a new `/proc` can be mounted.
fn try_out() -> io::Result<bool> {
    match sys::fork(NAMESPACES)? {
        Forked::Child => {
            let done = unshare(UnshareFlags::NEWCGROUP).and_then(|()| mounts::try_out());
            let status = match done {
                Ok(true) => 0,
                Ok(false) => NO_PROC,
                // Numbers of errors fit in an exit status.
                Err(error) => error.raw_os_error().unwrap_or(libc::EIO),
            };
            std::process::exit(status);
        }
        Forked::Parent(child) => {
            let ended = waitpid(Some(child), WaitOptions::empty())?;
            match ended.and_then(|(_, status)| status.exit_status()) {
                Some(0) => Ok(true),
                Some(NO_PROC) => Ok(false),
                Some(errno) => Err(Errno::from_raw_os_error(errno).into()),
                None => Err(io::Error::other("it was killed while it was tried out")),
            }
        }
    }
}

/// An exit status that is no error's number.
const NO_PROC: i32 = 255;

/// What an init is forked with. It enters its control groups before it gets a namespace for them, so that they are
/// all that it sees.
pub(super) const NAMESPACES: UnshareFlags = UnshareFlags::NEWPID
    .union(UnshareFlags::NEWNS)
    .union(UnshareFlags::NEWIPC);
