//! `crownhead export`: pages as files.

use super::progress::note;
use super::serve::open_site;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use crownhead_record::numbers::counted;
use crownhead_web::export;
use std::io::Write;
use std::path::PathBuf;

/// Export games or a ladder as a static web site
#[derive(Debug, Subcommand)]
#[command(
    before_help = "Examples:\n  crownhead export site my_ladder pages\n  crownhead export site games.jsonl pages"
)]
pub(super) enum Export {
    Site(ExportSite),
}

/// Write a ladder or recorded games as a folder of web pages
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead export site my_ladder pages
  python3 -m http.server --directory pages",
    after_long_help = "\
The pages are those of `crownhead serve`. They play and analyse by themselves, with the built-in bots as WebAssembly. They \
work from any folder of a web server. A page that is opened as a file plays and analyses too, and says what it needs to \
show games. There are about 1,000 files at most, whatever the number of games. The command updates a folder that it made \
before."
)]
pub(super) struct ExportSite {
    /// Ladder folder, file of `match --record`, or PDN file
    path: PathBuf,
    /// Folder to create or update
    folder: PathBuf,
}

impl Export {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let Export::Site(ExportSite { path, folder }) = self;
        let mut site = open_site(path)?;
        let done = export(&mut site, folder)?;
        let megabytes = done.bytes as f64 / 1e6;
        let (games, files) = (counted(done.games, "game"), counted(done.files, "file"));
        writeln!(anstream::stdout(), "{games} in {files}, {megabytes:.1} MB")?;
        if done.left_out > 0 {
            let left_out = counted(done.left_out, "game");
            note(format_args!("left out {left_out} that cannot be shown"));
        }
        Ok(())
    }
}
