//! How fast move trees are walked: perft of depth 8 from the start of checkers.
//!
//! The throughput is in leaves; every leaf is played on the board.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead::games::checkers::{Checkers, rules};
use crownhead::perft::perft;
use crownhead::position::Position;
use std::hint::black_box;

const DEPTH: u32 = 8;
const LEAVES: u64 = 845_931;

fn depth_8(c: &mut Criterion) {
    let start = Checkers::start(&rules::CONTEST);
    assert_eq!(perft(&start, DEPTH), LEAVES);
    let mut group = c.benchmark_group("perft/depth 8");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(LEAVES));
    group.bench_function("made", |b| b.iter(|| perft(black_box(&start), DEPTH)));
}

criterion_group!(benches, depth_8);
criterion_main!(benches);
