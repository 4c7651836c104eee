//! Signals that stop a command.

use crate::failure::Failure;
use crownhead_sandbox::{INTERRUPTS, interrupt};
use signal_hook::consts::SIGINT;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Signals that come so soon after the first are the same interrupt: `timeout` sends its own to a program and then to the
/// program's group, and a terminal that is closed sends two.
const SAME_INTERRUPT: Duration = Duration::from_millis(200);

/// The signal that interrupted the program; 0 before there is one.
static INTERRUPTED_BY: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Fails if a signal has raised the flag, with the status that shells have for that.
pub(crate) fn check(interrupted: &AtomicBool) -> Result<(), Failure> {
    if !interrupted.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(Failure::Interrupted(status().unwrap_or(128 + SIGINT as u8)))
}

/// The status that shells have for the signal that interrupted the program, if one has.
pub(crate) fn status() -> Option<u8> {
    let signal = INTERRUPTED_BY.load(Ordering::Relaxed);
    (signal != 0).then(|| 128 + signal as u8)
}

/// A flag that the first interrupt raises; the second one ends the program at once.
pub(crate) fn interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let [interrupted, next_is_another] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    for signal in INTERRUPTS {
        signal_hook::flag::register_conditional_shutdown(
            signal,
            128 + signal,
            next_is_another.clone(),
        )?;
        signal_hook::flag::register_usize(signal, INTERRUPTED_BY.clone(), signal as usize)?;
        signal_hook::flag::register(signal, interrupted.clone())?;
    }
    let interrupt = interrupt()?;
    let wait = move || {
        interrupt();
        std::thread::sleep(SAME_INTERRUPT);
        next_is_another.store(true, Ordering::Relaxed);
    };
    let thread = std::thread::Builder::new().name("interrupts".into());
    thread.spawn(wait)?;
    Ok(interrupted)
}

/// Another flag that an interrupt raises, besides that of [`interrupts`]: for work that also ends by itself, which raises
/// it too.
pub(crate) fn raised_by_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in INTERRUPTS {
        signal_hook::flag::register(signal, raised.clone())?;
    }
    Ok(raised)
}
