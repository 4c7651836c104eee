//! Values that several commands take.

use crate::draw::Drawing;
use crate::failure::{Failure, usage};
use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::ColorChoice;
use crownhead::PositionError;
use crownhead_board::{Board, CHECKERS, checkers_board};
use crownhead_bots::games::ListedGame;
use std::ffi::OsString;

/// Options of commands that draw boards.
#[derive(Debug, clap::Args)]
pub(super) struct DrawingOptions {
    /// Draw with plain ASCII letters instead of Unicode symbols, as a terminal without a UTF-8 locale gets
    /// them anyway
    #[arg(long)]
    pub(super) ascii: bool,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

impl DrawingOptions {
    /// Makes the choice of colours known to everything that prints, and gives the drawing.
    pub(super) fn apply(&self) -> Drawing {
        match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        let drawing = drawing_on(&std::io::stdout());
        Drawing {
            ascii: self.ascii || drawing.ascii,
            ..drawing
        }
    }
}

/// The drawing that this stream can show.
pub(super) fn drawing_on(stream: &impl RawStream) -> Drawing {
    Drawing {
        ascii: stream.is_terminal() && !locale_is_utf_8(|name| std::env::var_os(name)),
        coloured: AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// Whether the locale's characters are UTF-8: the first of these variables that is set and not empty says so
/// (POSIX, Environment Variables, 8.2); none means `C`, which is ASCII.
fn locale_is_utf_8(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let mut values = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable);
    values.find(|value| !value.is_empty()).is_some_and(|value| {
        let name = value.to_string_lossy().to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    })
}

/// The board of checkers that `--fen` gives.
pub(super) fn parse_fen(fen: &str) -> Result<Box<dyn Board>, Failure> {
    if ListedGame::find(CHECKERS.name()).is_none() {
        return Err(usage(
            "--fen is for checkers, which is no game of this program",
        ));
    }
    let refused = |error: PositionError| {
        usage(format_args!(
            "--fen: {error}\n\n  A FEN of draughts looks like B:W21,22,K29:B1,2,3 (who is to move, then \
             both sides' squares by PDN number, K before a king's)"
        ))
    };
    checkers_board(fen).map_err(refused)
}

/// A whole number with its thousands apart: `85 242 128`.
pub(super) fn show_number(number: impl ToString) -> String {
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

/// A rating for people. Adding zero takes the sign off -0.
pub(super) fn show_rating(rating: f64) -> String {
    format!("{:.0}", rating.round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::locale_is_utf_8;

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        let locale = |set: &[(&str, &str)]| {
            locale_is_utf_8(|name| {
                let found = set.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| value.into())
            })
        };
        assert!(locale(&[("LANG", "de_DE.UTF-8")]));
        assert!(locale(&[("LANG", "C"), ("LC_CTYPE", "C.utf8")]));
        assert!(locale(&[("LANG", "C.UTF-8"), ("LC_ALL", "")]));
        assert!(!locale(&[("LANG", "C.UTF-8"), ("LC_ALL", "C")]));
        assert!(!locale(&[("LANG", "de_DE.ISO-8859-1")]));
        assert!(!locale(&[]));
    }
}
