//! Threads that give way, so that viewers do not slow down the games on this machine.

/// Gives this thread a low priority, at this niceness.
pub(super) fn give_way(niceness: i32) {
    // Single threads have a niceness only on Linux.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(niceness);
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::nice;

    #[test]
    fn a_thread_gives_way_to_others_and_these_do_not() {
        let before = nice(0).unwrap();
        let thread = std::thread::spawn(|| {
            give_way(1);
            nice(0).unwrap()
        });
        assert_eq!(thread.join().unwrap(), (before + 1).min(19));
        assert_eq!(nice(0).unwrap(), before);
    }
}
