//! Versions of bots.

/// The version of what played before versions were stored. It counts as the first that is known.
pub const UNKNOWN_VERSION: &str = "unknown";

/// A version of a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotVersion {
    /// Whose.
    pub bot: String,
    /// What it is called: the beginning of the hash of its description.
    pub version: String,
    /// What it is made of, as text.
    pub description: String,
    /// The program that ran it and is not part of it, if there is one.
    pub interpreter: Option<String>,
    /// Whether it is the one that plays.
    pub current: bool,
}
