//! Attempts to disturb what is outside the sandbox without leaving it: by what the kernel counts for each user, by
//! locks and attributes of files, by schedulers and limits of other processes.
#![allow(unsafe_code)] // Most are system calls that rustix has no safe function for.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Makes one attempt; `None` if there is none of that name.
pub(crate) fn make(what: &str, value: &str) -> Option<io::Result<()>> {
    Some(match what {
        "stat" => std::fs::symlink_metadata(value).map(drop),
        "finds" => find(Path::new(value)),
        "finds-group" => find_group(Path::new("/sys/fs/cgroup")),
        "lists-socket" => lists_socket(value),
        "reads-of-parent" => std::fs::read(format!("/proc/{}/{value}", parent_id())).map(drop),
        "watch" => watch(),
        "flush" => flush(value),
        "share-core" => share_core(),
        "timer" => timer(),
        "asynchronous" => asynchronous(),
        "large-pipe" => large_pipe(),
        "in-flight" => fill_flight(),
        "flags" => request(value, FS_IOC_SETFLAGS),
        "version" => request(value, FS_IOC_SETVERSION),
        "lock" => lock(value),
        "record-lock" => control(value, libc::F_OFD_SETLK, &raw const RECORD as usize),
        "lease" => control(value, libc::F_SETLEASE, libc::F_RDLCK as usize),
        "idle-parent" => idle(parent_id()),
        "nice-parent" => nice(parent_id()),
        "limit-parent" => limit(parent_id()),
        "idle" => number(value).and_then(idle),
        "limit" => number(value).and_then(limit),
        "stop-parent" => stop(parent_id()),
        "own-user" => own_user(value),
        "asks-what-is-read" => ask_what_is_read(value),
        "asks-what-is-mapped" => ask_what_is_mapped(value),
        "forgets-file" => advise(value, libc::POSIX_FADV_DONTNEED),
        "fetches-file" => advise(value, libc::POSIX_FADV_WILLNEED),
        "sends-message" => number(value).and_then(send_message),
        "adds-to-semaphore" => number(value).and_then(add_to_semaphore),
        "asks-of-queue" => number(value).and_then(ask_of_queue),
        _ => return None,
    })
}

/// Reads what of a file is in memory without waiting for the rest: a kernel that does not tell says that it cannot.
fn ask_what_is_read(path: &str) -> io::Result<()> {
    let file = File::open(path)?;
    let mut byte = 0_u8;
    let part = libc::iovec {
        iov_base: (&raw mut byte).cast(),
        iov_len: 1,
    };
    // SAFETY: the vector names one byte of this function.
    let read = unsafe { libc::preadv2(file.as_raw_fd(), &raw const part, 1, 0, libc::RWF_NOWAIT) };
    match outcome(read as i64) {
        // Not in memory: told as well.
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
        done => done,
    }
}

/// Asks which pages of a mapped file are in memory.
fn ask_what_is_mapped(path: &str) -> io::Result<()> {
    let file = File::open(path)?;
    let mut pages = [0_u8];
    // SAFETY: a mapping of its own, of one page, and one byte for the answer.
    unsafe {
        let (length, flags) = (1, libc::MAP_PRIVATE);
        let nowhere = std::ptr::null_mut();
        let page = libc::mmap(nowhere, length, libc::PROT_READ, flags, file.as_raw_fd(), 0);
        if page == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        outcome(libc::mincore(page, length, pages.as_mut_ptr()).into())
    }
}

fn advise(path: &str, advice: i32) -> io::Result<()> {
    let file = File::open(path)?;
    // SAFETY: it has numbers alone.
    match unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, advice) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Sends to the queue of this number, which another has made.
fn send_message(queue: u32) -> io::Result<()> {
    let message = [1_i64, 0];
    // SAFETY: a kind and eight bytes of text.
    let sent = unsafe {
        let message = (&raw const message).cast();
        libc::msgsnd(queue.cast_signed(), message, 8, libc::IPC_NOWAIT)
    };
    outcome(sent.into())
}

fn add_to_semaphore(semaphores: u32) -> io::Result<()> {
    let mut one_more = libc::sembuf {
        sem_num: 0,
        sem_op: 1,
        sem_flg: 0,
    };
    // SAFETY: one operation.
    outcome(unsafe { libc::semop(semaphores.cast_signed(), &raw mut one_more, 1) }.into())
}

fn ask_of_queue(queue: u32) -> io::Result<()> {
    let mut state = MaybeUninit::<libc::msqid_ds>::zeroed();
    // SAFETY: it writes what it is given room for.
    let asked = unsafe { libc::msgctl(queue.cast_signed(), libc::IPC_STAT, state.as_mut_ptr()) };
    outcome(asked.into())
}

