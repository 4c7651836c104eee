//! Ways to use memory that no resident size of a process shows, or not all of it.
//!
//! Each says `escaped:` on standard error once it holds so many megabytes, or `refused:` when it is told no before.
#![allow(unsafe_code)] // Mapping and giving back pages are system calls for which rustix has no safe function.

use rustix::fs::MemfdFlags;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;

/// Half of what a file in the sandbox may have.
const PIECE: usize = 32 << 20;

/// What is written at once.
static BLOCK: [u8; 1 << 16] = [1; 1 << 16];

/// Takes so many megabytes by `take`, which is told how many it shall be and keeps what it takes.
pub(crate) fn eat(megabytes: &str, what: &str, take: fn(usize) -> io::Result<()>) {
    let wanted = megabytes.parse::<usize>().unwrap_or(0) << 20;
    let done = (0..wanted).step_by(PIECE).try_for_each(|_| take(PIECE));
    match done {
        Ok(()) => eprintln!("escaped: {what}: {megabytes} MB"),
        Err(error) => eprintln!("refused: {what}: {error}"),
    }
}

/// Files without names, which no process has mapped.
pub(crate) fn nameless_file(size: usize) -> io::Result<()> {
    let mut file = File::from(rustix::fs::memfd_create("eaten", MemfdFlags::CLOEXEC)?);
    // In small blocks: the kernel, short of memory, kills the largest process.
    (0..size)
        .step_by(BLOCK.len())
        .try_for_each(|_| file.write_all(&BLOCK))?;
    std::mem::forget(file);
    Ok(())
}

/// Memory that could be shared with children; its pages leave this process's tables once they were written.
pub(crate) fn shared(size: usize) -> io::Result<()> {
    let (access, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_SHARED | libc::MAP_ANONYMOUS,
    );
    // SAFETY: the kernel chooses a place that nothing else uses, and the bytes written are those of the mapping.
    unsafe {
        let start = libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0);
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        start.cast::<u8>().write_bytes(1, size);
        libc::madvise(start, size, libc::MADV_DONTNEED);
    }
    Ok(())
}

/// Fills as many pairs of sockets as this process can open, which nobody reads.
pub(crate) fn fill_sockets() {
    let mut filled = 0;
    while let Ok((mut one, mut other)) = UnixStream::pair() {
        for socket in [&mut one, &mut other] {
            let _ = socket.set_nonblocking(true);
            while let Ok(written) = socket.write(&BLOCK) {
                filled += written;
            }
        }
        std::mem::forget((one, other));
    }
    eprintln!("escaped: sockets: {} MB", filled >> 20);
}
