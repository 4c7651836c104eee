//! `crownhead ladder export`: all games as JSON lines, or as PDN.

use super::super::{Failure, about};
use super::WithLadder;
use crate::ladder::Folder;
use crate::record::write_pdn;
use anyhow::Context;
use clap::Args;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead_bots::games::Played;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct Export {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// The file to make: PDN if its name ends in .pdn, else JSON lines
    file: PathBuf,
}

impl WithLadder for Export {
    fn run<G: Played>(&self, folder: &Folder) -> Result<(), Failure> {
        let pdn = self
            .file
            .extension()
            .is_some_and(|extension| extension == "pdn");
        if pdn && G::NAME != Checkers::NAME {
            return Err(Failure::Usage(format!(
                "PDN is for checkers; this ladder plays {}",
                G::NAME
            )));
        }
        let store = folder.read_store()?;
        let name = self.file.display().to_string();
        let file = File::create_new(&self.file).map_err(about(&name))?;
        let mut out = BufWriter::new(file);
        store.each_game(|game| -> anyhow::Result<()> {
            if pdn {
                let text = write_pdn(&game).with_context(|| format!("game {}", game.number))?;
                out.write_all(text.as_bytes())?;
            } else {
                serde_json::to_writer(&mut out, &game)?;
            }
            out.write_all(b"\n")?;
            Ok(())
        })?;
        out.flush().context(name)?;
        Ok(())
    }
}
