//! `crownhead perft`: counts move sequences.

use super::options::board_of;
use crate::failure::Failure;
use clap::Args;
use crownhead_bots::options::game_parser;
use crownhead_bots::{Board, BoardGame, games};
use crownhead_record::numbers::{show_count, show_rate};
use std::io::Write;
use std::time::Instant;

/// Count move sequences (perft), to check a move generator
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  crownhead perft --depth 10 --divide
  crownhead perft --game chess --depth 4")]
pub(super) struct Perft {
    /// Depth in plies
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Split the count of the last depth by first move
    #[arg(long)]
    divide: bool,
    /// Game whose moves are counted
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    game: &'static dyn BoardGame,
    /// Position to start from: FEN of draughts, or the rows and the side to move
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

impl Perft {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let rules = self.game.rule_books()[0];
        let board = board_of(self.fen.as_deref(), self.game, rules)?;
        let board = board.as_ref();
        let count = |board: &dyn Board, depth| board.game().perft(board, depth);
        let mut out = std::io::stdout().lock();
        if self.divide {
            let mut sum = 0;
            let started = Instant::now();
            for name in board.legal_moves() {
                let mut after = board.duplicate();
                after.play(&name);
                let leaves = count(after.as_ref(), self.depth - 1);
                writeln!(out, "{name:<8} {:>16}", show_count(leaves))?;
                sum += leaves;
            }
            let speed = speed(sum, started) + "/s";
            writeln!(out, "{:<8} {:>16} {speed:>10}", "all", show_count(sum))?;
        } else {
            writeln!(out, "depth           leaves   leaves/s")?;
            for depth in 1..=self.depth {
                let started = Instant::now();
                let leaves = count(board, depth);
                let speed = speed(leaves, started);
                writeln!(out, "{depth:>5} {:>16} {speed:>10}", show_count(leaves))?;
            }
        }
        Ok(())
    }
}

fn speed(leaves: u64, started: Instant) -> String {
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    show_rate(leaves as f64 / seconds)
}
