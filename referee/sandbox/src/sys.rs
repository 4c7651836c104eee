//! The system calls for which rustix has no safe function: the only unsafe code in the workspace's libraries.
//!
//! nix has these, but neither capabilities nor pidfds, and gives received files as bare numbers, which only
//! unsafe code can own (nix 0.31).
#![allow(unsafe_code)]

use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

/// The processor time that one process has used, all its threads together and without its children.
#[derive(Clone, Copy, Debug)]
pub struct ProcessClock(libc::clockid_t);

impl ProcessClock {
    /// The clock of the process with this pid.
    ///
    /// # Errors
    /// When there is no such process.
    pub fn of(pid: u32) -> io::Result<ProcessClock> {
        let pid = pid.try_into().map_err(io::Error::other)?;
        let mut clock = 0;
        // SAFETY: the pointer is to a clock id of our own.
        match unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) } {
            0 => Ok(ProcessClock(clock)),
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    }

    /// The time used so far.
    ///
    /// # Errors
    /// When the process is gone.
    pub fn now(&self) -> io::Result<Duration> {
        let mut time = MaybeUninit::uninit();
        // SAFETY: the pointer is to a timespec of our own, which a call that succeeds fills in.
        let time = unsafe {
            if libc::clock_gettime(self.0, time.as_mut_ptr()) != 0 {
                return Err(io::Error::last_os_error());
            }
            time.assume_init()
        };
        let seconds = time.tv_sec.try_into().map_err(io::Error::other)?;
        let nanoseconds = time.tv_nsec.try_into().map_err(io::Error::other)?;
        Ok(Duration::new(seconds, nanoseconds))
    }
}

/// Gives this thread, or its children, new namespaces.
pub(crate) fn unshare(namespaces: UnshareFlags) -> io::Result<()> {
    assert!(!namespaces.contains(UnshareFlags::FILES));
    // SAFETY: threads lose sight of each other's files by FILES alone.
    Ok(unsafe { unshare_unsafe(namespaces) }?)
}

/// Closes all files but standard input, output and error.
///
/// Only for a process that has opened no file itself: a value that owns one of these files breaks.
pub(crate) fn close_inherited_files() -> io::Result<()> {
    let open = std::fs::read_dir("/proc/self/fd")?;
    // The listing's own file is closed by the time it is closed here, which fails and does no harm.
    let numbers: Vec<i32> = open
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&number| number > 2)
        .collect();
    for number in numbers {
        // SAFETY: no value in this process owns the file, as the caller vouches.
        let _ = unsafe { libc::close(number) };
    }
    Ok(())
}

/// The largest resident size, in bytes, that any one descendant which was waited for has had.
pub(crate) fn peak_memory_of_children() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to an rusage of our own, whose fields are numbers that may all be 0.
    let kilobytes = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init().ru_maxrss
    };
    u64::try_from(kilobytes).unwrap_or(0) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_a_process_counts_its_work_and_not_its_sleep() {
        let clock = ProcessClock::of(std::process::id()).unwrap();
        let before = clock.now().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let after_sleep = clock.now().unwrap();
        while clock.now().unwrap() < after_sleep + Duration::from_millis(20) {
            std::hint::spin_loop();
        }
        assert!(after_sleep - before < Duration::from_millis(50));
    }

    #[test]
    fn a_process_that_is_gone_has_no_clock() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let clock = ProcessClock::of(child.id()).unwrap();
        child.wait().unwrap();
        assert!(clock.now().is_err());
        assert!(ProcessClock::of(child.id()).is_err());
    }

    #[test]
    fn the_peak_of_a_child_is_known_once_it_was_waited_for() {
        let script = "x=$(head -c 40000000 /dev/zero | tr '\\0' a); test -n \"$x\"";
        let done = std::process::Command::new("sh")
            .args(["-c", script])
            .status();
        assert!(done.unwrap().success());
        assert!(peak_memory_of_children() > 40_000_000);
    }
}
