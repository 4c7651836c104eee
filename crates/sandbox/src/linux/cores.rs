//! Which cores there are, who uses them, and staying on some of them.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

/// Holds a core for this run: a name that one process of the machine at a time can have, and that is free again once it
/// has ended, however it ended.
#[derive(Debug)]
pub struct CoreClaim {
    _name: UnixListener,
}

/// Claims a core; `None` if another run has it.
pub fn claim_core(core: usize) -> Option<CoreClaim> {
    let name = SocketAddr::from_abstract_name(format!("crownhead-core-{core}")).ok()?;
    let _name = UnixListener::bind_addr(&name).ok()?;
    Some(CoreClaim { _name })
}

/// The cores that this process may use, those first that share no physical core. Empty if the system does not say.
pub fn cores() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(None) else {
        return Vec::new();
    };
    let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU)
        .filter(|&core| set.is_set(core))
        .collect();
    cores.sort_by_key(|&core| (place_among_siblings(core), core));
    cores
}

fn place_among_siblings(core: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    let list = std::fs::read_to_string(path).unwrap_or_default();
    let ranges = list.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<usize>().ok()?..=last.parse().ok()?)
    });
    let mut siblings = ranges.flatten();
    siblings
        .position(|sibling| sibling == core)
        .unwrap_or_default()
}

/// Keeps a process, or this thread, on these cores.
pub(crate) fn keep_on(process: Option<u32>, cores: &[usize]) {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    let process = process.and_then(|pid| Pid::from_raw(pid.cast_signed()));
    // A core may have been taken from this process meanwhile; then it runs where it can.
    let _ = sched_setaffinity(process, &set);
}

/// Lowers the priority of this thread alone (nice(2)).
pub fn give_way(niceness: i32) {
    let _ = rustix::process::nice(niceness);
}
