//! `crownhead ladder`: a folder in which many bots play, and which keeps every finished game.

mod bots;
mod check;
mod edit;
mod machines;
mod remove;
mod run;
mod standings;

pub(super) use run::View;

use crate::failure::{Failure, usage};
use crate::recorded::warn_of_store;
use clap::{Args, Subcommand};
use crownhead_ladder::{Folder, LadderError};
use std::path::{Path, PathBuf};

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
    /// Accept a changed bot as a new version with its own rating
    Update(InFolder<bots::Update>),
    /// Stop scheduling a bot until `ladder enable`
    Disable(InFolder<bots::Disable>),
    /// Schedule disabled bots again
    Enable(InFolder<bots::Enable>),
    /// Play the remaining games
    Run(InFolder<run::Run>),
    /// Send the ladder as it is now to workers on other machines
    Publish(InFolder<machines::Publish>),
    /// Create the roles of owners and workers in the ladder's database
    Roles(InFolder<machines::SetRoles>),
    /// Show the workers, what they do and what they have played
    Workers(InFolder<machines::ShowWorkers>),
    /// Show the ratings table
    Standings(InFolder<standings::ShowStandings>),
    /// Check the configuration, the bots and every game, and repair them
    Check(InFolder<check::Check>),
    /// Write all games to a file, as JSON lines or PDN
    Export(InFolder<check::Export>),
}

impl LadderCommand {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::New(command) => command.run(),
            Command::Add(command) => command.run(),
            Command::Remove(command) => command.run(),
            Command::Update(command) => command.run(),
            Command::Disable(command) => command.run(),
            Command::Enable(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Publish(command) => command.run(),
            Command::Roles(command) => command.run(),
            Command::Workers(command) => command.run(),
            Command::Standings(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Export(command) => command.run(),
        }
    }
}

/// A command that needs a ladder's folder.
trait FolderCommand {
    fn run(&self, folder: &Folder) -> Result<(), Failure>;
}

// The commands have their own descriptions.
#[derive(Debug, Args)]
struct InFolder<C: Args> {
    /// Folder of the ladder
    folder: PathBuf,
    #[command(flatten)]
    command: C,
}

impl<C: Args + FolderCommand> InFolder<C> {
    fn run(&self) -> Result<(), Failure> {
        in_folder(&self.folder, &self.command)
    }
}

fn in_folder(path: &Path, command: &impl FolderCommand) -> Result<(), Failure> {
    let folder = Folder::open(path).map_err(usage)?;
    warn_of_store(&folder)?;
    // An error in the configuration is a usage error, wherever it shows; so is a ladder that cannot be used as it is.
    command.run(&folder).map_err(|failure| match failure {
        Failure::Failed(error) => match error.downcast_ref().map(LadderError::root) {
            Some(LadderError::Config(_) | LadderError::Unusable(_)) => usage(error),
            _ => Failure::Failed(error),
        },
        other => other,
    })
}
