//! `crownhead export`: pages as files.

use super::output::write_json;
use super::progress::{Progress, note};
use super::serve::open_site;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use crownhead_record::numbers::counted;
use crownhead_web::export;
use serde_json::json;
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
    /// Print what was written as one JSON object
    #[arg(long)]
    json: bool,
}

impl Export {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let What::Site(ExportSite { path, folder, json }) = &self.what;
        let mut site = open_site(path)?;
        let mut progress: Option<Progress> = None;
        let done = export(&mut site, folder, |done, all| {
            let progress = progress.get_or_insert_with(|| Progress::new("games", Some(all as u64)));
            progress.show(done as u64, || "analysing, the newest first".into());
        })?;
        if let Some(progress) = progress {
            progress.finish();
        }
        if *json {
            let result = json!({
                "games": done.games,
                "files": done.files,
                "bytes": done.bytes,
                "analysed": done.analysed,
                "left_out": done.left_out,
            });
            return Ok(write_json(&mut anstream::stdout(), &result)?);
        }
        let megabytes = done.bytes as f64 / 1e6;
        let (games, files) = (counted(done.games, "game"), counted(done.files, "file"));
        writeln!(anstream::stdout(), "{games} in {files}, {megabytes:.1} MB")?;
        if (1..done.games).contains(&done.analysed) {
            let analysed = counted(done.analysed, "game");
            note(format_args!(
                "the analysis covers the newest {analysed}; `crownhead serve` analyses the others"
            ));
        }
        if done.left_out > 0 {
            let left_out = counted(done.left_out, "game");
            note(format_args!("left out {left_out} that cannot be shown"));
        }
        Ok(())
    }
}
