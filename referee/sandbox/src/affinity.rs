//! The cores on which a program runs. That it cannot leave them is the [filter's](super::seccomp) part.

use rustix::thread::{CpuSet, sched_setaffinity};
use std::io;

/// Confines this thread, and all that it starts, to these cores.
pub(super) fn pin(cores: &[usize]) -> io::Result<()> {
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    Ok(sched_setaffinity(None, &set)?)
}
