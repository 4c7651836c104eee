//! What the table of a large ladder costs: counting the rounds of 100 bots, and fitting their ratings. Fails if games of
//! three players cost more than [`BOUND`] times as much as games of two.

#![allow(clippy::print_stdout)] // The figures are the point.

use criterion::{Criterion, criterion_group, criterion_main};
use crownhead_stats::rating::{Prior, Results, fit};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::hint::black_box;
use std::time::{Duration, Instant};

const BOTS: usize = 100;
const GAMES: usize = 100_000;

/// Games of three players have three results each, games of two have one.
const BOUND: f64 = 4.0;

/// The bots of a round, and the points of each in its games.
type Round = (Vec<usize>, Vec<Vec<f64>>);

/// Rounds of bots, of which those with higher numbers are stronger. Some games are drawn.
fn rounds(players: usize) -> Vec<Round> {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut all: Vec<usize> = (0..BOTS).collect();
    let mut rounds = Vec::new();
    for _ in 0..GAMES / players {
        let (bots, _) = all.partial_shuffle(&mut rng, players);
        let mut points = |bot: &usize| (*bot as f64 / 50.0 + 4.0 * rng.random::<f64>()).round();
        let games = (0..players).map(|_| bots.iter().map(&mut points).collect());
        rounds.push((bots.to_vec(), games.collect()));
    }
    rounds
}

fn count(rounds: &[Round]) -> Results {
    let mut results = Results::default();
    for (bots, games) in rounds {
        results.add_round(bots, games.iter().map(Vec::as_slice));
    }
    results
}

fn ratings(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ratings of 100 bots from 100,000 games");
    group.sample_size(10);
    for players in [2, 3] {
        let rounds = rounds(players);
        let results = count(&rounds);
        group.bench_function(format!("count, {players} players"), |bencher| {
            bencher.iter(|| count(black_box(&rounds)));
        });
        group.bench_function(format!("fit, {players} players"), |bencher| {
            bencher.iter(|| fit(BOTS, black_box(&results), &Prior::WEAK, None));
        });
    }
    group.finish();
    let [two, three] = [2, 3].map(|players| least_time(&rounds(players)).as_secs_f64());
    let ratio = three / two;
    assert!(
        ratio <= BOUND,
        "{three} s for three players, {two} s for two"
    );
    println!(
        "games of three players cost {ratio:.2} times as much as games of two, at most {BOUND}"
    );
}

/// How long a table takes at the least.
fn least_time(rounds: &[Round]) -> Duration {
    let time = |_| {
        let began = Instant::now();
        black_box(fit(BOTS, &count(black_box(rounds)), &Prior::WEAK, None));
        began.elapsed()
    };
    (0..5).map(time).min().expect("there are five")
}

criterion_group!(benches, ratings);
criterion_main!(benches);
