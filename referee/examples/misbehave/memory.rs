//! Ways to use memory that no resident size of a process shows, or not all of it.
//!
//! Each says `escaped:` on standard error once it holds so many megabytes, or `refused:` when it is told no before.
#![allow(unsafe_code)] // Mapping and giving back pages are system calls for which rustix has no safe function.

use rustix::fs::MemfdFlags;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use std::fs::File;
use std::io::{self, IoSlice, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd};
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

/// One page of each huge page in a pipe, after which no process has any of them.
pub(crate) fn pages_in_pipe(size: usize) -> io::Result<()> {
    const HUGE: usize = 2 << 20;
    let pipe = io::pipe()?;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: the kernel chooses a place that nothing else uses, and the bytes written are those of the mapping.
    unsafe {
        let start = libc::mmap(std::ptr::null_mut(), size + HUGE, access, kind, -1, 0);
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let pages = start.byte_add(start.align_offset(HUGE));
        libc::madvise(pages, size, libc::MADV_HUGEPAGE);
        for offset in (0..size).step_by(HUGE) {
            let page = pages.byte_add(offset);
            page.cast::<u8>().write(1);
            let part = libc::iovec {
                iov_base: page,
                iov_len: 4096,
            };
            let flags = libc::SPLICE_F_NONBLOCK;
            if libc::vmsplice(pipe.1.as_raw_fd(), &raw const part, 1, flags) == -1 {
                return Err(io::Error::last_os_error());
            }
        }
        libc::munmap(start, size + HUGE);
    }
    std::mem::forget(pipe);
    Ok(())
}

/// Takes so many megabytes in pairs of sockets with buffers as large as they may be made.
pub(crate) fn fill_large_sockets(megabytes: &str) {
    let wanted = megabytes.parse::<usize>().unwrap_or(0) << 20;
    let mut filled = 0;
    while filled < wanted {
        let Ok((mut one, mut other)) = UnixStream::pair() else {
            break;
        };
        for socket in [&mut one, &mut other] {
            // The kernel takes the largest size that it allows.
            let _ = rustix::net::sockopt::set_socket_send_buffer_size(&*socket, 1 << 30);
            let _ = socket.set_nonblocking(true);
            while let Ok(written) = socket.write(&BLOCK) {
                filled += written;
            }
        }
        std::mem::forget((one, other));
    }
    let done = if filled < wanted {
        "refused"
    } else {
        "escaped"
    };
    eprintln!("{done}: large sockets: {} MB", filled >> 20);
}

/// Sends full sockets over a socket, until the kernel lets no more be under way, and has them open no longer.
pub(crate) fn fill_sockets_in_flight() {
    let mut filled = 0;
    let Ok((sender, receiver)) = UnixStream::pair() else {
        return;
    };
    loop {
        let Ok((mut one, mut other)) = UnixStream::pair() else {
            break;
        };
        let mut held = 0;
        for socket in [&mut one, &mut other] {
            let _ = socket.set_nonblocking(true);
            while let Ok(written) = socket.write(&BLOCK) {
                held += written;
            }
        }
        let ends = [one.as_fd(), other.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(&ends));
        let text = [IoSlice::new(b"x")];
        if let Err(error) = sendmsg(&sender, &text, &mut ancillary, SendFlags::DONTWAIT) {
            eprintln!("refused: sockets in flight: {error}");
            break;
        }
        filled += held;
    }
    eprintln!("sockets in flight hold {} MB", filled >> 20);
    std::mem::forget((sender, receiver));
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
