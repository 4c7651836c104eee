//! Bots that go on while their opponent is to think: ways to leave the state in which a signal stops a process, and what
//! one does to the opponent meanwhile.
//!
//! Helpers are forked and not executed, so that they share a counter with the bot. They are ended with it.
#![allow(unsafe_code)] // Most are system calls that rustix has no safe function for.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What the bot and its helpers share.
#[derive(Debug)]
struct Shared {
    /// In how many different milliseconds a helper has run.
    milliseconds: AtomicU64,
    /// The last of them.
    last: AtomicU64,
    helpers: [AtomicI32; MOST],
}

const MOST: usize = 64;

/// Prepared so, a process takes milliseconds to exit, in which no signal stops it.
const SLOW: usize = 32 << 20;
const SLOWER: usize = 96 << 20;

/// What the helpers of a bot do to go on.
pub(crate) fn go_on(way: &str) {
    let (way, count) = way.split_once('=').unwrap_or((way, "3"));
    let count = count.parse().unwrap_or(3);
    let shared = share();
    let began = Instant::now();
    let step = move || shared.tick(began);
    match way {
        "spins" => shared.help(count, |_| {
            loop {
                step();
            }
        }),
        "spins-in-sessions" => shared.help(count, |_| {
            let _ = rustix::process::setsid();
            loop {
                step();
            }
        }),
        "splits-locks" => shared.help(count, |_| split_locks(step)),
        "signals" => shared.help(count, |send_to| continue_by_signals(send_to, step)),
        "exit-signals" => shared.help(1, |_| continue_by_exits(step)),
        "parents-death" => shared.help(1, |_| continue_by_parents(step)),
        "orphans" => shared.help(1, |_| continue_as_orphans(step)),
        "waits-for-vfork" => shared.help(1, |_| work_beside(step, wait_for_vfork)),
        "without-first-thread" => shared.help(1, |_| work_beside(step, end_thread)),
        _ => panic!("no such way: {way}"),
    }
    let mut idle_since = None;
    crate::play(|mv| {
        if let Some((asked, before, waited)) = idle_since {
            let now = shared.milliseconds.load(Ordering::SeqCst);
            let idle = Instant::duration_since(&Instant::now(), asked).as_millis();
            let waited = shared.waited() - waited;
            eprintln!(
                "went on for {} of {idle} ms, waited for a core for {waited}",
                now - before
            );
        } else {
            // Until the helpers are at work, unless they are kept from it.
            let deadline = Instant::now() + Duration::from_secs(2);
            while shared.milliseconds.load(Ordering::SeqCst) < 100 && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(10));
            }
            eprintln!(
                "at work for {} ms",
                shared.milliseconds.load(Ordering::SeqCst)
            );
        }
        let now = shared.milliseconds.load(Ordering::SeqCst);
        // Before it answers: it may stand still from then on.
        idle_since = Some((Instant::now(), now, shared.waited()));
        crate::say(mv);
    });
}

impl Shared {
    /// Notes that somebody runs now.
    fn tick(&self, began: Instant) {
        let now = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if self.last.swap(now, Ordering::SeqCst) < now {
            self.milliseconds.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// For how many milliseconds the first helper was ready to run while others had its core.
    fn waited(&self) -> u64 {
        let pid = self.helpers[0].load(Ordering::SeqCst);
        let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
        let waited = text.split(' ').nth(1).and_then(|text| text.parse().ok());
        waited.unwrap_or(0u64) / 1_000_000
    }

    /// Starts so many helpers; each is told of all of them, and of the bot.
    fn help(&self, count: usize, work: impl Fn(&[i32])) {
        let bot = rustix::process::getpid().as_raw_nonzero().get();
        for helper in &self.helpers[..count.min(MOST)] {
            // SAFETY: this process has one thread.
            match unsafe { libc::fork() } {
                0 => {
                    let known = || {
                        let others = self.helpers.iter().map(|pid| pid.load(Ordering::SeqCst));
                        std::iter::once(bot).chain(others.filter(|&pid| pid > 0))
                    };
                    while known().count() <= count {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    work(&known().collect::<Vec<_>>());
                    std::process::exit(0)
                }
                pid => helper.store(pid, Ordering::SeqCst),
            }
        }
    }
}

fn share() -> &'static Shared {
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
    let (nowhere, size) = (std::ptr::null_mut(), size_of::<Shared>());
    // SAFETY: a new mapping overlaps nothing and is full of zeros, which are counters; it is never given back.
    unsafe {
        let start = libc::mmap(nowhere, size, rights, flags, -1, 0);
        assert_ne!(start, libc::MAP_FAILED, "no memory to share");
        &*start.cast()
    }
}

/// By each call that sends a signal.
fn continue_process(pid: i32) {
    let signal = libc::SIGCONT;
    // SAFETY: the information is all zeros but for its kind, which is that of `sigqueue`.
    unsafe {
        let mut told: libc::siginfo_t = std::mem::zeroed();
        (told.si_signo, told.si_code) = (signal, libc::SI_QUEUE);
        let told = &raw const told;
        libc::kill(pid, signal);
        libc::syscall(libc::SYS_tkill, pid, signal);
        libc::syscall(libc::SYS_tgkill, pid, pid, signal);
        libc::syscall(libc::SYS_rt_sigqueueinfo, pid, signal, told);
        libc::syscall(libc::SYS_rt_tgsigqueueinfo, pid, pid, signal, told);
        let open = libc::syscall(libc::SYS_pidfd_open, pid, 0);
        libc::syscall(libc::SYS_pidfd_send_signal, open, signal, 0, 0);
        if let Ok(open) = i32::try_from(open) {
            libc::close(open);
        }
    }
}

/// Has children send the signals, too: who looks for processes to stop does not know of one that was just born.
fn continue_by_signals(send_to: &[i32], step: impl Fn()) {
    let send = || send_to.iter().for_each(|&pid| continue_process(pid));
    loop {
        step();
        send();
        // SAFETY: this process has one thread; the child sends signals and exits.
        unsafe {
            if libc::fork() == 0 {
                (0..100).for_each(|_| send());
                libc::_exit(0);
            }
            while libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) == 0 {
                step();
            }
        }
    }
}

/// Has memory that takes long to give back.
fn become_slow_to_exit(memory: usize) {
    std::mem::forget(std::hint::black_box(vec![1_u8; memory]));
}

/// Children that exit slowly tell that to their parent by the signal that continues it.
fn continue_by_exits(step: impl Fn()) {
    become_slow_to_exit(SLOWER);
    loop {
        step();
        // SAFETY: without flags it is a fork that ends with this signal; the child does nothing but exit.
        unsafe {
            match libc::syscall(libc::SYS_clone, libc::SIGCONT, 0, 0, 0, 0) {
                0 => libc::_exit(0),
                -1 => return refused("clone"),
                pid => {
                    let pid = i32::try_from(pid).expect("a pid");
                    while libc::waitpid(pid, std::ptr::null_mut(), libc::__WCLONE | libc::WNOHANG)
                        == 0
                    {
                        step();
                    }
                }
            }
        }
    }
}

/// Each, when it ends, has the next be sent the signal, which asked for it.
fn continue_by_parents(step: impl Fn()) {
    work_in_turn(step, || {
        // SAFETY: it has no pointers.
        let asked = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGCONT) } != -1;
        if !asked {
            refused("prctl");
        }
        asked
    });
}

