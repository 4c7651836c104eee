//! `crownhead train`: makes an evaluation from games of the search with itself.

mod fit;
mod games;

use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Train the built-in bot's evaluation network
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  crownhead train games first.games --games 20000
  crownhead train fit first.games --output first.net
  crownhead match 'alphabeta --net first.net' alphabeta --games 400")]
pub(super) struct Train {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Games(games::TrainGames),
    Fit(fit::TrainFit),
}

impl Train {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.step {
            Step::Games(command) => command.run(),
            Step::Fit(command) => command.run(),
        }
    }
}
