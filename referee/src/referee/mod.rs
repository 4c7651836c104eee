//! `crownhead referee`: creates and checks referees, for people who write a game.

mod check;
mod new;

use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Create and check a referee for your own game
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead referee new my_game --lang python
  cd my_game
  crownhead referee check 'python3 referee.py'
  crownhead match 'python3 starter_bot.py' 'python3 random_bot.py' \\
    --referee 'python3 referee.py'",
    after_long_help = "\
A referee is a program that knows the game: it says what each player is sent, judges the answers and says who won. To write \
one, read docs/guide/your-own-game.md."
)]
pub(super) struct RefereeCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a small complete game into a new folder: referee, two bots, tests
    New(new::New),
    /// Test a referee with many games of random answers, and report its faults
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
