//! `crownhead referee`: for whoever writes a game: a referee to begin with, and what is wrong with one.

mod check;
mod new;

use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Write a game of your own: a referee to begin with, and what is wrong with it
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead referee new my_game --lang python
  cd my_game
  crownhead referee check 'python3 referee.py'
  crownhead match 'python3 starter_bot.py' 'python3 random_bot.py' --referee 'python3 referee.py'

A referee is a program that knows the game: it says what each player is sent, judges the answers and says who has won. \
To write one, read docs/guide/your-own-game.md.")]
pub(super) struct RefereeCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a small whole game into a new folder: referee, two bots, tests
    New(new::New),
    /// Play a referee against itself, and say what is wrong with it
    Check(check::Check),
}

impl RefereeCommand {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::New(command) => command.run(),
            Command::Check(command) => command.run(),
        }
    }
}
