//! A ladder's configuration: one TOML file that people write, read with errors that name the line.

mod file;
mod reader;

use super::schedule::Schedule;
use crate::store::Address;
use crownhead::rules::RuleBook;
use crownhead_arena::settings::GameOptions;
use crownhead_board::GameRules;
use crownhead_record::openings::Source;
use crownhead_record::stats::rating::Anchor;
use file::{ConfigFile, KeyLines};
use reader::ConfigReader;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The file's name within a ladder's folder.
pub const CONFIG_FILE: &str = "ladder.toml";

/// A ladder as its file describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// How games are played, as the file says it.
    pub options: GameOptions,
    /// The rule book, with the limit on turns that is in force.
    pub rules: RuleBook,
    /// Where games begin.
    pub openings: Source,
    /// Who plays whom, and how often.
    pub schedule: Schedule,
    /// How many games are played at once.
    pub concurrency: usize,
    /// All chance follows from it.
    pub seed: u64,
    /// The bot whose rating is fixed.
    pub anchor: Option<Anchor>,
    /// The database that games are kept in, if not in a file of the folder.
    pub store: Option<Address>,
    /// What workers on other machines must hold to.
    pub workers: WorkerTerms,
    /// All bots that play or have played.
    pub bots: Vec<Bot>,
    lines: KeyLines,
}

/// What a ladder asks of the machines of its workers.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkerTerms {
    /// Positions a second of the built-in search; without it, those of the first worker.
    pub speed: Option<f64>,
    /// How many percent faster or slower a machine may be.
    pub band: f64,
    /// What becomes of one that is.
    pub outside: Outside,
    /// Of how many pairs in a hundred of repeatable bots another machine sees to it that they can be repeated.
    pub replays: u32,
}

impl WorkerTerms {
    /// What cannot be meant, if anything is so.
    fn problem(&self) -> Option<String> {
        let WorkerTerms {
            speed,
            band,
            replays,
            ..
        } = *self;
        let expected = match speed {
            Some(speed) if !(speed.is_finite() && speed > 0.0) => {
                format!("speed = {speed}: expected positions a second, more than 0")
            }
            _ if band.is_nan() || band < 0.0 => {
                format!("band = {band}: expected percent, 0 or more")
            }
            _ if replays > 100 => format!("replays = {replays}: expected percent, 100 at most"),
            _ => return None,
        };
        Some(expected)
    }
}

impl Default for WorkerTerms {
    fn default() -> WorkerTerms {
        WorkerTerms {
            speed: None,
            band: 15.0,
            outside: Outside::Refuse,
            replays: 2,
        }
    }
}

/// What a worker outside the band may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outside {
    /// Nothing.
    Refuse,
    /// Play bots that answer alike however fast the machine is.
    Repeatable,
}

/// A bot of a ladder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// Its name, which never changes.
    pub name: String,
    /// A built-in's name with options, or a command line.
    pub command: String,
    /// The line of the file that says so, for errors.
    pub line: usize,
    /// The folder that its command is written in and that it runs in, relative to the ladder's; without one the
    /// command is written in the ladder's, and the bot runs in that of its first file.
    pub folder: Option<PathBuf>,
    /// What its environment has besides ours.
    pub environment: BTreeMap<String, String>,
    /// A shell command that is run before the first game.
    pub build: Option<String>,
    /// The files and folders that it consists of besides those its command names, where that is not all of its
    /// folder.
    pub files: Option<Vec<PathBuf>>,
    /// Whether it answers alike on every machine, however fast.
    pub repeatable: bool,
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

impl Bot {
    /// Whether both play alike: they may be on other lines, and retired or not.
    pub(super) fn is_same(&self, other: &Bot) -> bool {
        let place = Bot {
            line: self.line,
            retired: self.retired,
            ..other.clone()
        };
        *self == place
    }
}

impl Config {
    /// Takes up the bots and the schedule of a file that was changed while games are played; `false` if it says
    /// something else about how they are played too.
    pub(super) fn take_up(&mut self, newer: Config) -> bool {
        let same = self.options == newer.options && self.store == newer.store;
        *self = Config {
            options: self.options.clone(),
            rules: self.rules,
            openings: self.openings.clone(),
            concurrency: self.concurrency,
            seed: self.seed,
            store: self.store.clone(),
            ..newer
        };
        same
    }

    /// Reads a configuration.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        ConfigReader::new(text).config(ConfigFile::read(text)?)
    }

    /// The database that games are kept in, if not in a file of the folder.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn database(text: &str) -> Result<Option<Address>, ConfigError> {
        let file = ConfigFile::read(text)?;
        ConfigReader::new(text).store(file.ladder.store.as_ref())
    }

    /// The error that a setting cannot be used, told by the first of these keys that is in the file, for a list by
    /// its element `place`.
    pub(super) fn refused(&self, keys: &[&str], place: usize, reason: String) -> ConfigError {
        let line = self.lines.of_first(keys, place);
        ConfigError { line, reason }
    }

    /// The game that is played.
    pub fn game(&self) -> &'static dyn GameRules {
        self.options.game.object()
    }

    /// The number of the bot of this name.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }
}

#[cfg(test)]
mod tests;
