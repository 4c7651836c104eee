//! `crownhead bot`: a built-in bot as a process.

use clap::Args;
use crownhead_bots::options::Bot;
use std::process::ExitCode;

/// Run a built-in bot that speaks the line protocol on standard input and output
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  crownhead match \"crownhead bot greedy\" ./my_bot\n\n\
                        A match takes the name alone as well: `crownhead match greedy ./my_bot`."
)]
pub(super) struct RunBot {
    #[command(subcommand)]
    bot: Bot,
}

impl RunBot {
    pub(super) fn run(&self) -> ExitCode {
        self.bot.run()
    }
}
