//! `crownhead ladder`: a folder in which many bots play, and nothing that was played is lost.

mod bots;
mod check;
mod configure;
mod edit;
mod export;
mod folder_command;
mod games;
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

/// Keep a ladder: many bots, honest ratings, nothing ever lost
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead ladder new my_ladder
  crownhead ladder add my_ladder weak 'alphabeta --depth 2'
  crownhead ladder add my_ladder mine './my_bot' --folder bots
  crownhead ladder run my_ladder
  crownhead ladder standings my_ladder

A ladder is a folder with one file that people write, ladder.toml, and the games that were played. A run can \
be stopped or killed at any moment and goes on where it was; two runs at once share the work. With \
`new --store postgres://…` the games are in a database, and runs on several machines share the work.")]
pub(super) struct LadderCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a folder with a commented configuration, or begin the ladder of one that has a configuration
    #[command(visible_alias = "init")]
    New(Box<edit::New>),
    /// Add a bot, and play a short game with it to see whether it works
    Add(edit::Add),
    /// Take out a bot that has played no game, or retire one that has; its games are kept
    #[command(visible_alias = "retire")]
    Remove(InFolder<remove::Remove>),
    /// Give a bot that has not played another name
    Rename(InFolder<configure::Rename>),
    /// Change the number of pairs
    Pairs(InFolder<configure::SetPairs>),
    /// Let a bot that has changed play as a new version, rated apart
    Update(InFolder<bots::Update>),
    /// Let a bot play no more until it is enabled
    Disable(InFolder<bots::Disable>),
    /// Let a bot that is disabled play again
    Enable(InFolder<bots::Enable>),
    /// Write the files of a version of a bot into a new folder
    Restore(InFolder<bots::Restore>),
    /// Play what is left to play
    Run(InFolder<run::Run>),
    /// Let workers on other machines play the ladder as it is now
    Publish(InFolder<publish::Publish>),
    /// Make the roles of owners and workers in the ladder's database
    Roles(InFolder<roles::SetRoles>),
    /// Show the workers, what they do and what they have played
    Workers(InFolder<workers::ShowWorkers>),
    /// Leave all that a worker has played out of the ratings
    Exclude(InFolder<workers::Exclude>),
    /// Take in again what a worker has played
    Include(InFolder<workers::Include>),
    /// Show the table
    Standings(InFolder<standings::ShowStandings>),
    /// List the games that were played
    Games(InFolder<games::Games>),
    /// Check the configuration, the bots and every stored game, and mend what can be
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
            Command::Exclude(command) => command.run(),
            Command::Include(command) => command.run(),
            Command::Standings(command) => command.run(),
            Command::Games(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Export(command) => command.run(),
        }
    }
}
