//! Ways to exit or crash, to ignore a shutdown, and to leave child processes behind.

use rustix::fs::{Mode, OFlags};
use rustix::process::{Signal, getpid, kill_process, setsid};
use rustix::time::{ClockId, clock_gettime};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Closes the pipe of standard output; its number stays taken.
pub(crate) fn close_output() -> rustix::io::Result<()> {
    let nothing = rustix::fs::open("/dev/null", OFlags::WRONLY, Mode::empty())?;
    rustix::stdio::dup2_stdout(nothing)
}

pub(crate) fn close_input() -> rustix::io::Result<()> {
    let nothing = rustix::fs::open("/dev/null", OFlags::RDONLY, Mode::empty())?;
    rustix::stdio::dup2_stdin(nothing)
}

pub(crate) fn segfault() {
    // The runtime's handler for stack overflows takes the first one and then uninstalls itself.
    loop {
        let _ = kill_process(getpid(), Signal::SEGV);
    }
}

/// Another process kills this one, as an administrator might.
pub(crate) fn killed_by_another() {
    let _ = Command::new("/bin/sh")
        .args(["-c", "kill -KILL $PPID"])
        .stdin(Stdio::null())
        .status();
}

pub(crate) fn ignore_sigterm() {
    let raised = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGTERM, raised).expect("a handler");
}

/// How long a process waits before it spins apart: until all of them are there.
pub(crate) const BEFORE_SPINNING: Duration = Duration::from_millis(500);

/// Spins in a session of its own, with which the kernel shares out processor time as with any other.
pub(crate) fn spin_apart(after: Duration) -> ! {
    let _ = setsid();
    std::thread::sleep(after);
    spin()
}

/// The file that tells this bot's processes to spin.
fn told() -> PathBuf {
    std::env::temp_dir().join("spin")
}

pub(crate) fn tell_to_spin() {
    let _ = std::fs::write(told(), "");
}

/// The same once it is told to.
pub(crate) fn spin_once_told() -> ! {
    let _ = setsid();
    while !told().exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    spin()
}

pub(crate) fn spin() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

/// Runs `todo` beside a thread that ticks every millisecond. The function passed to `todo` gives the longest gap
/// between ticks since its last call, in milliseconds.
pub(crate) fn restless(todo: impl FnOnce(&dyn Fn() -> u64)) {
    let (longest, ticks) = (AtomicU64::new(0), AtomicU64::new(0));
    let clock = Arc::new((longest, ticks));
    let ticking = clock.clone();
    std::thread::spawn(move || {
        loop {
            let before = Instant::now();
            std::thread::sleep(Duration::from_millis(1));
            let gap = u64::try_from(before.elapsed().as_millis()).unwrap_or(u64::MAX);
            ticking.0.fetch_max(gap, Ordering::SeqCst);
            ticking.1.fetch_add(1, Ordering::SeqCst);
        }
    });
    todo(&|| {
        // The next tick measures the gap up to now.
        let ticked = clock.1.load(Ordering::SeqCst);
        while clock.1.load(Ordering::SeqCst) == ticked {
            std::thread::sleep(Duration::from_millis(1));
        }
        clock.0.swap(0, Ordering::SeqCst)
    });
}

/// Spins until this process has used so much more processor time.
pub(crate) fn work(time: Duration) {
    let used = || {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    };
    let enough = used() + time;
    while used() < enough {
        std::hint::spin_loop();
    }
}

/// Walks through memory that no cache of a core holds, for so many millions of steps; gives how long that took.
pub(crate) fn steps(millions: usize) -> Duration {
    const SIZE: usize = 8 << 20;
    let memory = vec![1_u32; SIZE];
    let (began, mut place) = (Instant::now(), 0);
    for _ in 0..millions * 1_000_000 {
        place = (place * 5 + memory[place % SIZE] as usize) % SIZE;
    }
    std::hint::black_box(place);
    began.elapsed()
}

/// Starts this program for another case, with all three pipes inherited and the same tag.
pub(crate) fn leave_child(case: &str) {
    if let Ok(mut command) = myself(case) {
        let _ = command.spawn();
    }
}

/// Leaves the session and the process group, and starts a child there, which is orphaned twice.
pub(crate) fn leave_session() {
    let _ = setsid();
    leave_child("stay");
}

pub(crate) fn fork_bomb() -> ! {
    loop {
        leave_child("forks-on");
    }
}

/// Takes memory and touches it.
pub(crate) fn eat_memory(megabytes: &str) {
    let mut eaten: Vec<Vec<u8>> = Vec::new();
    for _ in 0..megabytes.parse().unwrap_or(0u64) {
        eaten.push(vec![1; 1 << 20]);
    }
    eprintln!("escaped: ate {} MB", eaten.len());
}

fn myself(case: &str) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    // What follows the case is the tag by which the tests find their processes.
    command.arg(case).args(std::env::args().skip(2));
    Ok(command)
}
