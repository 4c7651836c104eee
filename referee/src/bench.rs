//! `crownhead bench`: measures how deep and how fast the search is, on fixed positions.

use super::output::write_json;
use super::progress::Progress;
use super::table::{left, right, stdout_screen, table};
use crate::failure::Failure;
use clap::Args;
use crownhead::search::{MAX_PLY, PROVEN, WIN};
use crownhead_arena::options::parse_time;
use crownhead_bots::alphabeta::TABLE_MEBIBYTES;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::bench::{Limit, positions, run};
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
  crownhead bench --time 100ms --json",
    after_long_help = "\
Searched to a fixed depth, the nodes of all positions add up to a signature. It is the same on every machine and changes \
only with the search. Speed, and depth within a time limit, need a quiet machine."
)]
pub(super) struct Bench {
    /// Game to search; except in checkers, positions come from random moves
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    game: &'static dyn BoardGame,
    /// Search every position to this depth
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..i64::from(MAX_PLY)))]
    depth: u32,
    /// Search every position for this long instead
    #[arg(long, short, value_name = "TIME", conflicts_with = "depth", value_parser = parse_time)]
    time: Option<Duration>,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let game = self.game;
        let (limit, within) = match self.time {
            Some(time) => (Limit::Time(time), format!("for {} each", show_time(time))),
            None => (Limit::Depth(self.depth), format!("to depth {}", self.depth)),
        };
        let count = positions(game).len();
        let mut progress = Progress::new("positions", Some(count as u64));
        let mut searched = 0;
        let trials = run(game, limit, TABLE_MEBIBYTES, |trial| {
            searched += 1;
            progress.show(searched, || trial.name.clone());
        });
        progress.finish();
        let nodes: u64 = trials.iter().map(|trial| trial.nodes).sum();
        let signature = self.time.is_none().then_some(nodes);
        let depths: u32 = trials.iter().map(|trial| trial.depth).sum();
        let mean_depth = f64::from(depths) / count as f64;
        let time: Duration = trials.iter().map(|trial| trial.time).sum();
        let speed = |nodes: u64, time: Duration| nodes as f64 / time.as_secs_f64().max(1e-6);
        let mut out = anstream::stdout().lock();
        if self.json {
            let value = json!({
                "game": game.name(),
                "mean_depth": mean_depth,
                "signature": signature,
                "nodes_per_second": speed(nodes, time),
                "positions": trials,
            });
            return Ok(write_json(&mut out, &value)?);
        }
        let count = counted(count, "position");
        writeln!(out, "{count} of {} {within}\n", game.name())?;
        let columns = [
            left("position"),
            right("depth"),
            right("deepest"),
            right("nodes"),
            right("nodes/s"),
            right("score"),
            left("best"),
        ];
        let rows = trials.iter().map(|trial| {
            vec![
                trial.name.clone(),
                trial.depth.to_string(),
                trial.selective_depth.to_string(),
                show_count(trial.nodes),
                show_rate(speed(trial.nodes, trial.time)),
                show_score(trial.score),
                trial.best.clone(),
            ]
        });
        write!(out, "{}", table(&columns, rows, stdout_screen()))?;
        let (speed, time) = (show_rate(speed(nodes, time)), show_time(time));
        writeln!(
            out,
            "\nmean depth {mean_depth:.1}\nnodes/s    {speed}\ntime       {time}"
        )?;
        if let Some(signature) = signature {
            writeln!(out, "signature  {signature}")?;
        }
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
