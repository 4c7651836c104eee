//! Progress of commands that take long: a line on the terminal that is drawn anew, and nothing in a file.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often a line with a clock in it is drawn anew.
pub(super) const TICK: Duration = Duration::from_millis(500);

/// A bar of so many steps, or a line without an end. Hidden when `quiet`, and where standard error is no terminal.
pub(super) fn progress_bar(quiet: bool, steps: Option<u64>, template: &str) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = steps.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    bar.with_style(style)
}
