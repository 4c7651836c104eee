//! Where commands write what is asked for: files that are new unless `--force` is given, and standard output by `-`.

use crate::failure::{Failure, usage};
use anyhow::Context;
use crownhead_board::CHECKERS;
use crownhead_record::{GameRecord, is_pdn, write_pdn};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Whether this path means standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes a text to a file, or to standard output. An earlier file is replaced.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if is_stdout(path) {
        return Ok(std::io::stdout().lock().write_all(text.as_bytes())?);
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Writes a value as JSON for programs, indented.
pub(super) fn write_json(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    Ok(writeln!(out)?)
}

/// A file that is not there yet, or with `force` may be.
pub(super) fn create(path: &Path, force: bool) -> Result<File, Failure> {
    let file = if force {
        File::create(path)
    } else {
        File::create_new(path)
    };
    file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => usage(format_args!(
            "{} is there already; name another file, or let --force replace it, so that no earlier ones are lost",
            path.display()
        )),
        _ => usage(format_args!("{}: {error}", path.display())),
    })
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
    /// The file of games, if one is wanted.
    pub(super) fn open(&self, game: &str) -> Result<Option<GameFile>, Failure> {
        let open = |path| GameFile::open(path, self.force, game);
        self.record.as_deref().map(open).transpose()
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
    out: Box<dyn Write>,
    pdn: bool,
}

impl GameFile {
    /// A new file, or standard output.
    pub(super) fn open(path: &Path, force: bool, game: &str) -> Result<GameFile, Failure> {
        let pdn = is_pdn(path);
        if pdn && game != CHECKERS.name() {
            return Err(usage(format_args!(
                "PDN is for checkers; these are games of {game}"
            )));
        }
        let out: Box<dyn Write> = if is_stdout(path) {
            Box::new(std::io::stdout())
        } else {
            Box::new(BufWriter::new(create(path, force)?))
        };
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
        Ok(self.out.flush()?)
    }
}
