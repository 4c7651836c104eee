//! A ladder's configuration: one TOML file that people write, read with errors that name the line.

mod file;
mod reader;

use super::schedule::Schedule;
use crate::judge::{Clock, ColourLine, Profile};
use crate::openings::Source;
use crate::stats::rating::Anchor;
use clap::ValueEnum;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead_bots::games::GameName;
use crownhead_sandbox::SandboxMode;
use file::File;
pub use reader::MOST_AT_ONCE;
use reader::{Reader, line_of};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The file's name within a ladder's folder.
pub const CONFIG_FILE: &str = "ladder.toml";

/// A ladder as its file describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The rule book, with the limit on turns that is in force.
    pub rules: RuleBook,
    /// Time limits of the first turn and of those after it.
    pub first_turn: Duration,
    /// See above.
    pub time: Duration,
    /// How strictly bots are judged.
    pub profile: Profile,
    /// What counts as time.
    pub clock: Clock,
    /// The letter that tells a bot it plays red.
    pub colour_line: ColourLine,
    /// Whether bots are locked in.
    pub sandbox: SandboxMode,
    /// What bots may read besides their own folder, relative to the ladder's.
    pub allow_read: Vec<Spanned<PathBuf>>,
    /// Whether a bot's processes are stopped while its opponent thinks.
    pub suspend_idle: bool,
    /// Whether a game that was lost on time while the bot wanted a core is played again.
    pub replay_suspect: bool,
    /// Where games begin.
    pub openings: Spanned<Source>,
    /// Who plays whom, and how often.
    pub schedule: Schedule,
    /// How many games are played at once.
    pub concurrency: usize,
    /// All chance follows from it.
    pub seed: u64,
    /// The bot whose rating is fixed.
    pub anchor: Option<Anchor>,
    /// Everybody who plays or has played.
    pub bots: Vec<Bot>,
}

/// A setting and the line of the file that says it, for errors that show only when it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spanned<T> {
    /// What is said.
    pub value: T,
    /// The number of the line.
    pub line: usize,
}

/// A bot of a ladder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// What it is called, forever.
    pub name: String,
    /// A built-in's name with options, or a command line.
    pub command: String,
    /// The line of the file that says so, for errors.
    pub line: usize,
    /// The folder it runs in, relative to the ladder's.
    pub folder: PathBuf,
    /// What its environment has besides ours.
    pub environment: BTreeMap<String, String>,
    /// A shell command that is run before the first game.
    pub build: Option<String>,
    /// Whether it plays no more.
    pub retired: bool,
}

/// The file is not what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ConfigError {
    /// The number of the line.
    pub line: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl Config {
    /// Reads a configuration for game `G`.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn parse<G: Notation>(text: &str) -> Result<Config, ConfigError> {
        Reader::new(text).config::<G>(read(text)?)
    }

    /// Which game the configuration is for.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn game(text: &str) -> Result<GameName, ConfigError> {
        let Some(game) = read(text)?.game else {
            return Ok(GameName::default());
        };
        GameName::find(game.get_ref()).ok_or_else(|| {
            let known: Vec<&str> = GameName::value_variants()
                .iter()
                .map(|game| game.name())
                .collect();
            let reason = format!(
                "no game `{}`; expected {}",
                game.get_ref(),
                known.join(", ")
            );
            Reader::new(text).error(&game, reason)
        })
    }

    /// The number of the bot of this name.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }
}

fn read(text: &str) -> Result<File, ConfigError> {
    toml::from_str(text).map_err(|error| ConfigError {
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        reason: error.message().replace('\n', "; "),
    })
}

#[cfg(test)]
mod tests;
