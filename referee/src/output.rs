//! Writes results as JSON, and the games of a match. `output_file` creates the files.

use super::output_file::{OutputFile, OutputPath, is_stdout};
use super::progress::note;
use super::resume::{Earlier, identify, resume_command};
use crate::failure::{Failure, usage};
use anyhow::Context;
use crownhead_arena::headings::OUTPUT;
use crownhead_arena::runner::MatchPlan;
use crownhead_bots::CHECKERS;
use crownhead_record::{GameRecord, is_pdn, write_pdn};
use crownhead_stats::sprt::Sprt;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a value as JSON for programs, indented.
pub(super) fn write_json(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    // A closed pipe is an error of the stream.
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// Where the games and the result of a match or a test go.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ResultOptions {
    /// Write the games to a new file (.jsonl or .pdn)
    ///
    /// A name that ends in .pdn gives PDN, every other name JSON lines. Each game is written as it ends. `-` is standard
    /// output; the result then goes to standard error.
    #[arg(long, short = 'o', value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the file of --record if it exists
    #[arg(long, short, requires = "record", hide_short_help = true)]
    force: bool,
    /// Continue with the games in the file of --record
    #[arg(
        long,
        requires = "record",
        conflicts_with = "force",
        hide_short_help = true
    )]
    resume: bool,
    /// Show the games in a browser
    ///
    /// Without --json, the pages stay until Ctrl-C.
    #[arg(long)]
    pub(super) serve: bool,
    /// Print the result as one JSON object
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(super) json: bool,
}

impl ResultOptions {
    /// The games of an earlier run, if --resume continues it.
    ///
    /// # Errors
    /// If their file cannot be read.
    pub(super) fn earlier(&self) -> Result<Option<Earlier>, Failure> {
        let Some(path) = self.record.as_ref().filter(|_| self.resume) else {
            return Ok(None);
        };
        let earlier = Earlier::read(path)?;
        if earlier.is_none() {
            note(format_args!(
                "{} is not there yet: --resume begins with the first game",
                path.display()
            ));
        }
        Ok(earlier)
    }

    /// The file of games, if --record names one. A new file exists at once; a replaced file is replaced with the first
    /// game.
    ///
    /// # Errors
    /// When it cannot be written, or the earlier games belong to another match.
    pub(super) fn open(
        &self,
        plan: &mut MatchPlan,
        test: Option<&Sprt>,
        earlier: Option<&Earlier>,
    ) -> Result<Option<GameFile>, Failure> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        identify(plan, test)?;
        if let Some(earlier) = earlier {
            earlier.expect_same(plan)?;
            let out = OutputFile::continued(path, earlier.whole)?;
            return Ok(Some(GameFile { out, pdn: false }));
        }
        let mut file = GameFile::open(path, self.force, plan.settings.contest.name())?;
        if !self.force {
            file.out.put_in_place()?;
        }
        Ok(Some(file))
    }

    /// Says how to continue a match that ended early, after this much.
    pub(super) fn tell_how_to_resume(&self, played: impl Display) {
        let way = match &self.record {
            Some(path) if is_pdn(path) || is_stdout(path) => {
                "A record such as games.jsonl can be continued".into()
            }
            Some(_) => format!("Continue with `{}`", resume_command()),
            None => "A match with --record can be continued".into(),
        };
        note(format_args!("{played}. {way}"));
    }

    /// Prints the result on standard output. It goes to standard error instead if standard output has the games or cannot
    /// be written: an interrupt also ends the program that reads it.
    ///
    /// # Errors
    /// When standard output cannot be written, except because its reader is gone.
    pub(super) fn print(&self, result: &[u8]) -> anyhow::Result<()> {
        let mut out = anstream::stdout();
        let has_games = self.record.as_deref().is_some_and(is_stdout);
        let printed = match has_games {
            true => Err(ErrorKind::BrokenPipe.into()),
            false => out.write_all(result).and_then(|()| out.flush()),
        };
        let Err(error) = printed else {
            return Ok(());
        };
        // If standard error is gone too, there is no reader left.
        let _ = anstream::stderr().write_all(result);
        match error.kind() {
            ErrorKind::BrokenPipe => Ok(()),
            _ => Err(anyhow::Error::new(error).context("standard output")),
        }
    }
}

/// A file that games are written to.
pub(super) struct GameFile {
    out: OutputFile,
    pdn: bool,
}

impl GameFile {
    /// Standard output, or a file that appears when games were added and it is flushed.
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
        self.out.write(&text)
    }

    /// Writes games so that none is lost: all of them or, on a full disk, none.
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