/// `_IOW('f', 2, long)` and `_IOW('v', 2, long)` of linux/fs.h.
const FS_IOC_SETFLAGS: u64 = 0x4008_6602;
const FS_IOC_SETVERSION: u64 = 0x4008_7602;

/// A lock for reading on a whole file.
static RECORD: libc::flock = libc::flock {
    l_type: libc::F_RDLCK as i16,
    l_whence: libc::SEEK_SET as i16,
    l_start: 0,
    l_len: 0,
    l_pid: 0,
};

/// Writes into files that have no name any more, and says how much went in.
pub(crate) fn hide_files() {
    let folder = std::env::temp_dir();
    let block = vec![7; 16 << 20];
    for number in 0..25 {
        let path = folder.join(format!("hidden-{number}"));
        let written = File::create(&path).and_then(|mut file| {
            std::fs::remove_file(&path)?;
            file.write_all(&block)?;
            Ok(file)
        });
        match written {
            Ok(file) => std::mem::forget(file),
            Err(error) => {
                eprintln!("refused: hid files: after {} MB: {error}", number * 16);
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    eprintln!("escaped: hid 400 MB");
}

/// The same in a thread whose open files are not its process's.
pub(crate) fn hide_files_in_thread() {
    extern "C" fn hide(_: *mut libc::c_void) -> libc::c_int {
        hide_files();
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    let flags = libc::CLONE_VM | libc::CLONE_SIGHAND | libc::CLONE_THREAD | libc::CLONE_FS;
    let stack = vec![0_u128; 1 << 14].leak();
    // SAFETY: the thread has the stack for itself, and this one, whose thread-local variables it uses, does nothing meanwhile.
    let made = unsafe {
        let end = stack.as_mut_ptr_range().end;
        libc::clone(hide, end.cast(), flags, std::ptr::null_mut())
    };
    if made == -1 {
        eprintln!("refused: hid files: {}", io::Error::last_os_error());
    } else {
        std::thread::sleep(Duration::from_secs(3));
    }
}

/// Leaves the session, ticks every millisecond, and writes down how often it has and the longest gap between ticks.
pub(crate) fn tick_in_session() -> ! {
    let _ = rustix::process::setsid();
    let (mut last, mut longest) = (Instant::now(), 0);
    let unfinished = gap_file().with_extension("new");
    for ticks in 1_u64.. {
        std::thread::sleep(Duration::from_millis(1));
        let now = Instant::now();
        longest = longest.max((now - last).as_millis());
        last = now;
        let _ = std::fs::write(&unfinished, format!("{ticks} {longest}"));
        let _ = std::fs::rename(&unfinished, gap_file());
    }
    unreachable!("it ticks for millions of years")
}

/// The longest gap that a process that ticks has written down.
pub(crate) fn longest_gap() -> String {
    let written = || {
        let text = std::fs::read_to_string(gap_file()).ok()?;
        let (ticks, longest) = text.split_once(' ')?;
        Some((ticks.parse::<u64>().ok()?, longest.to_string()))
    };
    // The first tick after a gap may have been under way before it, and the second writes it down.
    let before = written().map_or(0, |(ticks, _)| ticks);
    loop {
        match written() {
            Some((ticks, longest)) if ticks >= before + 2 => return longest,
            _ => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn gap_file() -> PathBuf {
    std::env::temp_dir().join("longest-gap")
}

/// What a call came to that gives -1 for an error.
fn outcome(result: i64) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn number(value: &str) -> io::Result<u32> {
    value.parse().map_err(io::Error::other)
}

/// Looks for a name in the listing of its folder.
fn find(path: &Path) -> io::Result<()> {
    let folder = path.parent().ok_or(ErrorKind::NotFound)?;
    let mut names = std::fs::read_dir(folder)?.flatten();
    let found = names.any(|entry| Some(entry.file_name().as_os_str()) == path.file_name());
    found.then_some(()).ok_or(ErrorKind::NotFound.into())
}

/// Looks for any program's control group.
fn find_group(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)?.flatten() {
        let name = entry.file_name();
        let is_group = name.as_encoded_bytes().starts_with(b"crownhead-");
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_group || is_folder && find_group(&entry.path()).is_ok() {
            return Ok(());
        }
    }
    Err(ErrorKind::NotFound.into())
}

fn lists_socket(name: &str) -> io::Result<()> {
    let listed = std::fs::read_to_string("/proc/net/unix")?.contains(name);
    listed.then_some(()).ok_or(ErrorKind::NotFound.into())
}

/// Has all that others have written to a file system go to its disk, and waits for that.
fn flush(path: &str) -> io::Result<()> {
    let file = File::open(path)?;
    // SAFETY: it has no pointers.
    outcome(unsafe { libc::syncfs(file.as_raw_fd()) }.into())
}

/// Keeps others from the second thread of this core.
fn share_core() -> io::Result<()> {
    const PR_SCHED_CORE: i32 = 62;
    const CREATE: usize = 1;
    // SAFETY: for this thread alone, and no room for an answer.
    outcome(unsafe { libc::prctl(PR_SCHED_CORE, CREATE, 0_usize, 0_usize, 0_usize) }.into())
}

fn watch() -> io::Result<()> {
    // SAFETY: it has no pointers.
    outcome(unsafe { libc::inotify_init1(libc::IN_CLOEXEC) }.into())
}

fn timer() -> io::Result<()> {
    let mut timer = MaybeUninit::<libc::timer_t>::uninit();
    // SAFETY: the pointer is to a timer id of our own; no event is the usual signal.
    let done = unsafe {
        libc::timer_create(
            libc::CLOCK_MONOTONIC,
            std::ptr::null_mut(),
            timer.as_mut_ptr(),
        )
    };
    outcome(done.into())
}

fn asynchronous() -> io::Result<()> {
    let mut context = 0_u64;
    // SAFETY: the pointer is to a context of our own.
    outcome(unsafe { libc::syscall(libc::SYS_io_setup, 1024, &raw mut context) })
}

fn large_pipe() -> io::Result<()> {
    let (end, _other) = io::pipe()?;
    control_open(end.as_fd(), libc::F_SETPIPE_SZ, 1 << 20)
}

/// Sends open files over sockets and takes none out, until the kernel accepts no more of this user's; they stay there.
fn fill_flight() -> io::Result<()> {
    let file = File::open("/dev/null")?;
    let files = [file.as_fd(); 250];
    for _ in 0..8 {
        let (one, other) = UnixStream::pair()?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(250))];
        let mut ancillary = rustix::net::SendAncillaryBuffer::new(&mut space);
        ancillary.push(rustix::net::SendAncillaryMessage::ScmRights(&files));
        let flags = rustix::net::SendFlags::empty();
        rustix::net::sendmsg(&one, &[io::IoSlice::new(b"x")], &mut ancillary, flags)?;
        std::mem::forget((one, other));
    }
    Ok(())
}

fn request(path: &str, request: u64) -> io::Result<()> {
    let file = File::open(path)?;
    let value = 0x80_u64;
    // SAFETY: the pointer is to a number of our own, which the kernel reads.
    outcome(unsafe { libc::ioctl(file.as_raw_fd(), request as _, &raw const value) }.into())
}

/// Locks a file, and looks whether others are locked out.
fn lock(path: &str) -> io::Result<()> {
    let lock = || {
        let file = File::open(path)?;
        // SAFETY: it has no pointers.
        let done = unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) };
        outcome(done.into()).map(|()| file)
    };
    let _locked = lock()?;
    match lock() {
        Ok(_) => Err(io::Error::other("nobody is locked out")),
        Err(_) => Ok(()),
    }
}

/// The file stays open, and what is done to it in force.
fn control(path: &str, command: i32, value: usize) -> io::Result<()> {
    let file = File::open(path)?;
    let done = control_open(file.as_fd(), command, value);
    std::mem::forget(file);
    done
}

fn control_open(file: BorrowedFd<'_>, command: i32, value: usize) -> io::Result<()> {
    // SAFETY: the value is a number, or the address of a static that the kernel reads.
    outcome(unsafe { libc::fcntl(file.as_raw_fd(), command, value) }.into())
}

/// Gives a process only what no other wants of the processor.
fn idle(pid: u32) -> io::Result<()> {
    let parameter = libc::sched_param { sched_priority: 0 };
    // SAFETY: the pointer is to a parameter of our own.
    let done = unsafe {
        libc::sched_setscheduler(pid.cast_signed(), libc::SCHED_IDLE, &raw const parameter)
    };
    outcome(done.into())
}

fn nice(pid: u32) -> io::Result<()> {
    // SAFETY: it has no pointers.
    outcome(unsafe { libc::setpriority(libc::PRIO_PROCESS, pid, 19) }.into())
}

/// Lets a process open no file.
fn limit(pid: u32) -> io::Result<()> {
    let limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 4096,
    };
    // SAFETY: the pointer is to a limit of our own.
    let done = unsafe {
        libc::prlimit(
            pid.cast_signed(),
            libc::RLIMIT_NOFILE,
            &raw const limit,
            std::ptr::null_mut(),
        )
    };
    outcome(done.into())
}

fn stop(pid: u32) -> io::Result<()> {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).ok_or(ErrorKind::NotFound)?;
    Ok(rustix::process::kill_process(
        pid,
        rustix::process::Signal::STOP,
    )?)
}

/// Whether this process belongs to a user other than this one.
fn own_user(other: &str) -> io::Result<()> {
    let user = rustix::process::getuid().as_raw();
    (user != number(other)?)
        .then_some(())
        .ok_or(ErrorKind::AlreadyExists.into())
}
