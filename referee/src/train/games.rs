//! `crownhead train games`: games of the search with itself.

use super::super::progress::Progress;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::numbers::{counted, show_count};
use crownhead_train::generate::Generation;
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
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    game: &'static dyn BoardGame,
    /// Rule book; checkers has contest and classroom [default: the game's first]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
}

impl TrainGames {
    pub(super) fn run(&self) -> Result<(), Failure> {
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
        let there = there.map_err(|error| usage(error.of_file(&self.file)))?;
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
