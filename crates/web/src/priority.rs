//! Threads that give way: what people look at does not slow the games that are played on the machine.

/// Lets this thread run behind others of the machine, at this niceness.
pub(super) fn give_way(niceness: i32) {
    // For threads one by one, on Linux alone.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(niceness);
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}
