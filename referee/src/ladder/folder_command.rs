//! What all commands of a ladder do first: open its folder.

use super::super::store_address::warn_of_store;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_ladder::{ConfigError, Folder, UnusableLadder};
use std::path::{Path, PathBuf};

/// A command that needs a ladder's folder.
pub(super) trait FolderCommand {
    fn run(&self, folder: &Folder) -> Result<(), Failure>;
}

// The commands have their own descriptions.
#[derive(Debug, Args)]
pub(super) struct InFolder<C: Args> {
    /// Folder of the ladder
    folder: PathBuf,
    #[command(flatten)]
    command: C,
}

impl<C: Args + FolderCommand> InFolder<C> {
    pub(super) fn run(&self) -> Result<(), Failure> {
        in_folder(&self.folder, &self.command)
    }
}

pub(super) fn in_folder(path: &Path, command: &impl FolderCommand) -> Result<(), Failure> {
    let folder = Folder::open(path).map_err(usage)?;
    warn_of_store(&folder)?;
    // An error in the configuration is a usage error, wherever it shows; so is a ladder that cannot be used as it is.
    command.run(&folder).map_err(|failure| match failure {
        Failure::Failed(error) if error.is::<ConfigError>() || error.is::<UnusableLadder>() => {
            usage(error)
        }
        other => other,
    })
}
