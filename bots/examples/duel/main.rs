//! Two searches of checkers play pairs of games in one process: how a change is measured.
//!
//! ```text
//! cargo run --release -p crownhead-bots --example duel -- strong razoring_depth=0 --nodes 8000
//! ```
//!
//! A side is `strong`, or parameters of the search that differ from its own. Each opening, ten turns at random that leave the game about even, is played twice with the colours swapped. A proven
//! win ends a game as won, a position on the board for the third time as drawn.

#![allow(clippy::print_stdout)]

mod games;

use clap::Parser;
use crownhead::search::Parameters;
use games::{by_name, play_pair, TurnLimit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::Duration;

#[derive(Parser)]
struct Options {
    /// The side whose score is given
    #[arg(value_parser = parse_side)]
    first: Parameters,
    /// Its opponent
    #[arg(value_parser = parse_side)]
    second: Parameters,
    /// How many openings are played, each twice
    #[arg(long, default_value_t = 100)]
    pairs: u64,
    /// Positions to look at in a turn
    #[arg(long)]
    nodes: Option<u64>,
    /// Time for a turn
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Chooses the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    threads: u32,
}

fn parse_side(text: &str) -> Result<Parameters, String> {
    let mut parameters = Parameters::default();
    if text == "strong" {
        return Ok(parameters);
    }
    for setting in text.split(',') {
        let (name, value) = setting
            .split_once('=')
            .ok_or("expected strong, or settings such as razoring_depth=0")?;
        let number: i32 = value
            .parse()
            .map_err(|_| format!("{value:?} is no whole number"))?;
        let parameter = by_name(&mut parameters, name)
            .ok_or_else(|| format!("the search has no parameter {name:?}"))?;
        *parameter = number;
    }
    Ok(parameters)
}

fn main() {
    let options = Options::parse();
    let limit = TurnLimit {
        nodes: options.nodes,
        time: options.time,
    };
    let next = AtomicU64::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= options.pairs {
                    break;
                }
                let points =
                    play_pair([&options.first, &options.second], limit, options.seed, pair);
                results.lock().expect("no thread panicked").push(points);
            });
        }
    });
    report(&results.into_inner().expect("no thread panicked"));
}

/// Wins, draws and losses, the score, and the difference in Elo with 95 % error from pairs' scores.
fn report(pairs: &[[usize; 2]]) {
    let (mut games, mut by_points) = ([0; 3], [0; 5]);
    for &[one, other] in pairs {
        games[one] += 1;
        games[other] += 1;
        by_points[one + other] += 1;
    }
    let count = pairs.len() as f64;
    let share = |pair: &[usize; 2]| (pair[0] + pair[1]) as f64 / 4.0;
    let mean = pairs.iter().map(share).sum::<f64>() / count;
    let variance = pairs
        .iter()
        .map(|pair| (share(pair) - mean).powi(2))
        .sum::<f64>()
        / count;
    let error = 1.96 * (variance / count).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    // The likelihood ratio of +5 Elo against 0, by the normal approximation of the pentanomial model.
    let (null, better) = (0.5, 1.0 / (1.0 + 10f64.powf(-5.0 / 400.0)));
    let ratio = (better - null) * (2.0 * mean - null - better) * count / (2.0 * variance.max(1e-6));
    println!(
        "+{} ={} -{}  {:.1} %  {:+.0} ± {:.0} Elo  pairs by half points {by_points:?}  LLR(0, 5) {ratio:+.2}",
        games[2],
        games[1],
        games[0],
        100.0 * mean,
        elo(mean),
        (elo(mean + error) - elo(mean - error)) / 2.0,
    );
}
