//! What a configuration says of bots and workers, and how it is refused.

use crownhead_arena::environment::Variable;
use crownhead_arena::options::variables;
use serde::Deserialize;
use std::path::PathBuf;

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
    /// Play bots that answer alike however fast the machine is.
    Repeatable,
}

/// A bot of a ladder.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bot {
    /// Its name, which never changes.
    pub name: String,
    /// A built-in's name with options, or a command line.
    pub command: String,
    /// The line of the file that says so, for errors.
    #[serde(skip)]
    pub line: usize,
    /// The folder that its command is written in and that it runs in, relative to the ladder's; without one the
    /// command is written in the ladder's, and the bot runs in that of its first file.
    pub folder: Option<PathBuf>,
    /// The variables that it has besides those that every bot has: the ladder's `env`, unless it is a built-in, and its
    /// own.
    #[serde(default, rename = "env", deserialize_with = "variables")]
    pub environment: Vec<Variable>,
    /// A shell command that is run before the first game.
    pub build: Option<String>,
    /// The files and folders that it consists of besides those its command names, where that is not all of its
    /// folder.
    pub files: Option<Vec<PathBuf>>,
    /// Whether it answers alike on every machine, however fast.
    #[serde(default)]
    pub repeatable: bool,
    /// Whether it plays no more.
    #[serde(default)]
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
    pub(crate) fn is_same(&self, other: &Bot) -> bool {
        let place = Bot {
            line: self.line,
            retired: self.retired,
            ..other.clone()
        };
        *self == place
    }
}
