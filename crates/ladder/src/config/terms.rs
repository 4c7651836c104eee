//! The settings of bots and workers, and errors of the configuration.

use crownhead_arena::environment::Variable;
use crownhead_arena::options::variables;
use serde::Deserialize;
use std::path::PathBuf;

/// Conditions for the machines of a ladder's workers.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkerTerms {
    /// Positions a second of the built-in search; without it, those of the first worker.
    pub speed: Option<f64>,
    /// How many percent faster or slower a machine may be.
    pub band: f64,
    /// What a machine outside the band may do.
    pub outside: Outside,
    /// The percentage of pairs of repeatable bots that another machine replays to compare.
    pub replays: u32,
}

impl WorkerTerms {
    /// The first impossible setting, if any.
    pub(super) fn problem(&self) -> Option<String> {
        let (band, replays) = (self.band, self.replays);
        match self.speed {
            Some(speed) if !(speed.is_finite() && speed > 0.0) => Some(format!(
                "speed = {speed}: expected positions a second, more than 0"
            )),
            _ if band.is_nan() || band < 0.0 => {
                Some(format!("band = {band}: expected percent, 0 or more"))
            }
            _ if replays > 100 => Some(format!(
                "replays = {replays}: expected percent, 100 at most"
            )),
            _ => None,
        }
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
    /// Play bots that reply alike on machines of any speed.
    Repeatable,
}

/// A bot of a ladder.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bot {
    /// Its name, which cannot change once it has played.
    pub name: String,
    /// A built-in's name with options, or a command line.
    pub command: String,
    /// The line of the command in the file, for errors.
    #[serde(skip)]
    pub line: usize,
    /// The folder that its command is written for and runs in, relative to the ladder's. Without it, the command is
    /// written for the ladder's folder, and the bot runs in that of its first file.
    pub folder: Option<PathBuf>,
    /// Its extra variables: the ladder's `env`, unless it is built in, and its own.
    #[serde(default, rename = "env", deserialize_with = "variables")]
    pub environment: Vec<Variable>,
    /// A shell command that runs before the first game.
    pub build: Option<String>,
    /// Its files and folders in addition to those that its command names, if it does not consist of all of its folder.
    pub files: Option<Vec<PathBuf>>,
    /// Whether it replies alike on every machine, however fast.
    #[serde(default)]
    pub repeatable: bool,
    /// Whether it is retired.
    #[serde(default)]
    pub retired: bool,
}

/// An error of the configuration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ConfigError {
    /// The number of the line.
    pub line: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl Bot {
    /// Whether both play alike. They may be on different lines, and retired or not.
    pub(crate) fn is_same(&self, other: &Bot) -> bool {
        let place = Bot {
            line: self.line,
            retired: self.retired,
            ..other.clone()
        };
        *self == place
    }
}
