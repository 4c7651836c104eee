//! `crownhead perft`: counts of move trees.

use super::options::show_number;
use super::{Failure, position};
use clap::Args;
use crownhead::game::Game;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead::perft::{perft, perft_bulk};
use std::io::Write;
use std::time::Instant;

/// Count the move sequences of checkers, depth by depth: the test of a move generator
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crownhead perft --depth 10 --divide")]
pub(super) struct Perft {
    /// How many plies deep
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Split the deepest count by first move
    #[arg(long)]
    divide: bool,
    /// Count the moves of the last ply without making them
    #[arg(long)]
    bulk: bool,
    /// Start from this position, a FEN of draughts [default: the start]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

impl Perft {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let position = position::from_option(self.fen.as_deref())?;
        let count = if self.bulk {
            perft_bulk::<Checkers>
        } else {
            perft::<Checkers>
        };
        let mut out = std::io::stdout().lock();
        if self.divide {
            let mut sum = 0;
            let began = Instant::now();
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
            let speed = speed(sum, began);
            writeln!(out, "{:<8} {:>16}   {speed}", "all", show_number(sum))?;
        } else {
            writeln!(out, "depth           leaves   leaves/s")?;
            for depth in 1..=self.depth {
                let began = Instant::now();
                let leaves = count(&position, depth);
                writeln!(
                    out,
                    "{depth:>5} {:>16}   {}",
                    show_number(leaves),
                    speed(leaves, began)
                )?;
            }
        }
        Ok(())
    }
}

fn speed(leaves: u64, began: Instant) -> String {
    format!(
        "{:.1} million",
        leaves as f64 / began.elapsed().as_secs_f64().max(1e-9) / 1e6
    )
}
