//! What the referee makes of a machine: clocks, full cores and memory.

mod clocks;
mod memory;
mod starvation;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held by a test that loads the machine, or whose bots take the processor from others: two at once would starve each
/// other.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let held = ONE_AT_A_TIME.lock();
    held.unwrap_or_else(PoisonError::into_inner)
}
