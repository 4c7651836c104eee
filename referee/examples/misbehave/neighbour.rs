//! Bots that disturb the other side through what the referee reads of them.
#![allow(unsafe_code)] // Most are system calls that rustix has no safe function for.

use std::thread;

/// What threads fight over: the more pages of it are there, the longer each change of its rights takes. It is less than a
/// bot may have.
const REGION: usize = 512 << 20;
const TOUCHED: usize = 384 << 20;
const PAGE: usize = 4096;

/// Holds the pipe of its standard error, again and again: the second part of each write is on a page that is not there,
/// and the fault for it waits, with the pipe locked, for a lock that other threads keep busy.
pub(crate) fn hold_stderr() {
    let region = map(REGION);
    // SAFETY: it is mapped, and nobody else knows of it yet.
    unsafe { std::ptr::write_bytes(region as *mut u8, b'h', TOUCHED) };
    for _ in 0..3 {
        thread::spawn(move || {
            loop {
                for rights in [libc::PROT_READ, libc::PROT_READ | libc::PROT_WRITE] {
                    // SAFETY: nobody writes to the region any more.
                    unsafe { libc::mprotect(region as *mut _, REGION, rights) };
                }
            }
        });
    }
    thread::spawn(move || {
        let there = region + TOUCHED - PAGE;
        let part = |start: usize| libc::iovec {
            iov_base: start as *mut _,
            iov_len: PAGE,
        };
        for missing in (region + TOUCHED..region + REGION).step_by(PAGE).cycle() {
            let parts = [part(there), part(missing)];
            // SAFETY: both pages are mapped for good; one that was there is given back, and comes again by the fault.
            unsafe {
                libc::madvise(missing as *mut _, PAGE, libc::MADV_DONTNEED);
                libc::writev(2, parts.as_ptr(), 2);
            }
        }
    });
}

/// Memory that nobody has touched.
fn map(size: usize) -> usize {
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping overlaps nothing.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), size, rights, flags, -1, 0) };
    assert_ne!(start, libc::MAP_FAILED, "no memory to map");
    start as usize
}

/// Writes bytes to its standard error, one at a time, as fast as it can.
pub(crate) fn write_bytes() -> ! {
    loop {
        // SAFETY: the byte outlives the call.
        unsafe { libc::write(2, b"b".as_ptr().cast(), 1) };
    }
}
