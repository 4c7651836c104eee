//! `crownhead train fit`: fits a network to the games of files.

use super::super::output_file::OutputPath;
use super::super::progress::Progress;
use crate::failure::{Failure, about, usage};
use crate::own_games;
use clap::Args;
use crownhead::network::UNITS;
use crownhead_record::numbers::{counted, show_count};
use crownhead_train::fit::{Fit, FitSettings};
use crownhead_train::starting_network::StartingNetwork;
use crownhead_train::weights_file::fit_files;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Fit a network to the quiet positions of games
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead train fit first.games --output first.json
  crownhead train fit first.games second.games -o second.json --from weights.rs",
    after_long_help = "\
The fit runs on one thread and gives the same bits each time. It learns nothing from every twentieth game; the loss on their \
positions is shown beside the loss on the others."
)]
pub(super) struct TrainFit {
    /// Files that `crownhead train games` wrote
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write the network to
    #[arg(long, short, alias = "out", value_name = "FILE.json")]
    output: PathBuf,
    /// Replace the file of --output if it exists
    #[arg(long, short)]
    force: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Network to start from, as `train export` prints it [default: random weights]
    #[arg(long, value_name = "FILE.rs", help_heading = LEARNING)]
    from: Option<PathBuf>,
    /// Hidden units, a multiple of 16
    #[arg(long, value_name = "N", default_value_t = 32, help_heading = LEARNING, value_parser = parse_hidden)]
    hidden: usize,
    /// Times that each position is seen
    #[arg(
        long,
        value_name = "N",
        default_value_t = 12,
        help_heading = LEARNING,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    epochs: u32,
    /// Positions between two steps of the optimiser
    #[arg(long, value_name = "N", default_value_t = 256, help_heading = LEARNING, value_parser = parse_batch)]
    batch: usize,
    /// Learning rate at the start
    #[arg(long, value_name = "RATE", default_value_t = 0.002, help_heading = LEARNING, value_parser = parse_positive)]
    rate: f32,
    /// Share of the game's result in what is learnt, from 0 to 1
    ///
    /// The rest is the score of the search.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, help_heading = LEARNING, value_parser = parse_share)]
    result_share: f32,
    /// Score that means odds of e to 1, in hundredths of a man [default: automatic]
    #[arg(long, value_name = "SCORE", help_heading = LEARNING, value_parser = parse_positive)]
    scale: Option<f32>,
    /// Seed of the first weights and of the order of positions
    #[arg(long, short, value_name = "N", default_value_t = 1, help_heading = LEARNING)]
    seed: u64,
}

/// The heading of the options that say how the network learns.
const LEARNING: &str = "Learning";

fn parse_hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number
        .filter(|number: &usize| (UNITS..=1024).contains(number) && number.is_multiple_of(UNITS))
        .ok_or_else(|| format!("expected a multiple of {UNITS} from {UNITS} to 1024"))
}

fn parse_batch(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a whole number from 1".into())
}

pub(super) fn parse_positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    number
        .filter(|&number: &f32| number > 0.0 && number.is_finite())
        .ok_or_else(|| "expected a number above 0".into())
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a share from 0 to 1, such as 0.1".into())
}

impl TrainFit {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let out = OutputPath::new(&self.output, self.force)?;
        let settings = FitSettings {
            hidden: self.hidden,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            result_share: self.result_share,
            scale: self.scale,
            seed: self.seed,
        };
        let start = self
            .from
            .as_deref()
            .map(|path| StartingNetwork::read(path).map_err(about(path.display())));
        let start = start.transpose()?;
        let mut progress = Progress::new("epochs", Some(self.epochs.into()));
        let mut epochs = 0;
        let file = fit_files(
            own_games::fitted(),
            &self.files,
            settings,
            start.as_ref(),
            |learnt, held| {
                epochs += 1;
                progress.show(epochs, || format!("loss {learnt:.5}, held out {held:.5}"));
            },
        );
        let file = file.map_err(usage)?;
        progress.finish();
        let (positions, Fit { losses, scale, .. }) = (file.positions, &file.fit);
        out.write(&serde_json::to_string(&file)?)?;
        let (learnt, held) = losses.last().copied().unwrap_or_default();
        if self.json {
            let result = json!({
                "positions": positions.0,
                "held_out": positions.1,
                "loss": learnt,
                "loss_held_out": held,
                "scale": scale,
            });
            writeln!(anstream::stdout(), "{result:#}")?;
            return Ok(());
        }
        writeln!(
            anstream::stdout(),
            "learnt from {}: loss {learnt:.5}; {} held out: loss {held:.5}; scale {scale:.0}",
            counted(positions.0, "position"),
            show_count(positions.1),
        )?;
        Ok(())
    }
}
