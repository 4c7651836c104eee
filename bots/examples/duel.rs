//! Two searches of checkers play pairs of games in one process: how a change is measured.
//!
//! ```text
//! cargo run --release -p crownhead-bots --example duel -- strong plain --pairs 100 --time 100ms
//! cargo run --release -p crownhead-bots --example duel -- strong razoring_depth=0 --nodes 8000
//! ```
//!
//! A side is `plain`, `strong`, or parameters of the strong search that differ from its own. Each opening, ten turns at random that leave the game about even, is played twice with the colours swapped. A proven
//! win ends a game as won, a position on the board for the third time as drawn.

#![allow(clippy::print_stdout)]

#[path = "../../tests/support/plain.rs"]
mod plain;

use clap::Parser;
use crownhead::board::Side;
use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{rules, Checkers, CheckersMove, Learned};
use crownhead::position::{Outcome, Position};
use crownhead::search::{
    search, Handler, NodeLimit, Parameters, Report, Root, TranspositionTable, MAX_PLY, PROVEN,
};
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Options {
    /// The side whose score is given
    #[arg(value_parser = parse_side)]
    first: Searcher,
    /// Its opponent
    #[arg(value_parser = parse_side)]
    second: Searcher,
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

#[derive(Clone)]
enum Searcher {
    Plain,
    Strong(Parameters),
}

fn parse_side(text: &str) -> Result<Searcher, String> {
    let mut parameters = Parameters::default();
    match text {
        "plain" => return Ok(Searcher::Plain),
        "strong" => return Ok(Searcher::Strong(parameters)),
        _ => {}
    }
    for setting in text.split(',') {
        let (name, value) = setting
            .split_once('=')
            .ok_or("expected plain, strong, or settings such as razoring_depth=0")?;
        let number: i32 = value
            .parse()
            .map_err(|_| format!("{value:?} is no whole number"))?;
        let parameter = parameters
            .by_name(name)
            .ok_or_else(|| format!("the search has no parameter {name:?}"))?;
        *parameter = number;
    }
    Ok(Searcher::Strong(parameters))
}

/// One side of a game under way.
struct Seat<'a> {
    searcher: &'a Searcher,
    table: TranspositionTable,
}

struct Stop {
    nodes: u64,
    at: Option<Instant>,
}

impl<M> Handler<M> for Stop {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.nodes || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

impl Seat<'_> {
    fn think(
        &mut self,
        position: &Checkers,
        past: &[u64],
        options: &Options,
    ) -> Report<CheckersMove> {
        let mut stop = Stop {
            nodes: options.nodes.unwrap_or(u64::MAX),
            at: options.time.map(|time| Instant::now() + time),
        };
        let found = match self.searcher {
            Searcher::Plain => {
                plain::search(position, &rules::CONTEST, &Material, MAX_PLY, &mut stop)
            }
            Searcher::Strong(parameters) => {
                self.look(position, past, &Learned, parameters, &mut stop)
            }
        };
        found.expect("the game goes on")
    }

    fn look<E: Evaluate<Checkers>>(
        &mut self,
        position: &Checkers,
        past: &[u64],
        evaluation: &E,
        parameters: &Parameters,
        stop: &mut Stop,
    ) -> Option<Report<CheckersMove>> {
        let root = Root {
            past,
            turns: past.len() as u32 + OPENING_TURNS,
            ..Root::new(position, &rules::CONTEST, evaluation)
        };
        search(&root, parameters, &mut self.table, MAX_PLY, stop)
    }
}

/// The evaluation of the plain search: men and kings, and how far the men have come.
///
/// The weights are chosen by hand, for a baseline; what a fit gains over them is in `bots/EXPERIMENTS.md`.
struct Material;

const MAN: i32 = 100;
const KING: i32 = 140;
/// For each row a man has moved towards the row where it is crowned.
const ADVANCE: i32 = 2;

impl Evaluate<Checkers> for Material {
    fn evaluate(&self, position: &Checkers) -> i32 {
        let material = |side: Side| -> i32 {
            let worth = |square| match (position.kings().contains(square), side) {
                (true, _) => KING,
                (false, Side::Black) => MAN + ADVANCE * i32::from(square.row()),
                (false, Side::White) => MAN + ADVANCE * i32::from(7 - square.row()),
            };
            position.pieces(side).squares().map(worth).sum()
        };
        let mover = position.side_to_move();
        material(mover) - material(mover.opponent())
    }
}

const OPENING_TURNS: u32 = 10;
/// An opening is about even when a shallow search gives no more than this, in hundredths of a man. Chosen by hand.
const EVEN: i32 = 130;
/// Enough for a game of short turns, and quick to clear.
const TABLE_MEBIBYTES: usize = 16;

fn opening(seed: u64, pair: u64) -> Checkers {
    let mut rng = Pcg64::seed_from_u64(seed << 32 | pair);
    let mut table = TranspositionTable::new(1);
    loop {
        let mut position = Checkers::start(&rules::CONTEST);
        for _ in 0..OPENING_TURNS {
            if let Some(&mv) = position.legal_moves().choose(&mut rng) {
                position = position.play_unchecked(mv);
            }
        }
        table.clear();
        let root = Root::new(&position, &rules::CONTEST, &Learned);
        let mut limit = NodeLimit { nodes: 10_000 };
        let found = search(&root, &Parameters::default(), &mut table, 9, &mut limit);
        if found.is_some_and(|report| report.score.abs() <= EVEN) {
            return position;
        }
    }
}

/// The outcome of one game from `opening`.
fn play<'a>(
    opening: Checkers,
    black: &mut Seat<'a>,
    white: &mut Seat<'a>,
    options: &Options,
) -> Outcome {
    let max_turns = rules::CONTEST.length.max_turns.unwrap_or(u32::MAX);
    let (mut position, mut past) = (opening, Vec::new());
    black.table.clear();
    white.table.clear();
    loop {
        if let Some(outcome) = position.outcome(&rules::CONTEST) {
            return outcome;
        }
        let seen = past.iter().filter(|&&hash| hash == position.hash()).count();
        if seen >= 2 || past.len() as u32 + OPENING_TURNS >= max_turns {
            return Outcome::Draw;
        }
        let mover = match position.side_to_move() {
            Side::Black => &mut *black,
            Side::White => &mut *white,
        };
        let report = mover.think(&position, &past, options);
        if report.score >= PROVEN {
            return Outcome::Win(position.side_to_move());
        }
        past.push(position.hash());
        position = position.play_unchecked(report.best());
    }
}

/// The points of the first side in the two games of a pair, in half points.
fn play_pair(pair: u64, options: &Options) -> [usize; 2] {
    let seat = |searcher| Seat {
        searcher,
        table: TranspositionTable::new(TABLE_MEBIBYTES),
    };
    let (mut first, mut second) = (seat(&options.first), seat(&options.second));
    let opening = opening(options.seed, pair);
    let points = |outcome, side| match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) => 2 * usize::from(winner == side),
    };
    [
        points(play(opening, &mut first, &mut second, options), Side::Black),
        points(play(opening, &mut second, &mut first, options), Side::White),
    ]
}

fn main() {
    let options = Options::parse();
    let next = AtomicU64::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= options.pairs {
                    break;
                }
                let points = play_pair(pair, &options);
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
