//! `crownhead train fit`: a network fitted to the games of files.

use super::super::options::show_number;
use super::super::output;
use super::super::progress::Progress;
use crate::failure::Failure;
use anyhow::{Context, bail};
use clap::Args;
use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead::network::{Inputs, UNITS, WORD};
use crownhead::notation::{Notation, rule_book};
use crownhead_plot::loss_curve;
use crownhead_record::seed::stable_hash;
use crownhead_train::data::{Games, Header};
use crownhead_train::fit::{FitSettings, fit};
use crownhead_train::samples::Samples;
use crownhead_train::weights_file::{DataFile, WeightsFile};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Fit a network to the quiet positions of games
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead train fit ~/data/first.games --out ~/data/first.json --plot ~/data/first.svg

On one thread, and bit for bit the same each time. Every twentieth game is held out: nothing is learnt from \
it, and the loss on its positions is shown beside that on the others.")]
pub(super) struct TrainFit {
    /// Files that `crownhead train games` wrote
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write the network to
    #[arg(long, value_name = "FILE.json")]
    out: PathBuf,
    /// Draw the losses over the epochs into this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Hidden units, a multiple of 16
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = parse_hidden)]
    hidden: usize,
    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions between two steps of the optimiser
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = parse_batch)]
    batch: usize,
    /// The learning rate at first
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = parse_positive)]
    rate: f32,
    /// The share of the result in what is learnt, from 0 to 1; the rest is the score of the search
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_share)]
    result_share: f32,
    /// The score that stands for odds of e to 1, in hundredths of a man [default: as the results have it]
    #[arg(long, value_name = "SCORE", value_parser = parse_positive)]
    scale: Option<f32>,
    /// Chooses the first weights and the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// One game in so many is held out.
const HELD_OUT: u64 = 20;

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
        let game = header_of(&self.files[0])?.game;
        match game.as_str() {
            "checkers" => self.fit::<_, Checkers, checkers::Learned>(),
            "everchess" => self.fit::<_, EverChess, everchess::Learned>(),
            "chess" => self.fit::<_, Chess, chess::PieceSquares>(),
            other => Err(Failure::Usage(format!(
                "{}: there are no inputs of a network for {other}; expected games of checkers, everchess or chess",
                self.files[0].display()
            ))),
        }
    }

    fn fit<const WORDS: usize, G, E>(&self) -> Result<(), Failure>
    where
        G: Notation + Inputs<WORDS>,
        E: Evaluate<G> + Default,
    {
        let (mut train, mut held_out) = (Samples::new(WORDS), Samples::new(WORDS));
        let mut data = Vec::new();
        let mut number = 0;
        for path in &self.files {
            let file = add_games::<_, G, E>(path, &mut number, &mut train, &mut held_out)
                .with_context(|| path.display().to_string())?;
            data.push(file);
        }
        if train.is_empty() || held_out.is_empty() {
            return Err(Failure::Usage(format!(
                "these {number} games have too few quiet positions to fit a network to"
            )));
        }
        if self.scale.is_none() && !train.has_results() {
            return Err(Failure::Usage(
                "these games were broken off and have no results that tell what a score stands for; give --scale, \
                 such as --scale 150"
                    .into(),
            ));
        }
        let settings = FitSettings {
            hidden: self.hidden,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            result_share: self.result_share,
            scale: self.scale,
            seed: self.seed,
        };
        let mut progress = Progress::new("epochs", Some(self.epochs.into()));
        let mut epochs = 0;
        let shape = (WORDS * WORD, G::BUCKETS);
        let fitted = fit(&train, &held_out, shape, settings, |_, learnt, held| {
            epochs += 1;
            progress.show(epochs, || format!("loss {learnt:.5}, held out {held:.5}"));
        });
        progress.finish();
        if let Some(path) = &self.plot {
            output::write(path, &loss_curve(&fitted.losses)?)?;
        }
        let positions = (train.len(), held_out.len());
        let file = WeightsFile::new(G::NAME, settings, data, positions, fitted);
        output::write(&self.out, &serde_json::to_string(&file)?)?;
        let (learnt, held) = file.losses.last().copied().unwrap_or_default();
        if self.json {
            let result = json!({
                "positions": positions.0,
                "held_out": positions.1,
                "loss": learnt,
                "loss_held_out": held,
                "scale": file.scale,
            });
            writeln!(anstream::stdout(), "{result:#}")?;
            return Ok(());
        }
        writeln!(
            anstream::stdout(),
            "{} positions learnt from: loss {learnt:.5}; {} held out: loss {held:.5}; scale {:.0}",
            show_number(positions.0 as u64),
            show_number(positions.1 as u64),
            file.scale,
        )?;
        Ok(())
    }
}

/// How the games of a file were played.
fn header_of(path: &Path) -> anyhow::Result<Header> {
    let file = std::fs::File::open(path);
    let games = file
        .map_err(Into::into)
        .and_then(|file| Games::new(std::io::BufReader::new(file)));
    Ok(games.with_context(|| path.display().to_string())?.header)
}

/// Adds the positions of a file's games to the samples. `number` counts the games of all files.
fn add_games<const WORDS: usize, G, E>(
    path: &Path,
    number: &mut u64,
    train: &mut Samples,
    held_out: &mut Samples,
) -> anyhow::Result<DataFile>
where
    G: Notation + Inputs<WORDS>,
    E: Evaluate<G> + Default,
{
    // What does not begin as such a file is not read whole.
    header_of(path)?;
    let bytes = std::fs::read(path)?;
    let games = Games::new(&bytes[..])?;
    let header = games.header.clone();
    if header.game != G::NAME {
        bail!("games of {}; the first file has {}", header.game, G::NAME);
    }
    let rules = rule_book::<G>(&header.rules);
    let rules = rules.with_context(|| format!("there is no rule book `{}`", header.rules))?;
    let first = *number;
    for game in games {
        let samples = if number.is_multiple_of(HELD_OUT) {
            &mut *held_out
        } else {
            &mut *train
        };
        samples.add::<_, G, _>(&game?, *number - first, rules, &E::default())?;
        *number += 1;
    }
    let name = path.file_name().unwrap_or_default();
    Ok(DataFile {
        name: name.to_string_lossy().into_owned(),
        games: *number - first,
        hash: format!("{:016x}", stable_hash(&bytes)),
        header,
    })
}
