//! The readers of what strangers write, with what nobody would write: the seeds of `fuzz/`, and variants of them that
//! chance makes. `.ci/fuzz` looks for longer, and learns from what it has tried.

#[path = "../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // There it is a crate's root.
mod fuzz;

use crownhead_record::read_games;
use fuzz::{READERS, Reader};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::path::Path;

/// The seeds of a reader.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    let files = std::fs::read_dir(folder.join(name)).expect("each reader has seeds");
    let paths = files.map(|file| file.expect("a file").path());
    paths
        .map(|path| std::fs::read(path).expect("a file"))
        .collect()
}

/// A part of the bytes, of a hundred at most.
fn part(bytes: &[u8], rng: &mut impl Rng) -> std::ops::Range<usize> {
    let from = rng.random_range(0..=bytes.len());
    let most = (bytes.len() - from).min(100);
    from..from + rng.random_range(0..=most)
}

/// What this seed becomes when a few parts of it are changed, cut out, doubled, or come from another.
fn variant(seeds: &[Vec<u8>], rng: &mut impl Rng) -> Vec<u8> {
    let mut one = || seeds[rng.random_range(0..seeds.len())].clone();
    let (mut bytes, other) = (one(), one());
    for _ in 0..rng.random_range(1..6) {
        let place = part(&bytes, rng);
        let new = match rng.random_range(0..6) {
            0 => Vec::new(),
            1 => bytes[part(&bytes, rng)].to_vec(),
            2 => other[part(&other, rng)].to_vec(),
            3 => rng.random::<i64>().to_string().into_bytes(),
            4 => vec![rng.random()],
            _ => {
                let strange = [
                    "\r",
                    "\n",
                    "\0",
                    "\"",
                    "-",
                    "{",
                    "]",
                    "é",
                    "\u{202e}",
                    "9999999999",
                    "1e999",
                    " ",
                ];
                strange[rng.random_range(0..strange.len())].into()
            }
        };
        bytes.splice(place, new);
    }
    bytes.truncate(1 << 14);
    bytes
}

/// So many variants of each reader's seeds; a run that is to find more sets more.
fn variants() -> usize {
    let wanted = std::env::var("CROWNHEAD_VARIANTS").ok();
    wanted.map_or(400, |count| count.parse().expect("a number"))
}

#[test]
fn every_reader_keeps_its_promise_for_its_seeds_and_what_chance_makes_of_them() {
    for (name, read) in READERS {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in &seeds {
            holds(name, read, seed);
        }
        let mut rng = Pcg64::seed_from_u64(1970);
        for _ in 0..variants() {
            holds(name, read, &variant(&seeds, &mut rng));
        }
    }
}

/// Variants of records of another version would all be refused by their first number.
#[test]
fn records_of_this_version_are_among_the_seeds() {
    let games = seeds("records");
    let games = games.iter().flat_map(|seed| read_games(&seed[..]));
    assert!(games.flatten().count() > 0, "no seed is read");
}

/// Reads the bytes, and says which they were where the reader keeps no promise.
fn holds(name: &str, read: Reader, bytes: &[u8]) {
    let done = std::panic::catch_unwind(|| read(bytes));
    assert!(done.is_ok(), "{name} fails on `{}`", bytes.escape_ascii());
}
