//! `crownhead ladder`: a folder in which many bots play, and which keeps every finished game.

mod bots;
mod check;
mod configure;
mod edit;
mod export;
mod folder_command;
mod games;
mod plot;
mod publish;
mod remove;
mod roles;
mod run;
mod standings;
mod workers;

pub(super) use run::View;

use crate::failure::Failure;
use clap::{Args, Subcommand};
use folder_command::InFolder;

/// Run a rated tournament of many bots that survives interruptions
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead ladder new my_ladder
  crownhead ladder add my_ladder weak 'alphabeta --depth 2'
  crownhead ladder add my_ladder mine ./my_bot
  crownhead ladder run my_ladder
  crownhead ladder standings my_ladder",
    after_long_help = "\
A ladder is a folder with one file that you write, ladder.toml, and the games that were played. You can stop or kill a run \
at any moment; the next run continues. Two runs at once share the work. With `new --store postgres://…`, the games are in a \
database, and runs on several machines share the work."
)]
pub(super) struct LadderCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a ladder in a folder
    #[command(visible_alias = "init")]
    New(Box<edit::New>),
    /// Add a bot, after a short game that tests it
    Add(edit::Add),
    /// Remove a bot, or retire it if it has played
    #[command(visible_alias = "retire")]
    Remove(InFolder<remove::Remove>),
    /// Rename a bot (only before its first game)
    Rename(InFolder<configure::Rename>),
    /// Change how many pairs (2 games each) any two bots play
    Pairs(InFolder<configure::SetPairs>),
    /// Accept a changed bot as a new version with its own rating
    Update(InFolder<bots::Update>),
    /// Stop scheduling a bot until `ladder enable`
    Disable(InFolder<bots::Disable>),
    /// Schedule disabled bots again
    Enable(InFolder<bots::Enable>),
    /// Copy an earlier version of a bot into a new folder
    Restore(InFolder<bots::Restore>),
    /// Play the remaining games
    Run(InFolder<run::Run>),
    /// Send the ladder as it is now to workers on other machines
    Publish(InFolder<publish::Publish>),
    /// Create the roles of owners and workers in the ladder's database
    Roles(InFolder<roles::SetRoles>),
    /// Show the workers, what they do and what they have played
    Workers(InFolder<workers::ShowWorkers>),
    /// Show the ratings table
    Standings(InFolder<standings::ShowStandings>),
    /// List the games that were played
    Games(InFolder<games::Games>),
    /// Check the configuration, the bots and every game, and repair them
    Check(InFolder<check::Check>),
    /// Write all games to a file, as JSON lines or PDN
    Export(InFolder<export::Export>),
}

impl LadderCommand {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::New(command) => command.run(),
            Command::Add(command) => command.run(),
            Command::Remove(command) => command.run(),
            Command::Rename(command) => command.run(),
            Command::Pairs(command) => command.run(),
            Command::Update(command) => command.run(),
            Command::Disable(command) => command.run(),
            Command::Enable(command) => command.run(),
            Command::Restore(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Publish(command) => command.run(),
            Command::Roles(command) => command.run(),
            Command::Workers(command) => command.run(),
            Command::Standings(command) => command.run(),
            Command::Games(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Export(command) => command.run(),
        }
    }
}
