//! Waiting for another program that holds the file.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long another program that uses the file is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// The wait after which a note names what is waited for.
const SILENCE: Duration = Duration::from_secs(1);
/// How often the file is tried again.
const TRY: Duration = Duration::from_millis(10);

static TELL: OnceLock<fn(&str)> = OnceLock::new();

thread_local! {
    /// The file that this thread opened last: SQLite does not say which one it waits for.
    static FILE: RefCell<PathBuf> = RefCell::default();
    static BEGAN: Cell<Option<Instant>> = const { Cell::new(None) };
    static IS_TOLD: Cell<bool> = const { Cell::new(false) };
}

/// Has people told by this function when another program is waited for.
pub fn tell_waits_by(tell: fn(&str)) {
    // The first one stays.
    let _ = TELL.set(tell);
}

/// Notes which file the waits of this thread are for.
pub(super) fn of_file(path: &Path) {
    FILE.set(path.into());
}

/// Waits a moment, for the time after this many of one wait; whether the file is tried again.
pub(super) fn wait(before: i32) -> bool {
    let now = Instant::now();
    if before == 0 {
        BEGAN.set(Some(now));
        IS_TOLD.set(false);
    }
    let waited = BEGAN.get().map_or(Duration::ZERO, |began| now - began);
    if waited >= PATIENCE {
        return false;
    }
    if waited >= SILENCE && !IS_TOLD.replace(true) {
        let told = FILE.with_borrow(|file| {
            let patience = PATIENCE.as_secs();
            format!(
                "{}: another program holds it; waiting for up to {patience} s",
                file.display()
            )
        });
        TELL.get().into_iter().for_each(|tell| tell(&told));
    }
    std::thread::sleep(TRY);
    true
}
