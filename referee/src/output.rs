//! What commands write: JSON, and the games of a match. The files that they write to are made in `output_file`.

use super::output_file::{OutputFile, OutputPath, is_stdout};
use crate::failure::{Failure, usage};
use anyhow::Context;
use crownhead_board::CHECKERS;
use crownhead_record::{GameRecord, is_pdn, write_pdn};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a value as JSON for programs, indented.
pub(super) fn write_json(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    Ok(writeln!(out)?)
}

/// Where the games and the result of a match or a test go.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ResultOptions {
    /// Print the result as one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// Write every game to this new file as it ends: PDN if its name ends in .pdn, else one JSON object a line;
    /// `-` is standard output, and the result then goes to standard error
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the file of --record if it is there
    #[arg(long, requires = "record")]
    force: bool,
}

impl ResultOptions {
    /// The file of games, if one is wanted. A new one is there from now on; one that replaces another is there with its
    /// first game.
    pub(super) fn open(&self, game: &str) -> Result<Option<GameFile>, Failure> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        let mut file = GameFile::open(path, self.force, game)?;
        if !self.force {
            file.out.put_in_place()?;
        }
        Ok(Some(file))
    }

    /// Where the result goes.
    pub(super) fn out(&self) -> Box<dyn Write> {
        match &self.record {
            Some(path) if is_stdout(path) => Box::new(anstream::stderr()),
            _ => Box::new(anstream::stdout()),
        }
    }
}

/// A file that games are written to.
pub(super) struct GameFile {
    out: OutputFile,
    pdn: bool,
}

impl GameFile {
    /// A file that takes its place when games were added to it and it is flushed, or standard output.
    pub(super) fn open(path: &Path, force: bool, game: &str) -> Result<GameFile, Failure> {
        let pdn = is_pdn(path);
        if pdn && game != CHECKERS.name() {
            return Err(usage(format_args!(
                "PDN is for checkers; these are games of {game}"
            )));
        }
        let out = OutputPath::new(path, force)?.create()?;
        Ok(GameFile { out, pdn })
    }

    /// Writes a game.
    pub(super) fn add(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        if self.pdn {
            let text = write_pdn(game).with_context(|| format!("game {}", game.number))?;
            self.out.write_all(text.as_bytes())?;
        } else {
            serde_json::to_writer(&mut self.out, game)?;
        }
        Ok(self.out.write_all(b"\n")?)
    }

    /// Writes games, so that none that was played is lost.
    pub(super) fn add_all<'a>(
        &mut self,
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> anyhow::Result<()> {
        games.into_iter().try_for_each(|game| self.add(game))?;
        self.out.put_in_place()
    }
}
