//! Options and values that several commands take.

use crate::draw::Drawing;
use crate::failure::{Failure, about, usage};
use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::ColorChoice;
use crownhead::rules::RuleBook;
use crownhead_arena::headings::OUTPUT;
use crownhead_bots::{Board, BoardGame, games};
use crownhead_record::{position_text, read_position};
use std::ffi::OsString;

/// Options of commands that draw boards.
#[derive(Debug, clap::Args)]
pub(super) struct DrawingOptions {
    /// Draw boards with ASCII letters instead of Unicode symbols
    ///
    /// A terminal without a UTF-8 locale gets ASCII letters anyway.
    #[arg(long, help_heading = OUTPUT)]
    pub(super) ascii: bool,
    /// When to use colours
    #[arg(long, alias = "colour", value_name = "WHEN", default_value = "auto", help_heading = OUTPUT)]
    color: ColorChoice,
}

impl DrawingOptions {
    /// Sets the choice of colours for the whole program, and returns the drawing.
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

/// The mark before something that is as it should be, or is not.
pub(super) fn check_mark(is_right: bool, ascii: bool) -> &'static str {
    match (is_right, ascii) {
        (true, false) => "✓",
        (false, false) => "✗",
        (true, true) => "ok",
        (false, true) => "NO",
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

/// The board of this game that `--fen` describes; without it, the start.
pub(super) fn board_of(
    fen: Option<&str>,
    game: &'static dyn BoardGame,
    rules: RuleBook,
) -> Result<Box<dyn Board>, Failure> {
    if fen.is_some_and(|fen| fen.trim().is_empty()) {
        return Err(usage(
            "`--fen` is empty. Leave it out for the start, or name a position",
        ));
    }
    let fen = fen.unwrap_or_default();
    read_position(fen, game, rules).map_err(about(format!("`--fen '{fen}'`")))
}

/// The board that `--fen` describes, in the first game of the list that has such a position.
pub(super) fn board_of_any(fen: &str) -> Result<Box<dyn Board>, Failure> {
    let mut refused = Vec::new();
    for &game in games::all() {
        match read_position(fen, game, game.rule_books()[0]) {
            Ok(board) => return Ok(board),
            Err(_) => {
                let start = game.start(game.rule_books()[0]);
                refused.push(format!(
                    "  {}: {}",
                    game.name(),
                    position_text(start.as_ref())
                ));
            }
        }
    }
    Err(usage(format_args!(
        "`--fen '{fen}'` is no position of a game here. Expected one such as\n{}",
        refused.join("\n")
    )))
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
