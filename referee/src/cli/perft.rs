//! `crownhead perft`: counts of move trees.

use super::Failure;
use super::options::{parse_fen, show_number};
use clap::Args;
use crownhead::notation::Notation;
use crownhead::perft::{BulkPerft, perft, perft_bulk};
use crownhead_bots::games::{GameName, GameVisitor, Played};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

/// Count the move sequences of a game, depth by depth: the test of a move generator
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crownhead perft --depth 10 --divide")]
pub(super) struct Perft {
    /// How many plies deep
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Split the deepest count by first move
    #[arg(long)]
    divide: bool,
    /// Count the moves of the last plies without making them
    #[arg(long)]
    bulk: bool,
    /// The game whose moves are counted
    #[arg(long, value_name = "NAME", default_value = "checkers")]
    game: GameName,
    /// Start from this position of checkers, a FEN of draughts [default: the start]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(super) fn run(&self) -> Result<(), Failure> {
        struct Count<'a>(&'a Perft);
        impl GameVisitor for Count<'_> {
            type Output = Result<(), Failure>;
            fn run<G: Played>(self) -> Result<(), Failure> {
                self.0.count(&G::start(&G::RULE_BOOKS[0]))
            }
        }
        match &self.fen {
            None => self.game.choose(Count(self)),
            Some(fen) if self.game == GameName::Checkers => self.count(&parse_fen(fen)?),
            Some(_) => Err(Failure::Usage("--fen is for checkers alone".into())),
        }
    }

    fn count<G: Notation + BulkPerft>(&self, position: &G) -> Result<(), Failure> {
        let count = if self.bulk {
            perft_bulk::<G>
        } else {
            perft::<G>
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            let legal = position.legal_moves();
            let moves = legal.iter().filter(|_| self.divide).map(|&mv| {
                let leaves = count(&position.play_unchecked(mv), self.depth - 1);
                (position.move_name(mv), leaves)
            });
            let by_move: BTreeMap<String, u64> = moves.collect();
            let depths = 1..=self.depth;
            let leaves: Vec<u64> = depths.map(|depth| count(position, depth)).collect();
            let result = json!({"leaves_by_depth": leaves, "leaves_by_move": by_move});
            writeln!(out, "{result:#}")?;
        } else if self.divide {
            let mut sum = 0;
            let started = Instant::now();
            for mv in position.legal_moves() {
                let leaves = count(&position.play_unchecked(mv), self.depth - 1);
                writeln!(
                    out,
                    "{:<8} {:>16}",
                    position.move_name(mv),
                    show_number(leaves)
                )?;
                sum += leaves;
            }
            let speed = speed(sum, started);
            writeln!(out, "{:<8} {:>16}   {speed}", "all", show_number(sum))?;
        } else {
            writeln!(out, "depth           leaves   leaves/s")?;
            for depth in 1..=self.depth {
                let started = Instant::now();
                let leaves = count(position, depth);
                writeln!(
                    out,
                    "{depth:>5} {:>16}   {}",
                    show_number(leaves),
                    speed(leaves, started)
                )?;
            }
        }
        Ok(())
    }
}

fn speed(leaves: u64, started: Instant) -> String {
    format!(
        "{:.1} million",
        leaves as f64 / started.elapsed().as_secs_f64().max(1e-9) / 1e6
    )
}
