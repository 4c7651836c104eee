//! Progress of long commands, on standard error: a line that is redrawn on a terminal, a plain line now and then
//! elsewhere. With `--quiet` there is no progress and there are no notes.

use crownhead_record::numbers::show_count;
use crownhead_record::system_error::plain_words;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a line with a clock is redrawn.
const TICK: Duration = Duration::from_millis(500);

/// How often a line is written if there is no terminal.
const PLAIN_LINES: Duration = Duration::from_secs(30);

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Puts `--quiet` in force.
pub(super) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Prints something that a person may want to know. It changes nothing.
pub(super) fn note(text: impl std::fmt::Display) {
    if !QUIET.load(Ordering::Relaxed) {
        tell(format_args!("note: {text}"));
    }
}

/// Prints a line on standard error, with the system's errors in plain words. A closed terminal is no failure here: it
/// interrupts the command too.
pub(super) fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{}", plain_words(&line.to_string()));
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
    /// Progress over this many steps; without a number, the message alone says how far it is.
    pub(super) fn new(unit: &'static str, steps: Option<u64>) -> Progress {
        let quiet = QUIET.load(Ordering::Relaxed);
        let (bar, template) = match steps {
            _ if quiet => (ProgressBar::hidden(), String::new()),
            Some(steps) => {
                let template = format!(
                    "{{bar:20}} {{human_pos}} of {{human_len}} {unit}   {{msg}}   {{eta}} left"
                );
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

    /// Whether a line is redrawn.
    pub(super) fn is_drawn(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Shows that this many steps are done. The message is made only if it is shown.
    pub(super) fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        if self.is_drawn() {
            self.bar.set_message(message());
            self.bar.set_position(done);
        } else if self.plain && self.told.elapsed() >= PLAIN_LINES {
            let line = match self.bar.length() {
                Some(all) => {
                    let [done, all] = [done, all].map(show_count);
                    format!("{done} of {all} {}   {}", self.unit, message())
                }
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
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
