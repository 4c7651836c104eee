//! The cores on which a program runs. That it cannot leave them is the [filter's](super::seccomp) part.
//!
//! What the supervisor does for a program before and after runs anywhere: it is no part of the program's time.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

/// Does `start` while this thread, and so all that it starts, is confined to these cores; to none where none are named.
pub(super) fn pinned<T>(cores: &[usize], start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    if cores.is_empty() {
        return start();
    }
    let before = sched_getaffinity(None)?;
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    sched_setaffinity(None, &set)?;
    let started = start();
    sched_setaffinity(None, &before)?;
    started
}
