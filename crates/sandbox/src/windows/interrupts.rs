//! What interrupts a program on Windows: Ctrl-C, and Ctrl-Break or the end of its window.

use super::sys;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What the C library raises for Ctrl-Break.
const SIGBREAK: i32 = 21;

/// The signals that interrupt. The last one is also that of a window that is closed.
pub const INTERRUPTS: [i32; 3] = [SIGINT, SIGTERM, SIGBREAK];

/// How often it is looked whether an interrupt came, which wakes no thread here.
const STEP: Duration = Duration::from_millis(50);

/// What returns once one of them has come.
///
/// # Errors
/// When the system does not tell.
pub fn interrupt() -> io::Result<impl FnOnce() + Send + 'static> {
    let came = Arc::new(AtomicBool::new(false));
    for signal in INTERRUPTS {
        signal_hook::flag::register(signal, came.clone())?;
    }
    sys::raise_at_end(SIGBREAK)?;
    Ok(move || {
        while !came.load(Ordering::Relaxed) {
            std::thread::sleep(STEP);
        }
    })
}
