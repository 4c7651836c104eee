//! Bots that continue while their opponent is to think, and what one does to the opponent meanwhile.
//!
//! Helpers are forked and not executed, so that they share a counter with the bot. They are ended with it.
#![allow(unsafe_code)] // Most are system calls that rustix has no safe function for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What the bot and its helpers share.
#[derive(Debug)]
struct Shared {
    /// In how many different milliseconds a helper has run.
    milliseconds: AtomicU64,
    /// The last of them.
    last: AtomicU64,
}

/// What the helpers of a bot do to go on.
pub(crate) fn go_on(way: &str) {
    let (way, count) = way.split_once('=').unwrap_or((way, "3"));
    let count = count.parse().unwrap_or(3);
    let shared = share();
    let began = Instant::now();
    let step = move || shared.tick(began);
    match way {
        "spins" => shared.help(count, || {
            loop {
                step();
            }
        }),
        "splits-locks" => shared.help(count, || split_locks(step)),
        _ => panic!("no such way: {way}"),
    }
    let mut idle_since = None;
    crate::play(|mv| {
        if let Some((asked, before)) = idle_since {
            let now = shared.milliseconds.load(Ordering::SeqCst);
            let idle = Instant::duration_since(&Instant::now(), asked).as_millis();
            eprintln!("went on for {} of {idle} ms", now - before);
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
        idle_since = Some((Instant::now(), now));
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

    /// Starts so many helpers.
    fn help(&self, count: usize, work: impl Fn()) {
        for _ in 0..count {
            // SAFETY: this process has one thread.
            if unsafe { libc::fork() } == 0 {
                work();
                std::process::exit(0);
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

/// Does this in a second thread, and ends the first alone.
pub(crate) fn go_on_without_first_thread(work: fn()) {
    std::thread::spawn(move || {
        work();
        std::process::exit(0);
    });
    end_thread();
}

/// Ends this thread alone: the process goes on without its first.
fn end_thread() {
    // SAFETY: nobody waits for this thread, and nothing that it owns is used by others.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
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
