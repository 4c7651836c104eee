//! What the warden does to itself, and so to the bot, before the bot starts. None of it can be undone.

use super::message::{Facts, Order};
use super::{paths, seccomp};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};
use std::io;
use std::path::PathBuf;

/// Limits, no privileges, Landlock and the filter of system calls; gives what could not be had.
///
/// # Errors
/// When something that the system has cannot be used: then nothing may be started.
pub(super) fn confine(order: &Order, facts: &Facts) -> io::Result<Vec<String>> {
    let mut gaps = facts.gaps.clone();
    limit(order, facts, &mut gaps)?;
    drop_privileges()?;
    landlock(order, facts, &mut gaps)?;
    if let Err(error) = seccomp::apply() {
        gaps.push(format!(
            "no filter of system calls ({error}): a bot can use sockets that Landlock leaves open, and \
             change modes and times of your files"
        ));
    }
    Ok(gaps)
}

fn limit(order: &Order, facts: &Facts, gaps: &mut Vec<String>) -> io::Result<()> {
    let limits = &order.limits;
    set(Resource::Core, 0)?;
    set(Resource::Fsize, limits.folder)?;
    set(Resource::Nofile, limits.open_files)?;
    if facts.kills.is_none() {
        // Not the address space, of which Java and Node reserve far more than they use.
        set(Resource::Data, limits.memory)?;
    }
    if !facts.counted_processes {
        if rustix::process::getuid().is_root() {
            gaps.push(
                "no control group for processes: the administrator's bots can start any number"
                    .into(),
            );
        }
        let others = if facts.own_processes {
            0
        } else {
            processes_of_user()
        };
        set(Resource::Nproc, others + u64::from(limits.processes))?;
    }
    Ok(())
}

/// Both limits, at most what is allowed already.
fn set(resource: Resource, most: u64) -> io::Result<()> {
    let allowed = rustix::process::getrlimit(resource).maximum;
    let most = Some(allowed.map_or(most, |allowed| allowed.min(most)));
    let limit = Rlimit {
        current: most,
        maximum: most,
    };
    Ok(setrlimit(resource, limit)?)
}

/// The processes and threads this user has: the kernel counts a bot's together with them.
fn processes_of_user() -> u64 {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::getuid().as_raw();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let threads = entries.filter_map(|entry| {
        let tasks = std::fs::metadata(entry.path().join("task")).ok()?;
        (tasks.uid() == user).then(|| tasks.nlink().saturating_sub(2))
    });
    threads.sum()
}

fn drop_privileges() -> io::Result<()> {
    set_no_new_privs(true)?;
    let _ = clear_ambient_capability_set();
    for capability in CapabilitySet::all().iter() {
        // Refused to those who have none to give up.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    Ok(set_capabilities(None, none)?)
}

/// The newest rules this program knows; an older kernel applies what it has.
const NEWEST: ABI = ABI::V6;

fn landlock(order: &Order, facts: &Facts, gaps: &mut Vec<String>) -> io::Result<()> {
    let read = AccessFs::from_read(NEWEST);
    let write = AccessFs::from_all(NEWEST);
    let use_sink = AccessFs::ReadFile | AccessFs::WriteFile;
    let folder = facts.folder.iter().map(PathBuf::from);
    let rules = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(write)?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?
            .add_rules(path_beneath_rules(paths::readable(order), read))?
            .add_rules(path_beneath_rules(paths::SINKS, use_sink))?
            .add_rules(path_beneath_rules(folder, write))?
            .restrict_self()
    };
    let status = rules().map_err(io::Error::other)?;
    match status.landlock {
        LandlockStatus::Available { effective_abi, .. } => {
            if effective_abi < ABI::V3 {
                gaps.push("an old Landlock: a bot can cut off files it may not write".into());
            }
            if effective_abi < ABI::V6 && !facts.own_processes {
                gaps.push(
                    "no namespaces and an old Landlock: a bot can signal your processes".into(),
                );
            }
        }
        _ => gaps.push("no Landlock: a bot can read and write what you can".into()),
    }
    Ok(())
}
