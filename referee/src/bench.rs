//! `crownhead bench`: counts the nodes of the search, and how fast it is, on fixed positions.

use super::output::write_json;
use super::progress::Progress;
use super::table::{left, right, stdout_screen, table};
use crate::failure::Failure;
use clap::Args;
use crownhead::search::{MAX_PLY, PROVEN, WIN};
use crownhead_bots::alphabeta::TABLE_MEBIBYTES;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::bench::{positions, run};
use crownhead_record::numbers::{counted, show_count, show_rate, show_time};
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// Benchmark the built-in search on fixed positions
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead bench
  crownhead bench --depth 8 --json",
    after_long_help = "\
The nodes of all positions add up to a signature. It is the same on every machine and changes only with the search. \
Speed needs a quiet machine."
)]
pub(super) struct Bench {
    /// Game to search; except in checkers, positions come from random moves
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    game: &'static dyn BoardGame,
    /// Search every position to this depth
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..i64::from(MAX_PLY)))]
    depth: u32,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (game, depth) = (self.game, self.depth);
        let count = positions(game).len();
        let mut progress = Progress::new("positions", Some(count as u64));
        let mut searched = 0;
        let trials = run(game, depth, TABLE_MEBIBYTES, |trial| {
            searched += 1;
            progress.show(searched, || trial.name.clone());
        });
        progress.finish();
        let signature: u64 = trials.iter().map(|trial| trial.nodes).sum();
        let time: Duration = trials.iter().map(|trial| trial.time).sum();
        let speed = |nodes: u64, time: Duration| nodes as f64 / time.as_secs_f64().max(1e-6);
        let mut out = anstream::stdout().lock();
        if self.json {
            let value = json!({
                "game": game.name(),
                "depth": depth,
                "signature": signature,
                "nodes_per_second": speed(signature, time),
                "positions": trials,
            });
            return Ok(write_json(&mut out, &value)?);
        }
        let count = counted(count, "position");
        writeln!(out, "{count} of {} to depth {depth}\n", game.name())?;
        let columns = [
            left("position"),
            right("deepest"),
            right("nodes"),
            right("nodes/s"),
            right("score"),
            left("best"),
        ];
        let rows = trials.iter().map(|trial| {
            vec![
                trial.name.clone(),
                trial.selective_depth.to_string(),
                show_count(trial.nodes),
                show_rate(speed(trial.nodes, trial.time)),
                show_score(trial.score),
                trial.best.clone(),
            ]
        });
        write!(out, "{}", table(&columns, rows, stdout_screen()))?;
        let speed = show_rate(speed(signature, time));
        writeln!(
            out,
            "\nnodes/s    {speed}\ntime       {}\nsignature  {signature}",
            show_time(time)
        )?;
        Ok(())
    }
}

/// `+12`, `win in 9`.
fn show_score(score: i32) -> String {
    match score {
        PROVEN.. => format!("win in {}", WIN - score),
        score if score <= -PROVEN => format!("loss in {}", WIN + score),
        score => format!("{score:+}"),
    }
}
