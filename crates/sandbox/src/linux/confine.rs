//! Confines the init, and so the program, before the program starts. None of this can be undone.

use super::cgroup::PROCESSES;
use super::files::entries;
use super::identity::Identity;
use super::setup::Setup;
use super::{paths, seccomp, sys};
use crate::config::{FOLDER_LIMIT, MEMORY_LIMIT};
use crate::missing::{Feature, MissingFeature};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, set_capabilities, set_no_new_privs,
};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The most open files of one process.
const OPEN_FILES: u64 = 1024;

/// Rules that apply only to the program, if the system has them.
#[derive(Default)]
pub(super) struct ProgramRules {
    /// A Landlock ruleset that keeps its signals from its init.
    pub(super) scope: Option<OwnedFd>,
    /// A seccomp filter that keeps it from continuing stopped processes.
    pub(super) filter: Option<seccomp::ProgramFilter>,
}

impl ProgramRules {
    /// Applies them to this thread and its children, for good.
    pub(super) fn apply(&self) -> io::Result<()> {
        if let Some(scope) = &self.scope {
            sys::restrict_thread(scope)?;
        }
        self.filter
            .as_ref()
            .map_or(Ok(()), seccomp::apply_to_thread)
    }
}

/// Sets resource limits, drops all privileges, and applies Landlock and the seccomp filter. The program may write into
/// `folder`. Notes missing features.
///
/// # Errors
/// When a feature that the system has cannot be used. Then the program must not start.
pub(super) fn confine(
    setup: &Setup,
    folder: Option<&Path>,
    missing: &mut Vec<MissingFeature>,
) -> io::Result<ProgramRules> {
    set_limits(setup, missing)?;
    drop_privileges(setup.identity)?;
    let scope = landlock(setup, folder, missing)?;
    let memory_is_counted = setup.cgroups.oom_kills.is_some();
    let allowed = seccomp::Allowed {
        sending_files: memory_is_counted && setup.folder.is_none(),
        uncounted_memory: memory_is_counted,
    };
    let filter = match seccomp::apply(allowed) {
        Err(error) if seccomp::are_missing(&error) => {
            missing.push(MissingFeature::new(
                Feature::SystemCalls,
                format!(
                    "no filter of system calls ({error}): a bot can use sockets that Landlock leaves open, change modes and \
                     times of your files, and keep running when it is stopped"
                ),
            ));
            None
        }
        filter => {
            Some(filter.map_err(|error| {
                io::Error::other(format!("its filter of system calls: {error}"))
            })?)
        }
    };
    Ok(ProgramRules { scope, filter })
}

fn set_limits(setup: &Setup, missing: &mut Vec<MissingFeature>) -> io::Result<()> {
    set_limit(Resource::Core, 0)?;
    set_limit(Resource::Fsize, FOLDER_LIMIT)?;
    set_limit(Resource::Nofile, OPEN_FILES)?;
    if setup.cgroups.oom_kills.is_none() {
        // Not RLIMIT_AS: Java and Node reserve far more address space than they use.
        set_limit(Resource::Data, MEMORY_LIMIT)?;
        missing.push(MissingFeature::new(
            Feature::Memory,
            format!(
                "no control group for memory: a bot's memory is checked only every 50 ms, so it can exceed {} MB for a moment",
                MEMORY_LIMIT >> 20
            ),
        ));
    }
    if !setup.cgroups.can_freeze {
        missing.push(MissingFeature::new(
            Feature::Freezing,
            "no control group that freezes: bots that share a core are stopped by signals while their opponent thinks. A bot \
             with a core of its own keeps running, and can slow down its opponent, unless you add `--suspend-idle`",
        ));
    }
    if !setup.cgroups.processes {
        if rustix::process::getuid().is_root() && setup.identity.is_none() {
            missing.push(MissingFeature::new(
                Feature::Processes,
                "no control group for processes: the administrator's bots can start any number of processes",
            ));
        }
        let others = setup.namespaces.map_or_else(processes_of_user, |_| 0);
        set_limit(Resource::Nproc, others + u64::from(PROCESSES))?;
    }
    Ok(())
}

/// Sets the soft and the hard limit, up to the present hard limit.
fn set_limit(resource: Resource, limit: u64) -> io::Result<()> {
    let hard = rustix::process::getrlimit(resource).maximum;
    let limit = Some(hard.map_or(limit, |hard| hard.min(limit)));
    let both = Rlimit {
        current: limit,
        maximum: limit,
    };
    Ok(setrlimit(resource, both)?)
}

/// The number of this user's processes and threads; the kernel counts the program's among them (RLIMIT_NPROC).
fn processes_of_user() -> u64 {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::getuid().as_raw();
    let threads = entries("/proc").filter_map(|entry| {
        let tasks = std::fs::metadata(entry.path().join("task")).ok()?;
        (tasks.uid() == user).then(|| tasks.nlink().saturating_sub(2))
    });
    threads.sum()
}

fn drop_privileges(identity: Option<&Identity>) -> io::Result<()> {
    set_no_new_privs(true)?;
    let _ = clear_ambient_capability_set();
    if let Some(identity) = identity {
        identity.assume()?;
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    Ok(set_capabilities(None, none)?)
}

/// The newest rules used; an older kernel applies the ones it knows.
const NEWEST: ABI = ABI::V6;

fn landlock(
    setup: &Setup,
    folder: Option<&Path>,
    missing: &mut Vec<MissingFeature>,
) -> io::Result<Option<OwnedFd>> {
    let read = AccessFs::from_read(NEWEST);
    let write = AccessFs::from_all(NEWEST);
    let read_and_write = AccessFs::ReadFile | AccessFs::WriteFile;
    let readable: Vec<&Path> = if setup.namespaces.is_some() {
        // It may read everything that it sees.
        vec![Path::new("/")]
    } else {
        let common = paths::RANDOM.iter().chain(&["/proc"]).map(Path::new);
        let own = setup.grants.all().chain(&setup.cgroups.folders);
        common.chain(own.map(PathBuf::as_path)).collect()
    };
    let writable = setup.grants.writable.iter().map(PathBuf::as_path);
    let writable = folder.into_iter().chain(writable);
    let rules = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(write)?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?
            .add_rules(path_beneath_rules(readable, read))?
            .add_rules(path_beneath_rules(paths::DEVICES, read_and_write))?
            .add_rules(path_beneath_rules(writable, write))?
            .restrict_self()
    };
    let status = rules().map_err(io::Error::other)?;
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        missing.push(MissingFeature::new(
            Feature::Landlock,
            "no Landlock: a bot can read and write what you can",
        ));
        return Ok(None);
    };
    if effective_abi < ABI::V3 {
        missing.push(MissingFeature::new(
            Feature::Landlock,
            "an old Landlock: a bot can truncate files that it may not write",
        ));
    }
    if effective_abi < ABI::V6 {
        if setup.namespaces.is_none() {
            missing.push(MissingFeature::new(
                Feature::Landlock,
                "an old Landlock: a bot can stop and kill your processes, its opponent and its supervisor. Its own processes \
                 then outlive the game",
            ));
        }
        return Ok(None);
    }
    let scope = || Ruleset::default().scope(Scope::Signal)?.create();
    Ok(scope().map_err(io::Error::other)?.into())
}
