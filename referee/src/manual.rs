//! `crownhead completions` and `crownhead man`: what shells and `man` read of the command line.

use super::output_file::OutputPath;
use crate::failure::Failure;
use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;
use std::path::PathBuf;

/// Print what a shell needs to complete commands and options
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead completions bash > ~/.local/share/bash-completion/completions/crownhead
  crownhead completions fish > ~/.config/fish/completions/crownhead.fish")]
pub(super) struct Completions {
    /// The shell
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
#[command(after_help = "Example:\n  crownhead man ~/.local/share/man/man1")]
pub(super) struct Man {
    /// The folder; it is made if it is not there
    folder: PathBuf,
    /// Replace the pages that are there
    #[arg(long, short)]
    force: bool,
}

impl Man {
    pub(super) fn run(&self, command: Command) -> Result<(), Failure> {
        let folder = || self.folder.display().to_string();
        std::fs::create_dir_all(&self.folder).with_context(folder)?;
        let draft = tempfile::tempdir()?;
        clap_mangen::generate_to(command, draft.path())?;
        let mut pages = Vec::new();
        for page in std::fs::read_dir(draft.path())? {
            let page = page?;
            let to = OutputPath::new(&self.folder.join(page.file_name()), self.force)?;
            pages.push((to, std::fs::read_to_string(page.path())?));
        }
        pages.iter().try_for_each(|(to, text)| to.write(text))
    }
}
