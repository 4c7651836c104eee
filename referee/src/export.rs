//! `crownhead export`: pages as files.

use super::progress::{Progress, note};
use super::serve::open_site;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use crownhead_web::export;
use std::io::Write;
use std::path::PathBuf;

/// Write standings and games as files that any web host can serve
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crownhead export site my_ladder pages")]
pub(super) struct Export {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Site(ExportSite),
}

/// Write a ladder or recorded games as a folder of pages
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead export site my_ladder pages
  python3 -m http.server --directory pages

The pages are those of `crownhead serve`: play against the built-in bots and analysis are answered in the page, by the \
library as WebAssembly. They work from any folder of a web server; opened as a file, a page plays and analyses, and says \
what it needs to show games. At most about 1000 files are made, however many games there are. \
Whole games are analysed as they are written, the newest first, for at most 20 seconds. A folder that was made so is brought up to date.")]
struct ExportSite {
    /// A ladder's folder, a file that `match --record` wrote, or games in PDN
    path: PathBuf,
    /// The folder to make
    folder: PathBuf,
}

impl Export {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let What::Site(ExportSite { path, folder }) = &self.what;
        let mut site = open_site(path)?;
        let mut progress: Option<Progress> = None;
        let done = export(&mut site, folder, |done, all| {
            let progress = progress.get_or_insert_with(|| Progress::new("games", Some(all as u64)));
            progress.show(done as u64, || "analysing, the newest first".into());
        })?;
        if let Some(progress) = progress {
            progress.finish();
        }
        let (games, files, megabytes) = (done.games, done.files, done.bytes as f64 / 1e6);
        writeln!(
            anstream::stdout(),
            "{games} games in {files} files, {megabytes:.1} MB"
        )?;
        if (1..games).contains(&done.analysed) {
            let analysed = done.analysed;
            note(format_args!(
                "the newest {analysed} games are analysed; `crownhead serve` analyses the others"
            ));
        }
        if done.left_out > 0 {
            let left_out = done.left_out;
            anstream::eprintln!("note: {left_out} games cannot be shown and are left out");
        }
        Ok(())
    }
}
