//! `crownhead ladder export`: writes all games as JSON lines or PDN.

use super::super::output::GameFile;
use super::folder_command::FolderCommand;
use crate::failure::Failure;
use clap::Args;
use crownhead_ladder::Folder;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder export night games.jsonl\n  crownhead ladder export night games.pdn"
)]
pub(super) struct Export {
    /// File to create: PDN if it ends in .pdn, else JSON lines (`-`: standard output)
    file: PathBuf,
    /// Replace the file if it exists
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
