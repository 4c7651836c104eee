//! `crownhead train games`: games of the search with itself.

use super::super::progress::Progress;
use crate::failure::Failure;
use anyhow::Context;
use clap::Args;
use crownhead_bots::games::ListedGame;
use crownhead_record::numbers::{counted, show_count};
use crownhead_train::data::SelfPlay;
use crownhead_train::generate::Generation;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Play games of the search with itself, and keep each position's move, score and result
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead train games ~/data/first.games --games 20000 --nodes 1000

Each game follows from the seed and its number, so the same command makes the same file. Where the file has \
some of the games, the others are added: a run that was stopped goes on with the same command.")]
pub(super) struct TrainGames {
    /// The file that the games are kept in; anywhere but in the repository
    file: PathBuf,
    /// The game
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    game: ListedGame,
    /// The rule book [default: the game's first]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// How many games the file is to hold
    #[arg(long, short, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Positions to look at in a turn
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Chooses openings and random moves
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The fewest random turns of an opening
    #[arg(long, value_name = "TURNS", default_value_t = 4)]
    opening_from: u32,
    /// The most random turns of an opening
    #[arg(long, value_name = "TURNS", default_value_t = 14)]
    opening_to: u32,
    /// How far from even an opening may leave the game, in hundredths of a man
    #[arg(long, value_name = "SCORE", default_value_t = 150, value_parser = clap::value_parser!(i16).range(1..))]
    balance: i16,
    /// The share of random moves after the opening
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share)]
    random: f64,
    /// A game is drawn after so many turns without a capture
    #[arg(long, value_name = "TURNS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    draw_after: u32,
    /// Break a game off, without a result, once so many pieces are captured: what is learnt are positions of many pieces
    #[arg(long, value_name = "PIECES", value_parser = clap::value_parser!(u32).range(1..))]
    until_captured: Option<u32>,
    /// Games at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Print what was done as one JSON object
    #[arg(long)]
    json: bool,
}

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
        let game = self.game.object();
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
        let there = there.with_context(|| self.file.display().to_string())?;
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
