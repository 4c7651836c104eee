//! How the checkers evaluation, and searches of a few plies by it, rank quiet positions beside another engine's search:
//! Spearman's rank correlation.
//!
//! ```text
//! cargo run --release -p crownhead-bots --example correlate -- ~/quiet.fen ~/sparring/guinn/guinn
//! ```
//!
//! The engine answers `new` with a line, and `PDN-FEN MILLISECONDS` with a line that has `eval SCORE` in it, the score
//! being that of the side to move. Positions are read from the file, one FEN a line; where there is none they are
//! drawn and kept in it, so that every evaluation is asked about the same ones: a position from each game, without a
//! capture for either side, which a search calls about even (`--within`). This is a diagnostic and no reason to keep an
//! evaluation: only a match is.

#![allow(clippy::print_stdout)]

use clap::Parser;
use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{rules, Checkers, CheckersMove, Learned};
use crownhead::position::Position;
use crownhead::search::{search, NodeLimit, Parameters, Report, Root, TranspositionTable, MAX_PLY};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

#[derive(Parser)]
struct Options {
    /// The file of positions
    positions: PathBuf,
    /// The engine's program, run in its own folder
    engine: PathBuf,
    /// Milliseconds that the engine thinks about a position
    #[arg(long, default_value_t = 60)]
    milliseconds: u32,
    /// How many positions are drawn if there is no file
    #[arg(long, default_value_t = 2000)]
    draw: usize,
    /// How far from even a search may call a position that is drawn, in hundredths of a man
    #[arg(long, default_value_t = 100)]
    within: i32,
    /// Chooses the positions that are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The numbers of pieces that are looked at apart.
const BANDS: [RangeInclusive<u32>; 3] = [7..=10, 11..=15, 16..=24];

/// How deep searches go whose scores are compared, in plies; at 0 the evaluation is.
const DEPTHS: [u32; 4] = [0, 1, 2, 3];

fn main() -> io::Result<()> {
    let options = Options::parse();
    if !options.positions.exists() {
        let drawn = draw(options.draw, options.within, options.seed);
        let lines: Vec<String> = drawn.iter().map(Checkers::to_fen).collect();
        std::fs::write(&options.positions, lines.join("\n") + "\n")?;
    }
    let text = std::fs::read_to_string(&options.positions)?;
    let mut engine = Engine::start(&options.engine, options.milliseconds)?;
    let mut table = TranspositionTable::new(1);
    let mut scores: [Vec<[i32; 1 + DEPTHS.len()]>; BANDS.len()] = Default::default();
    for (number, fen) in text.lines().enumerate() {
        let position = Checkers::from_fen(fen)
            .map_err(|error| io::Error::other(format!("line {}: {error}", number + 1)))?;
        if let Some(band) = BANDS
            .iter()
            .position(|band| band.contains(&pieces(&position)))
        {
            let [at_0, at_1, at_2, at_3] = DEPTHS.map(|depth| score(&position, &mut table, depth));
            scores[band].push([engine.score(fen)?, at_0, at_1, at_2, at_3]);
        }
    }
    println!("pieces   positions  evaluation  depth 1  depth 2  depth 3");
    for (band, scores) in BANDS.iter().zip(&scores) {
        let ranks =
            |column: usize| ranks(&scores.iter().map(|row| row[column]).collect::<Vec<_>>());
        let [at_0, at_1, at_2, at_3] =
            [1, 2, 3, 4].map(|column| correlation(&ranks(0), &ranks(column)));
        println!(
            "{:>2} to {:>2}  {:>9}  {at_0:>10.3}  {at_1:>7.3}  {at_2:>7.3}  {at_3:>7.3}",
            band.start(),
            band.end(),
            scores.len(),
        );
    }
    Ok(())
}

/// What a search of so many plies says of a position, for its side to move.
fn score(position: &Checkers, table: &mut TranspositionTable, depth: u32) -> i32 {
    if depth == 0 {
        return Learned.evaluate(position);
    }
    table.clear();
    let root = Root::new(position, &rules::CONTEST, &Learned);
    let mut limit = NodeLimit { nodes: u64::MAX };
    let found = search(&root, &Parameters::default(), table, depth, &mut limit);
    found.expect("the game goes on").score
}

fn pieces(position: &Checkers) -> u32 {
    let sides = crownhead::board::Side::BOTH.map(|side| position.pieces(side).squares().count());
    sides.iter().sum::<usize>() as u32
}

/// So many different positions, each from a game of its own.
fn draw(count: usize, within: i32, seed: u64) -> Vec<Checkers> {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut table = TranspositionTable::new(16);
    let (mut drawn, mut seen) = (Vec::new(), HashSet::new());
    while drawn.len() < count {
        table.clear();
        let position = play(&mut rng, &mut table);
        if is_wanted(&position, within, &mut table) && seen.insert(position.hash()) {
            drawn.push(position);
        }
    }
    drawn
}

/// The position after some turns, mostly good ones.
fn play(rng: &mut Pcg64, table: &mut TranspositionTable) -> Checkers {
    let mut position = Checkers::start(&rules::CONTEST);
    for turn in 0..rng.random_range(8..70) {
        let moves = position.legal_moves();
        let Some(&chosen) = moves.choose(rng) else {
            break;
        };
        let by_chance = turn < 6 || rng.random_bool(0.05);
        let mv = if by_chance || moves.len() == 1 {
            chosen
        } else {
            think(&position, table, 1_000).best()
        };
        position = position.play_unchecked(mv);
    }
    position
}

/// Whether a position is quiet, in a band, and no further from even than that.
fn is_wanted(position: &Checkers, within: i32, table: &mut TranspositionTable) -> bool {
    const NODES: u64 = 100_000;
    let mut quiet = !Learned.threatened(position);
    let goes_on = position.each_capture(|_| quiet = false);
    goes_on
        && quiet
        && BANDS.iter().any(|band| band.contains(&pieces(position)))
        && think(position, table, NODES).score.abs() <= within
}

fn think(position: &Checkers, table: &mut TranspositionTable, nodes: u64) -> Report<CheckersMove> {
    let root = Root::new(position, &rules::CONTEST, &Learned);
    let mut limit = NodeLimit { nodes };
    let found = search(&root, &Parameters::default(), table, MAX_PLY, &mut limit);
    found.expect("the game goes on")
}

/// An engine under way.
struct Engine {
    process: Child,
    replies: BufReader<std::process::ChildStdout>,
    milliseconds: u32,
}

impl Engine {
    fn start(program: &Path, milliseconds: u32) -> io::Result<Engine> {
        let program = program.canonicalize()?;
        let mut process = Command::new(&program)
            .current_dir(program.parent().expect("a file is in a folder"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let replies = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        let mut engine = Engine {
            process,
            replies,
            milliseconds,
        };
        engine.ask("new")?;
        Ok(engine)
    }

    /// The engine's score of a position for its side to move.
    fn score(&mut self, fen: &str) -> io::Result<i32> {
        let reply = self.ask(&format!("{fen} {}", self.milliseconds))?;
        let mut words = reply.split_whitespace();
        let score = words.find(|&word| word == "eval").and(words.next());
        score
            .and_then(|score| score.parse().ok())
            .ok_or_else(|| io::Error::other(format!("{reply:?}: expected `eval` and a number")))
    }

    fn ask(&mut self, line: &str) -> io::Result<String> {
        let stdin = self.process.stdin.as_mut().expect("its input is a pipe");
        writeln!(stdin, "{line}")?;
        let mut reply = String::new();
        self.replies.read_line(&mut reply)?;
        Ok(reply)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The rank of each score, from 0; scores that are the same share the mean of theirs.
fn ranks(scores: &[i32]) -> Vec<f64> {
    let rank = |score: &i32| {
        let lower = scores.iter().filter(|&other| other < score).count();
        let same = scores.iter().filter(|&other| other == score).count();
        lower as f64 + (same - 1) as f64 / 2.0
    };
    scores.iter().map(rank).collect()
}

/// The correlation of Pearson.
fn correlation(first: &[f64], second: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means = [mean(first), mean(second)];
    let (mut product, mut squares) = (0.0, [0.0; 2]);
    for (one, other) in first.iter().zip(second) {
        let [one, other] = [one - means[0], other - means[1]];
        product += one * other;
        squares[0] += one * one;
        squares[1] += other * other;
    }
    product / (squares[0] * squares[1]).sqrt()
}
