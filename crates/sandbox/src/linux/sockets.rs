//! How much memory a socket may hold for a program.
//!
//! The sockets are counted elsewhere, where they are open.

use std::fs;
use std::sync::OnceLock;

/// The most bytes that the kernel keeps for one socket: data that was sent and not read yet. A pipe holds less.
///
/// That is the socket's buffer and a last packet, which is smaller. The filter of system calls keeps buffers at their
/// initial size, `net.core.wmem_default` (socket(7)). It is read once, before this process enters a network namespace,
/// because older kernels do not show it there.
pub(super) fn most_held() -> u64 {
    static MOST: OnceLock<u64> = OnceLock::new();
    *MOST.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        2 * text.trim().parse().unwrap_or(USUAL_BUFFER)
    })
}

/// The kernel's own `net.core.wmem_default`.
const USUAL_BUFFER: u64 = 212_992;
