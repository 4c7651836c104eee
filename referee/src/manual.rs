//! `crownhead completions` and `crownhead man`: write the command line for shells and for `man`.

use super::output_file::make_folder;
use crate::failure::Failure;
use clap::{Args, Command};
use clap_complete::Shell;
use crownhead_record::system_error::OfFile;
use std::path::PathBuf;

/// Print a script that completes commands and options in your shell
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  source <(crownhead completions bash)
  crownhead completions fish > ~/.config/fish/completions/crownhead.fish")]
pub(super) struct Completions {
    /// Shell to complete in
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut command: Command) -> Result<(), Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "crownhead", &mut text);
        std::io::Write::write_all(&mut std::io::stdout().lock(), &text)?;
        Ok(())
    }
}

/// Write manual pages into a folder, one for each command
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  crownhead man ~/.local/share/man/man1")]
pub(super) struct Man {
    /// Folder for the pages; it is created if it does not exist
    folder: PathBuf,
}

impl Man {
    pub(super) fn run(&self, command: Command) -> Result<(), Failure> {
        make_folder(&self.folder)?;
        let written = clap_mangen::generate_to(command, &self.folder);
        Ok(written.of_file(&self.folder)?)
    }
}
