//! `crownhead train export`: prints a fitted network as source code.

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

/// Print a fitted network as a Rust module
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead train export first.json > weights.rs
  crownhead train export first.json --scale 150 > weights.rs",
    after_long_help = "\
A network that learns from the scores of another one gives somewhat larger scores, and more so from round to round. --scale \
brings them back to hundredths of a man, the unit of the search's margins."
)]
pub(super) struct TrainExport {
    /// File that `crownhead train fit` wrote
    file: PathBuf,
    /// Score that means odds of e to 1, in hundredths of a man [default: the fit's]
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
