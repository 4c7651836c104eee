//! `crownhead train games`: games of the search with itself.

use super::super::progress::Progress;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::numbers::{counted, show_count};
use crownhead_train::data::SelfPlay;
use crownhead_train::generate::Generation;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

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
    /// Print what was done as one JSON object
    #[arg(long)]
    json: bool,
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser(), help_heading = GAME)]
    game: &'static dyn BoardGame,
    /// Rule book; checkers has contest and classroom [default: the game's first]
    #[arg(long, value_name = "NAME", help_heading = GAME)]
    rules: Option<String>,
    /// Random turns of an opening at least
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = GAME)]
    opening_from: u32,
    /// Random turns of an opening at most
    #[arg(long, value_name = "N", default_value_t = 14, help_heading = GAME)]
    opening_to: u32,
    /// Score after the opening at most, in hundredths of a man
    #[arg(
        long,
        value_name = "SCORE",
        default_value_t = 150,
        help_heading = GAME,
        value_parser = clap::value_parser!(i16).range(1..)
    )]
    balance: i16,
    /// Share of random moves after the opening
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, help_heading = GAME, value_parser = parse_share)]
    random: f64,
    /// Draw a game after N turns without a capture
    #[arg(
        long,
        value_name = "N",
        default_value_t = 50,
        help_heading = GAME,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    draw_after: u32,
    /// Stop a game without a result after N captured pieces, to learn full boards
    #[arg(long, value_name = "N", help_heading = GAME, value_parser = clap::value_parser!(u32).range(1..))]
    until_captured: Option<u32>,
}

/// The heading of the options that say what is played.
const GAME: &str = "Games";

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "expected a share from 0 up to less than 1, such as 0.01".into())
}

impl TrainGames {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.opening_from > self.opening_to {
            return Err(Failure::Usage(
                "--opening-from is more than --opening-to".into(),
            ));
        }
        let game = self.game;
        let generation = Generation {
            game,
            rules: game.rules(self.rules.as_deref()).map_err(Failure::Usage)?,
            settings: self.settings(),
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
        let there = there.map_err(|error| usage(error.of_file(&self.file)))?;
        progress.finish();
        let games = self.games.max(there);
        if self.json {
            let result = json!({
                "games": games,
                "games_there_before": there,
                "positions_added": positions,
            });
            writeln!(anstream::stdout(), "{result:#}")?;
            return Ok(());
        }
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

    fn settings(&self) -> SelfPlay {
        SelfPlay {
            nodes: self.nodes,
            opening: (self.opening_from, self.opening_to),
            balance: self.balance,
            random: self.random,
            draw_after: self.draw_after,
            until_captured: self.until_captured,
        }
    }
}
