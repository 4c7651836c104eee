//! How much memory a socket may hold for a program.
//!
//! Leaves out how many sockets there are, which is counted where they are open.

use std::fs;
use std::sync::OnceLock;

/// The most bytes that the kernel keeps for one socket: what was sent and not read yet. A pipe holds less.
///
/// That is as much as the socket's buffer, and a last packet, which is smaller. The filter of system calls keeps buffers at
/// the size that sockets are made with, `net.core.wmem_default` (socket(7)). It is read once, which is to be before this process
/// enters a network namespace: in one, older kernels do not show it.
pub(super) fn most_held() -> u64 {
    static MOST: OnceLock<u64> = OnceLock::new();
    *MOST.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        2 * text.trim().parse().unwrap_or(USUAL_BUFFER)
    })
}

/// The kernel's own `net.core.wmem_default`.
const USUAL_BUFFER: u64 = 212_992;
