//! How fast legal moves are found: each handed to a visitor, and all merely counted.
//!
//! The throughput is in moves. To compare a change, keep the numbers before it:
//! `cargo bench -p crownhead-benches --bench movegen -- --save-baseline NAME`.

mod positions;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead::position::Position;
use std::hint::black_box;

fn generate(c: &mut Criterion) {
    let mut group = c.benchmark_group("movegen/generate");
    for (name, position) in positions::NAMES.into_iter().zip(positions::all()) {
        group.throughput(Throughput::Elements(position.count_moves()));
        group.bench_function(name, |b| {
            b.iter(|| {
                black_box(&position).each_move(|mv| {
                    black_box(mv);
                });
            });
        });
    }
}

fn count(c: &mut Criterion) {
    let mut group = c.benchmark_group("movegen/count");
    for (name, position) in positions::NAMES.into_iter().zip(positions::all()) {
        group.throughput(Throughput::Elements(position.count_moves()));
        group.bench_function(name, |b| b.iter(|| black_box(&position).count_moves()));
    }
}

criterion_group!(benches, generate, count);
criterion_main!(benches);
