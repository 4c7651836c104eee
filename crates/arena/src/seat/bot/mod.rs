//! Which bot a person means: a built-in's name with its options, or a command line.

mod error;
mod files;
mod spec;

pub use error::BotError;
pub(super) use error::how_to_run;
pub use files::{command_seen_from, folder_seen_from};
pub(crate) use spec::BotKind;
pub use spec::{BotSpec, Program};

#[cfg(test)]
mod tests;
