//! How fast move trees are walked: perft of depth 8 from the start of checkers.
//!
//! The throughput is in leaves. *Made* plays every leaf on the board; *bulk* does not play
//! the last plies.

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use crownhead::games::checkers::{rules, Checkers};
use crownhead::perft::{perft, perft_bulk};
use crownhead::position::Position;
use std::hint::black_box;

const DEPTH: u32 = 8;
const LEAVES: u64 = 845_931;

fn depth_8(c: &mut Criterion) {
    let start = Checkers::start(&rules::CONTEST);
    assert_eq!(perft_bulk(&start, DEPTH), LEAVES);
    let mut group = c.benchmark_group("perft/depth 8");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(LEAVES));
    group.bench_function("made", |b| b.iter(|| perft(black_box(&start), DEPTH)));
    group.bench_function("bulk", |b| b.iter(|| perft_bulk(black_box(&start), DEPTH)));
}

criterion_group!(benches, depth_8);
criterion_main!(benches);
