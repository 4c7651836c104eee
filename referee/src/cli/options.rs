//! Values that several commands take.

use crate::draw::Drawing;
use clap::ValueEnum;
use std::time::Duration;

/// Options of commands that draw boards.
#[derive(Debug, clap::Args)]
pub(super) struct DrawingOptions {
    /// Draw with plain ASCII letters instead of Unicode discs
    #[arg(long)]
    ascii: bool,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl DrawingOptions {
    /// Makes the choice of colours known to everything that prints, and gives the drawing.
    pub(super) fn apply(&self) -> Drawing {
        let choice = match self.color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        if self.ascii {
            Drawing::Ascii
        } else {
            Drawing::Unicode
        }
    }
}

/// A time for people: `85.3 ms`, `1.20 s`.
pub(super) fn show_time(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    if milliseconds < 1.0 {
        format!("{:.0} µs", milliseconds * 1e3)
    } else if milliseconds < 1e3 {
        format!("{milliseconds:.1} ms")
    } else {
        format!("{:.2} s", milliseconds / 1e3)
    }
}

/// A whole number with its thousands apart: `85 242 128`.
pub(super) fn show_number(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(' ');
        }
        shown.push(digit);
    }
    shown
}
