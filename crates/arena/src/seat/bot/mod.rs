//! Which bot a person means: a built-in's name with its options, or a command line.

mod advice;
mod defaults;
mod error;
mod files;
mod spec;

pub use defaults::Defaults;
pub use error::BotError;
pub use spec::{BotSpec, Program};

#[cfg(test)]
mod tests;
