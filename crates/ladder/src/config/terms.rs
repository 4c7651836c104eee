//! The settings of bots, and errors of the configuration.

use crownhead_arena::environment::Variable;
use crownhead_arena::options::variables;
use serde::Deserialize;
use std::path::PathBuf;

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
