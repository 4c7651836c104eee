//! `crownhead train`: makes an evaluation from games of the search with itself.

use crate::failure::{Failure, usage};
use crate::output_file::OutputPath;
use crate::progress::Progress;
use clap::{Args, Subcommand};
use crownhead::network::UNITS;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::numbers::{counted, show_count};
use crownhead_train::fit::FitSettings;
use crownhead_train::generate::Generation;
use crownhead_train::network_file::fit_files;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

/// Train the built-in bot's evaluation network
#[derive(Debug, Subcommand)]
#[command(before_help = "\
Examples:
  crownhead train games first.games --games 20000
  crownhead train fit first.games --output first.net
  crownhead match 'alphabeta --net first.net' alphabeta --games 400")]
pub(super) enum Train {
    Games(TrainGames),
    Fit(TrainFit),
}

impl Train {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match self {
            Train::Games(command) => command.run(),
            Train::Fit(command) => command.run(),
        }
    }
}

/// Play games of the search with itself, and keep each move, score and result
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead train games first.games --games 20000 --nodes 1000
  crownhead train games chess.games --game chess --threads 4",
    after_long_help = "\
Each game follows from the seed and its number, so the same command makes the same file. If the file has some of the games, \
the others are added: a run that was stopped continues with the same command."
)]
pub(super) struct TrainGames {
    /// File to keep the games in, outside the repository
    file: PathBuf,
    /// Number of games that the file is to hold
    #[arg(long, short, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Positions to search in a turn
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Seed of openings and random moves
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games to play at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    game: &'static dyn BoardGame,
    /// Rule book; checkers has contest and classroom [default: the game's first]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
}

impl TrainGames {
    fn run(&self) -> Result<(), Failure> {
        let game = self.game;
        let generation = Generation {
            game,
            rules: game.rules(self.rules.as_deref()).map_err(Failure::Usage)?,
            nodes: self.nodes,
            seed: self.seed,
            games: self.games,
            threads: self.threads,
        };
        let mut progress = Progress::new("games", Some(self.games));
        let mut positions = 0;
        let there = generation.run(&self.file, |played, game| {
            let searched = game.turns.iter().filter(|turn| turn.score.is_some());
            positions += searched.count() as u64;
            progress.show(played, || counted(positions, "position"));
        });
        let there = there.map_err(usage)?;
        progress.finish();
        let games = self.games.max(there);
        writeln!(
            anstream::stdout(),
            "{} now has {}, {} of them from before; {} with a score added",
            self.file.display(),
            counted(games, "game"),
            show_count(there),
            counted(positions, "position"),
        )?;
        Ok(())
    }
}

/// Fit a network to the quiet positions of games
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead train fit first.games --output first.net
  crownhead train fit first.games second.games -o second.net --hidden 64",
    after_long_help = "\
The fit runs on one thread and gives the same bits each time. It learns nothing from every twentieth game; the loss on their \
positions is shown beside the loss on the others.

A network that learns from the scores of another one gives somewhat larger scores, and more so from round to round. \
--output-scale brings them back to hundredths of a man, the unit of the search's margins."
)]
pub(super) struct TrainFit {
    /// Files that `crownhead train games` wrote
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write the network to
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: PathBuf,
    /// Replace the file of --output if it exists
    #[arg(long, short)]
    force: bool,
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
    #[arg(long, value_name = "N", default_value_t = 256, help_heading = LEARNING, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Learning rate at the start
    #[arg(long, value_name = "RATE", default_value_t = 0.002, help_heading = LEARNING, value_parser = parse_positive)]
    rate: f32,
    /// Share of the game's result in what is learnt, from 0 to 1
    ///
    /// The rest is the score of the search.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, help_heading = LEARNING, value_parser = parse_share)]
    result_share: f32,
    /// Score that means odds of e to 1, in hundredths of a man
    #[arg(long, value_name = "SCORE", default_value_t = 150.0, help_heading = LEARNING, value_parser = parse_positive)]
    scale: f32,
    /// The same for the scores of the network itself [default: as --scale]
    #[arg(long, value_name = "SCORE", help_heading = LEARNING, value_parser = parse_positive)]
    output_scale: Option<f32>,
    /// Seed of the first weights and of the order of positions
    #[arg(long, short, value_name = "N", default_value_t = 1, help_heading = LEARNING)]
    seed: u64,
}

/// The heading of the options that say how the network learns.
const LEARNING: &str = "Learning";

/// Reads a number that fits.
fn number<N: FromStr>(text: &str, fits: fn(&N) -> bool, expected: &str) -> Result<N, String> {
    let number = text.parse().ok().filter(fits);
    number.ok_or_else(|| format!("expected {expected}"))
}

fn parse_hidden(text: &str) -> Result<usize, String> {
    let fits = |units: &usize| (UNITS..=1024).contains(units) && units.is_multiple_of(UNITS);
    let expected = format!("a multiple of {UNITS} from {UNITS} to 1024");
    number(text, fits, &expected)
}

fn parse_positive(text: &str) -> Result<f32, String> {
    let fits = |number: &f32| *number > 0.0 && number.is_finite();
    number(text, fits, "a number above 0")
}

fn parse_share(text: &str) -> Result<f32, String> {
    let fits = |share: &f32| (0.0..=1.0).contains(share);
    number(text, fits, "a share from 0 to 1, such as 0.1")
}

impl TrainFit {
    fn run(&self) -> Result<(), Failure> {
        let out = OutputPath::new(&self.output, self.force)?;
        let settings = FitSettings {
            hidden: self.hidden,
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            result_share: self.result_share,
            scale: self.scale,
            output_scale: self.output_scale.unwrap_or(self.scale),
            seed: self.seed,
        };
        let mut progress = Progress::new("epochs", Some(self.epochs.into()));
        let mut epochs = 0;
        let fitted = fit_files(&self.files, settings, |learnt, held| {
            epochs += 1;
            progress.show(epochs, || format!("loss {learnt:.5}, held out {held:.5}"));
        });
        let fitted = fitted.map_err(usage)?;
        progress.finish();
        out.write(&fitted.text)?;
        let (positions, (learnt, held)) = (fitted.positions, fitted.losses);
        writeln!(
            anstream::stdout(),
            "learnt from {}: loss {learnt:.5}; {} held out: loss {held:.5}",
            counted(positions.0, "position"),
            show_count(positions.1),
        )?;
        Ok(())
    }
}
