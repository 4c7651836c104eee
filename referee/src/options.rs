//! Options and values that several commands take.

use crate::draw::Drawing;
use crate::failure::{Failure, about, usage};
use anstream::AutoStream;
use clap::ColorChoice;
use crownhead::rules::RuleBook;
use crownhead_arena::headings::OUTPUT;
use crownhead_bots::{Board, BoardGame, games};
use crownhead_record::{position_text, read_position};

/// Options of commands that draw boards.
#[derive(Debug, clap::Args)]
pub(super) struct DrawingOptions {
    /// Draw boards with ASCII letters instead of Unicode symbols
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
        Drawing {
            ascii: self.ascii,
            coloured: AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
        }
    }
}

/// The mark before something that is as it should be, or is not.
pub(super) fn check_mark(is_right: bool) -> char {
    if is_right { '✓' } else { '✗' }
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
    let games = games::all()
        .iter()
        .map(|&game| (game, game.rule_books()[0]));
    let mut boards = games
        .clone()
        .map(|(game, rules)| read_position(fen, game, rules));
    boards.find_map(Result::ok).ok_or_else(|| {
        let example = |(game, rules): (&'static dyn BoardGame, RuleBook)| {
            let start = position_text(game.start(rules).as_ref());
            format!("  {}: {start}", game.name())
        };
        usage(format_args!(
            "`--fen '{fen}'` is no position of a game here. Expected one such as\n{}",
            games.map(example).collect::<Vec<_>>().join("\n")
        ))
    })
}
