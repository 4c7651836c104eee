//! The system calls for which rustix has no safe function: the only unsafe code in the workspace's libraries.
//!
//! nix has these, but no capabilities or pidfds. It returns received files as bare numbers, which only unsafe code can
//! own (nix 0.31).
#![allow(unsafe_code)]

use rustix::process::{Pid, Signal};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// The processor time that one process has used, all its threads together and without its children.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessClock(libc::clockid_t);

impl ProcessClock {
    /// The clock of the process with this pid.
    ///
    /// # Errors
    /// When there is no such process.
    pub(super) fn of(pid: u32) -> io::Result<ProcessClock> {
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
    pub(super) fn now(&self) -> io::Result<Duration> {
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

/// Gives this process new namespaces.
pub(super) fn unshare(namespaces: UnshareFlags) -> io::Result<()> {
    assert!(!namespaces.contains(UnshareFlags::FILES));
    // SAFETY: only FILES makes threads lose each other's files.
    Ok(unsafe { unshare_unsafe(namespaces) }?)
}

/// Forks this process, which must have only one thread. The child is in new namespaces. Returns the child's pid, and
/// nothing in the child.
///
/// # Errors
/// When the process has more threads, or the system refuses.
pub(super) fn fork(namespaces: UnshareFlags) -> io::Result<Option<Pid>> {
    // Does nothing, or fails in a process with threads (unshare(2)).
    unshare(UnshareFlags::from_bits_retain(libc::CLONE_THREAD as u32))
        .map_err(|_| io::Error::other("a process with threads is not forked"))?;
    let flags = libc::c_ulong::from(namespaces.bits()) | libc::SIGCHLD as libc::c_ulong;
    // SAFETY: without a stack of its own, the child continues with a copy of this one, as after fork(2). Without other
    // threads, no lock is held in it forever.
    match unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        pid => {
            let pid = i32::try_from(pid).expect("the kernel's own number");
            Ok(Pid::from_raw(pid))
        }
    }
}

/// Attributes of mounts (mount_setattr(2)).
pub(super) const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY;
pub(super) const NO_SET_ID: u64 = libc::MOUNT_ATTR_NOSUID;
pub(super) const NO_DEVICES: u64 = libc::MOUNT_ATTR_NODEV;

/// Adds attributes to a mount, and with `AT_RECURSIVE` to all below it. With `mapping`, a user namespace, owners of
/// files are shown as it maps them.
pub(super) fn set_mount_attributes(
    mount: impl AsFd,
    flags: i32,
    attributes: u64,
    mapping: Option<BorrowedFd<'_>>,
) -> io::Result<()> {
    let change = libc::mount_attr {
        attr_set: attributes | mapping.map_or(0, |_| libc::MOUNT_ATTR_IDMAP),
        attr_clr: 0,
        propagation: 0,
        userns_fd: mapping.map_or(0, |mapping| mapping.as_raw_fd() as u64),
    };
    // SAFETY: both pointers are to values of our own, with their sizes; the kernel only reads them.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_fd().as_raw_fd(),
            c"".as_ptr(),
            flags | libc::AT_EMPTY_PATH,
            &raw const change,
            size_of_val(&change),
        )
    };
    result_of(done)
}

/// Applies a Landlock ruleset to this thread and its children, for good.
pub(super) fn restrict_thread(ruleset: &OwnedFd) -> io::Result<()> {
    // SAFETY: it has no pointers.
    result_of(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) })
}

/// Sends a signal to one thread of a process (tgkill(2)).
pub(super) fn send_signal_to_thread(process: Pid, thread: Pid, signal: Signal) -> io::Result<()> {
    let [process, thread] = [process, thread].map(|number| number.as_raw_nonzero().get());
    // SAFETY: it has no pointers.
    result_of(unsafe { libc::syscall(libc::SYS_tgkill, process, thread, signal.as_raw()) })
}

fn result_of(done: libc::c_long) -> io::Result<()> {
    match done {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Closes all files but standard input, output and error.
///
/// Only for a process that has opened no file itself, because a value that owns one of these files would break.
pub(super) fn close_inherited_files() -> io::Result<()> {
    let open = std::fs::read_dir("/proc/self/fd")?.flatten();
    // The file of the listing is closed already; closing it again fails and does no harm.
    let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let numbers: Vec<i32> = numbers.collect();
    for number in numbers.into_iter().filter(|&number| number > 2) {
        // SAFETY: no value in this process owns the file, as the caller vouches.
        let _ = unsafe { libc::close(number) };
    }
    Ok(())
}

/// The largest resident size, in bytes, of any descendant that was waited for.
pub(super) fn peak_memory_of_children() -> u64 {
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
        use super::super::threads::{Activity, PipeName, Thread};
        use std::io::Write;
        // Uses a separate process, because other tests run in this one.
        let mut child = std::process::Command::new("sh")
            .args(["-c", "read line; while :; do :; done"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let clock = ProcessClock::of(child.id()).unwrap();
        let mut input = child.stdin.take().unwrap();
        let pipe = PipeName::of(&input).unwrap();
        let (process, id) = (child.id(), child.id());
        let deadline = std::time::Instant::now() + Duration::from_secs(60);
        while (Thread { process, id }).activity(&pipe) != Activity::ReadsInput {
            assert!(std::time::Instant::now() < deadline, "it does not wait");
            std::thread::sleep(Duration::from_millis(1));
        }
        let [asleep, still_asleep] = [(); 2].map(|()| clock.now().unwrap());
        input.write_all(b"\n").unwrap();
        let mut worked = Duration::ZERO;
        while worked < Duration::from_millis(20) && std::time::Instant::now() < deadline {
            worked = clock.now().unwrap() - asleep;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(asleep, still_asleep);
        assert!(worked >= Duration::from_millis(20), "{worked:?}");
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
