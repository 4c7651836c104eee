//! `crownhead train export`: prints a fitted network as source code.

use super::fit::parse_positive;
use crate::failure::{Failure, about, usage};
use crate::own_games;
use clap::Args;
use crownhead_record::input::{LONGEST_RECORD, LineReader};
use crownhead_record::system_error::OfFile;
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
        let path = &self.file;
        let file = File::open(path).of_file(path).map_err(usage)?;
        let line = LineReader::new(BufReader::new(file), LONGEST_RECORD).next_line();
        let line = line.of_file(path).map_err(usage)?.unwrap_or_default();
        let path = path.display();
        let file: WeightsFile = serde_json::from_slice(&line).map_err(|_| {
            usage(format_args!(
                "`{path}` holds no weights. Expected a file that `crownhead train fit` wrote"
            ))
        })?;
        let module = module(&file, self.scale, own_games::library());
        let module = module.map_err(about(format!("`{path}`")))?;
        write!(anstream::stdout(), "{module}")?;
        Ok(())
    }
}