/// The same by process groups: of one that becomes an orphan and has stopped members, the kernel continues these.
fn continue_as_orphans(step: impl Fn()) {
    let _ = rustix::process::setsid();
    // SAFETY: it runs no code of ours; what this process ignores, its children ignore.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    // SAFETY: it has no pointers.
    work_in_turn(step, || unsafe { libc::setpgid(0, 0) } == 0);
}

/// Each forks the next and exits slowly. That one gets ready, or ends, and works until its parent has ended: were more than two
/// of them there at a time, they could together have more memory than the contest allows, and lose the game.
fn work_in_turn(step: impl Fn(), get_ready: impl Fn() -> bool) {
    become_slow_to_exit(SLOW);
    loop {
        step();
        let parent = rustix::process::getpid();
        // SAFETY: this process has one thread.
        unsafe {
            match libc::fork() {
                // There are too many until some that have ended are reaped.
                -1 => continue,
                0 => {}
                _ => libc::_exit(0),
            }
        }
        if !get_ready() {
            return;
        }
        while rustix::process::getppid() == Some(parent) {
            step();
        }
    }
}

/// Works in a second thread, while the first does something else.
fn work_beside(step: impl Fn() + Send + 'static, first: fn()) {
    std::thread::spawn(move || {
        loop {
            step();
        }
    });
    first();
}

/// Does this in a second thread, and ends the first alone.
pub(crate) fn go_on_without_first_thread(work: fn()) {
    std::thread::spawn(move || {
        work();
        std::process::exit(0);
    });
    end_thread();
}

/// Waits in the kernel for a child that shares this one's memory, where no signal reaches this thread.
fn wait_for_vfork() {
    extern "C" fn sleep(_: *mut libc::c_void) -> libc::c_int {
        loop {
            // SAFETY: it has no pointers.
            unsafe { libc::pause() };
        }
    }
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let mut stack = vec![0_u128; 1 << 12];
    // SAFETY: the child has the stack for itself, and sleeps on it while this thread waits.
    unsafe {
        let end = stack.as_mut_ptr_range().end;
        libc::clone(sleep, end.cast(), flags, std::ptr::null_mut());
    }
    refused("clone");
}

/// Ends this thread alone: the process goes on without its first.
fn end_thread() {
    // SAFETY: nobody waits for this thread, and nothing that it owns is used by others.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
}

fn refused(call: &str) {
    eprintln!("refused: {call}: {}", std::io::Error::last_os_error());
}

/// Locks the bus of the machine: an atomic addition to a number that lies on two lines of the cache.
fn split_locks(step: impl Fn()) {
    #[repr(align(64))]
    struct Lines([u8; 128]);
    let mut lines = Lines([0; 128]);
    let number = lines.0[62..].as_mut_ptr();
    loop {
        step();
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the four bytes are this function's own.
        unsafe {
            std::arch::asm!("lock add dword ptr [{0}], 1", in(reg) number);
        }
        std::hint::black_box(number);
    }
}
