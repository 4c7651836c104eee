//! What interrupts a program on Unix.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;

/// The signals that interrupt.
pub const INTERRUPTS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// What returns once one of them has come.
///
/// # Errors
/// When the system does not tell.
pub fn interrupt() -> io::Result<impl FnOnce() + Send + 'static> {
    let mut signals = Signals::new(INTERRUPTS)?;
    Ok(move || {
        signals.forever().next();
    })
}
