//! `crownhead ladder export`: all games as JSON lines, or as PDN.

use super::super::output::GameFile;
use super::folder_command::FolderCommand;
use crate::failure::Failure;
use clap::Args;
use crownhead_ladder::Folder;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crownhead ladder export night games.pdn")]
pub(super) struct Export {
    /// The file to make: PDN if its name ends in .pdn, else JSON lines; `-` is standard output
    file: PathBuf,
    /// Replace the file if it is there
    #[arg(long, short)]
    force: bool,
}

impl FolderCommand for Export {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let mut file = GameFile::open(&self.file, self.force, &folder.config()?.contest.game)?;
        folder.read_store()?.each_game(|game| file.add(&game))?;
        Ok(file.add_all([])?)
    }
}
