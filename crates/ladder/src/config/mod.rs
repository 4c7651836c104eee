//! A ladder's configuration: one TOML file, written by people. Errors name the line.

mod file;
mod ladder;
mod reader;
mod terms;

pub use ladder::Config;
pub use terms::{Bot, ConfigError};

/// The file's name within a ladder's folder.
pub const CONFIG_FILE: &str = "ladder.toml";

#[cfg(test)]
mod tests;
