//! Tunes numbers of the search by games with itself: simultaneous perturbation stochastic approximation (J. Spall,
//! 1992; for chess programs: L. Kocsis and C. Szepesvári, "Universal Parameter Optimisation in Games Based on SPSA",
//! 2006).
//!
//! ```text
//! cargo run --release -p crownhead-bots --example spsa -- --nodes 4000 --pairs 5000 \
//!     reverse_futility_margin=60:15 razoring_margin=90:20
//! ```
//!
//! A number is named with where it begins and the step by which it is changed in the end. In each round all are
//! changed at once, up or down by chance; two searches with the opposite changes play a pair of games; all move
//! towards the winner. What comes out is a candidate: only a match keeps it.

#![allow(clippy::print_stdout)]

#[path = "duel/games.rs"]
mod games;

use clap::Parser;
use crownhead::search::Parameters;
use games::{by_name, play_pair, TurnLimit};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

#[derive(Parser)]
struct Options {
    /// What is tuned: NAME=START:STEP
    #[arg(required = true, value_parser = parse_number)]
    numbers: Vec<Number>,
    /// How many pairs of games are played
    #[arg(long, default_value_t = 1000)]
    pairs: u32,
    /// Positions to look at in a turn
    #[arg(long, default_value_t = 4000)]
    nodes: u64,
    /// Chooses openings and changes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How far a number goes for a won pair in the end, in parts of its step's square
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
}

/// A number under way.
#[derive(Clone, Debug)]
struct Number {
    name: String,
    value: f64,
    step: f64,
}

fn parse_number(text: &str) -> Result<Number, String> {
    let expected = || format!("{text:?}: expected NAME=START:STEP, such as razoring_margin=90:20");
    let (name, numbers) = text.split_once('=').ok_or_else(expected)?;
    let (value, step) = numbers.split_once(':').ok_or_else(expected)?;
    let number = |text: &str| text.parse::<f64>().map_err(|_| expected());
    by_name(&mut Parameters::default(), name)
        .ok_or_else(|| format!("the search has no parameter {name:?}"))?;
    Ok(Number {
        name: name.into(),
        value: number(value)?,
        step: number(step)?,
    })
}

/// The search with these values, each rounded up or down by chance, so that on average it is what it is.
fn parameters(
    numbers: &[Number],
    values: impl Iterator<Item = f64>,
    rng: &mut impl Rng,
) -> Parameters {
    let mut parameters = Parameters::default();
    for (number, value) in numbers.iter().zip(values) {
        let rounded = (value + rng.random::<f64>()).floor() as i32;
        *by_name(&mut parameters, &number.name).expect("it was asked for") = rounded.max(0);
    }
    parameters
}

fn main() {
    let options = Options::parse();
    let limit = TurnLimit {
        nodes: Some(options.nodes),
        time: None,
    };
    // The gains' exponents and the stability constant are those that Spall recommends.
    const ALPHA: f64 = 0.602;
    const GAMMA: f64 = 0.101;
    let pairs = f64::from(options.pairs);
    let stability = 0.1 * pairs;
    let mut numbers = options.numbers.clone();
    let mut rng = Pcg64::seed_from_u64(options.seed);
    for pair in 0..options.pairs {
        let round = f64::from(pair) + 1.0;
        let wider = (pairs / round).powf(GAMMA);
        let faster = ((stability + pairs) / (stability + round)).powf(ALPHA);
        let signs: Vec<f64> = numbers
            .iter()
            .map(|_| if rng.random() { 1.0 } else { -1.0 })
            .collect();
        let changed = |sign: f64| {
            let pairs = numbers.iter().zip(&signs);
            pairs.map(move |(number, &one)| number.value + sign * one * number.step * wider)
        };
        let sides = [1.0, -1.0].map(|sign| changed(sign).collect::<Vec<f64>>());
        let [up, down] = sides.map(|values| parameters(&numbers, values.into_iter(), &mut rng));
        let points = play_pair([&up, &down], limit, options.seed, u64::from(pair));
        let won = (points[0] + points[1]) as f64 - 2.0;
        for (number, one) in numbers.iter_mut().zip(&signs) {
            number.value += options.rate * faster * number.step / wider * won * one;
        }
        if (pair + 1) % 100 == 0 || pair + 1 == options.pairs {
            let values = numbers
                .iter()
                .map(|number| format!("{}={:.1}", number.name, number.value));
            println!("{:>6}  {}", pair + 1, values.collect::<Vec<_>>().join(","));
        }
    }
}
