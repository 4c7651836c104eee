//! `crownhead ladder export`: all games as JSON lines, or as PDN.

use super::super::Failure;
use super::super::output::GameFile;
use super::WithLadder;
use anyhow::Context;
use clap::Args;
use crownhead_bots::games::Played;
use crownhead_ladder::Folder;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crownhead ladder export night games.pdn")]
pub(super) struct Export {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// The file to make: PDN if its name ends in .pdn, else JSON lines; `-` is standard output
    file: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

impl WithLadder for Export {
    fn run<G: Played>(&self, folder: &Folder) -> Result<(), Failure> {
        let mut file = GameFile::open::<G>(&self.file, self.force)?;
        folder.read_store()?.each_game(|game| file.add(&game))?;
        file.add_all([])
            .with_context(|| self.file.display().to_string())?;
        Ok(())
    }
}
