//! `crownhead train`: an evaluation out of games of the search with itself.

mod export;
mod fit;
mod games;
mod match_;

use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Train an evaluation: games of the search with itself, a network fitted to them, its weights as source, a match of it
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead train games ~/data/first.games --games 20000
  crownhead train fit ~/data/first.games --output ~/data/first.json --plot ~/data/first.svg
  crownhead train export ~/data/first.json > src/games/checkers/weights.rs")]
pub(super) struct Train {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Games(games::TrainGames),
    Fit(fit::TrainFit),
    Export(export::TrainExport),
    Match(Box<match_::TrainMatch>),
}

impl Train {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.step {
            Step::Games(command) => command.run(),
            Step::Fit(command) => command.run(),
            Step::Export(command) => command.run(),
            Step::Match(command) => command.run(),
        }
    }
}
