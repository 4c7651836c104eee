//! `crownhead train export`: a fitted network as source.

use super::fit::parse_positive;
use crate::failure::Failure;
use crate::own_games;
use anyhow::Context;
use clap::Args;
use crownhead_record::input::{LONGEST_RECORD, LineReader};
use crownhead_train::export::module;
use crownhead_train::weights_file::WeightsFile;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

/// Print a fitted network as a module of Rust
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead train export ~/data/first.json > src/games/checkers/weights.rs

A network that learns from the scores of another gives somewhat larger ones, from round to round; --scale brings \
them back to hundredths of a man, in which the margins of the search are.")]
pub(super) struct TrainExport {
    /// A file that `crownhead train fit` wrote
    file: PathBuf,
    /// The score that stands for odds of e to 1, in hundredths of a man [default: that of the fit]
    #[arg(long, value_name = "SCORE", value_parser = parse_positive)]
    scale: Option<f32>,
}

impl TrainExport {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let in_file = || self.file.display().to_string();
        let file = File::open(&self.file).with_context(in_file)?;
        let line = LineReader::new(BufReader::new(file), LONGEST_RECORD).next_line();
        let line = line.with_context(in_file)?.unwrap_or_default();
        let file: WeightsFile = serde_json::from_slice(&line)
            .context("expected what `crownhead train fit` writes")
            .with_context(in_file)?;
        let module = module(&file, self.scale, own_games::library())
            .map_err(anyhow::Error::msg)
            .with_context(in_file)?;
        write!(anstream::stdout(), "{module}")?;
        Ok(())
    }
}
