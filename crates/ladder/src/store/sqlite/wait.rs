//! Waiting for another program that holds the file.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// How long to wait for another program that uses the file.
pub(in crate::store) const LOCK_PATIENCE: Duration = Duration::from_secs(30);
/// The attempts after which a note names the file: a second.
const SILENT: i32 = 100;
/// Interval between attempts.
const TRY: Duration = Duration::from_millis(10);

static TELL: OnceLock<fn(&str)> = OnceLock::new();

thread_local! {
    /// The file that this thread opened last, because SQLite does not say which one it waits for.
    static FILE: RefCell<PathBuf> = RefCell::default();
}

/// Registers the function that reports a wait for another program.
pub fn tell_waits_by(tell: fn(&str)) {
    // The first one counts.
    let _ = TELL.set(tell);
}

/// Notes which file this thread waits for.
pub(super) fn of_file(path: &Path) {
    FILE.set(path.into());
}

/// The file that this thread opened last.
pub(super) fn file() -> PathBuf {
    FILE.with_borrow(PathBuf::clone)
}

/// Waits a moment, after this many attempts. Returns whether to try again.
pub(super) fn wait(before: i32) -> bool {
    if before == SILENT {
        let told = format!(
            "{}: another program holds it; waiting for up to {} s",
            file().display(),
            LOCK_PATIENCE.as_secs()
        );
        TELL.get().into_iter().for_each(|tell| tell(&told));
    }
    std::thread::sleep(TRY);
    TRY * before.unsigned_abs() < LOCK_PATIENCE
}
