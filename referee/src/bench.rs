//! `crownhead bench`: measures how deep and how fast the search is, on fixed positions.

use super::output::write_json;
use super::progress::Progress;
use super::table::{left, right, stdout_screen, table};
use crate::failure::Failure;
use clap::Args;
use crownhead::search::{MAX_PLY, PROVEN, WIN};
use crownhead_arena::options::parse_time;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::numbers::{counted, show_count, show_rate, show_time};
use crownhead_train::bench::positions::positions_of;
use crownhead_train::bench::report::Trial;
use crownhead_train::bench::{BenchReport, Limit, run};
use serde_json::json;
use std::io::{self, Write};
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
only with the search. Speed, and depth within a time limit, need a quiet machine. In checkers, the positions include \
tactics, and the table shows which are found."
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
        let limit = self.time.map_or(Limit::Depth(self.depth), Limit::Time);
        let game = self.game;
        let mut progress = Progress::new("positions", Some(positions_of(game).len() as u64));
        let mut searched = 0;
        let report = run(game, limit, |trial| {
            searched += 1;
            progress.show(searched, || trial.position.name.clone());
        });
        progress.finish();
        let mut out = anstream::stdout().lock();
        if self.json {
            let mut value = report.to_json();
            value["game"] = json!(game.name());
            write_json(&mut out, &value)?;
        } else {
            write_table(game.name(), &report, &mut out)?;
        }
        Ok(())
    }
}

/// The run as a table.
fn write_table(game: &str, report: &BenchReport, out: &mut impl Write) -> io::Result<()> {
    let count = counted(report.positions.len(), "position");
    writeln!(out, "{count} of {game}, {}\n", report.limit)?;
    let columns = [
        left("position"),
        right("depth"),
        right("nodes"),
        right("nodes/s"),
        right("score"),
        left("best"),
    ];
    let rows = report.positions.iter().map(|trial| {
        let Trial { position, measured } = trial;
        [
            position.name.clone(),
            measured.depth.to_string(),
            show_count(measured.nodes),
            show_rate(measured.speed()),
            show_score(measured.score),
            verdict(trial),
        ]
    });
    let totals = report.totals();
    let all = [
        "all (mean depth)".into(),
        format!("{:.1}", totals.mean_depth),
        show_count(totals.nodes),
        show_rate(totals.nodes_per_second),
        String::new(),
        format!("{} of {} found", totals.solved, totals.solvable),
    ];
    let rows = rows.chain([all]);
    write!(out, "{}", table(&columns, rows, stdout_screen()))?;
    writeln!(out, "\ntime       {}", show_time(totals.time))?;
    match report.signature() {
        Some(signature) => writeln!(out, "signature  {signature}"),
        None => Ok(()),
    }
}

/// `D4E5 found`, or `D4E5, not C3B4`.
fn verdict(trial: &Trial) -> String {
    let best = &trial.measured.best;
    match (trial.solved(), &trial.position.expected) {
        (Some(true), _) => format!("{best} found"),
        (Some(false), Some(expected)) => format!("{best}, not {expected}"),
        _ => best.clone(),
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
