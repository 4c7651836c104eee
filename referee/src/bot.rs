//! `crownhead bot`: a built-in bot as a process.

use clap::{Args, Command, FromArgMatches, Subcommand};
use crownhead_bots::options::BuiltInBot;
use std::process::ExitCode;

/// Run a built-in bot on standard input and output
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead bot greedy < turn.txt
  crownhead match 'crownhead bot greedy' ./my_bot",
    after_long_help = "\
In a match the name is enough: `crownhead match greedy ./my_bot`."
)]
pub(super) struct RunBot {
    #[command(subcommand)]
    bot: BuiltInBot,
}

/// Runs the bot that this process's arguments name, if they are nothing but `bot` and a bot's own: every game starts two
/// such processes, and the descriptions of all other commands would be half of their start.
pub(super) fn run_if_alone() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    words.next().filter(|word| word == "bot")?;
    let command = BuiltInBot::augment_subcommands(Command::new("bot").no_binary_name(true));
    // What is wrong, and help, is told by the whole command line.
    let matches = command.try_get_matches_from(words).ok()?;
    Some(BuiltInBot::from_arg_matches(&matches).ok()?.run())
}

impl RunBot {
    pub(super) fn run(&self) -> ExitCode {
        self.bot.run()
    }
}
