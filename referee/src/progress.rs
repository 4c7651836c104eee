//! Progress of commands that take long, on standard error: on a terminal a line that is drawn anew, elsewhere a plain line
//! now and then. Under `--quiet` neither, and no notes.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a line with a clock in it is drawn anew.
const TICK: Duration = Duration::from_millis(500);

/// How often a line is written where there is no terminal.
const PLAIN_LINES: Duration = Duration::from_secs(30);

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Puts `--quiet` in force.
pub(super) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Something a person may want to know, which changes nothing.
pub(super) fn note(text: impl std::fmt::Display) {
    if !QUIET.load(Ordering::Relaxed) {
        tell(format_args!("note: {text}"));
    }
}

/// Prints a line on standard error. That a terminal is gone is no failure: what closed it interrupts the command too.
pub(super) fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// How far a command is.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    /// What is counted.
    unit: &'static str,
    told: Instant,
    plain: bool,
}

impl Progress {
    /// Of so many steps, or without an end; then the message says how far it is.
    pub(super) fn new(unit: &'static str, steps: Option<u64>) -> Progress {
        let quiet = QUIET.load(Ordering::Relaxed);
        let (bar, template) = match steps {
            _ if quiet => (ProgressBar::hidden(), String::new()),
            Some(steps) => {
                let template =
                    format!("{{bar:20}} {{pos}} of {{len}} {unit}   {{msg}}   {{eta}} left");
                (ProgressBar::new(steps), template)
            }
            None => (ProgressBar::new_spinner(), "{msg}".into()),
        };
        let style = ProgressStyle::with_template(&template).expect("the template is well formed");
        let bar = bar.with_style(style);
        if steps.is_some() {
            bar.enable_steady_tick(TICK);
        }
        Progress {
            plain: bar.is_hidden() && !quiet,
            bar,
            unit,
            told: Instant::now(),
        }
    }

    /// Whether a line is drawn anew.
    pub(super) fn is_drawn(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// So many steps are done. The message is made only when it is shown.
    pub(super) fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        if self.is_drawn() {
            self.bar.set_message(message());
            self.bar.set_position(done);
        } else if self.plain && self.told.elapsed() >= PLAIN_LINES {
            let line = match self.bar.length() {
                Some(all) => format!("{done} of {all} {}   {}", self.unit, message()),
                None => message(),
            };
            self.tell(&line);
        }
    }

    /// A line that stays.
    pub(super) fn tell(&mut self, line: &str) {
        if self.is_drawn() {
            self.bar.println(line);
        } else if self.plain {
            self.told = Instant::now();
            tell(line);
        }
    }

    /// Takes the line away.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }

    /// Takes the line away and writes this in its place, whole: what is drawn anew is cut to the terminal's height.
    pub(super) fn finish_with(&self, text: &str) {
        self.bar.finish_and_clear();
        tell(text);
    }
}
