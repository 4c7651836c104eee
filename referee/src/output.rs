//! What commands write: JSON, and the games of a match. The files that they write to are made in `output_file`.

use super::output_file::{OutputFile, OutputPath, in_words, is_stdout};
use crate::failure::{Failure, usage};
use anyhow::Context;
use crownhead_board::CHECKERS;
use crownhead_record::{GameRecord, is_pdn, write_pdn};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
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

    /// Prints the result on standard output, or on standard error: where the games are on standard output, and where that
    /// cannot be written to. An interrupt also ends the program that reads it.
    ///
    /// # Errors
    /// When standard output cannot be written to, for another reason than that its reader is gone.
    pub(super) fn print(&self, result: &[u8]) -> anyhow::Result<()> {
        let has_games = self.record.as_deref().is_some_and(is_stdout);
        let printed = match has_games {
            true => Err(None),
            false => print_on(&mut anstream::stdout(), result).map_err(Some),
        };
        let Err(failed) = printed else {
            return Ok(());
        };
        // Where that is gone too, nobody is left to tell.
        let _ = anstream::stderr().write_all(result);
        match failed {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(in_words(error).context("standard output"))
            }
            _ => Ok(()),
        }
    }
}

/// Writes all of this, or as much as a reader wants that leaves amid it (`| head`).
fn print_on(out: &mut impl Write, text: &[u8]) -> io::Result<()> {
    let begun = out.write(text)?;
    let rest = out.write_all(&text[begun..]).and_then(|()| out.flush());
    rest.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
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
        let text = self.text_of(game)?;
        Ok(self.out.write_all(&text)?)
    }

    /// Writes games, so that none that was played is lost: all of them or, where the disk is full, none.
    pub(super) fn add_all<'a>(
        &mut self,
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> anyhow::Result<()> {
        let texts = games.into_iter().map(|game| self.text_of(game));
        let texts = texts.collect::<anyhow::Result<Vec<_>>>()?;
        self.out.append(&texts.concat())
    }

    fn text_of(&self, game: &GameRecord) -> anyhow::Result<Vec<u8>> {
        let mut text = match self.pdn {
            true => {
                let text = write_pdn(game).with_context(|| format!("game {}", game.number))?;
                text.into_bytes()
            }
            false => serde_json::to_vec(game)?,
        };
        text.push(b'\n');
        Ok(text)
    }
}
