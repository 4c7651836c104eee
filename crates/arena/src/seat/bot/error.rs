//! Why words mean no bot.

use crownhead_bots::options::Bot;

/// The words name no bot; the message says what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotError {
    /// There is nothing to run.
    #[error(
        "a bot is a built-in's name ({}) or a command line; found nothing",
        built_ins()
    )]
    Empty,
    /// The quotes do not match.
    #[error(
        "the quotes in `{0}` do not match; write the command as in a shell, such as `python3 'my bot.py'`"
    )]
    Quotes(String),
    /// A command line whose program is not there.
    #[error("there is no program `{0}`")]
    NoProgram(String),
    /// The source of a program.
    #[error("`{0}` is source, not a program: {1}")]
    Source(String, String),
    /// Neither a built-in nor a program.
    #[error("no bot named `{name}`; {advice}")]
    Unknown {
        /// What was looked for.
        name: String,
        /// What to write instead.
        advice: String,
    },
    /// The built-in does not take these options.
    #[error("`{words}`: {problem}")]
    Options {
        /// What a person wrote.
        words: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The built-ins' names as a list for people.
pub(crate) fn built_ins() -> String {
    Bot::NAMES.join(", ")
}
