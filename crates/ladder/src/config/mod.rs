//! A ladder's configuration: one TOML file, written by people. Errors name the line.

mod file;
mod ladder;
mod reader;

pub use file::{Bot, ConfigError};
pub use ladder::Config;

/// The file's name within a ladder's folder.
pub const CONFIG_FILE: &str = "ladder.toml";

#[cfg(test)]
mod tests;
