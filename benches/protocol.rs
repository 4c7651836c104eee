//! What a turn costs as text: written by the referee, and read by a bot.
//!
//! Reading is measured as a bot does it: lines to a request, then rows and names to a position and its
//! moves. The throughput is in bytes.

mod positions;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead::board::Side;
use crownhead::games::checkers::{Checkers, CheckersMove};
use crownhead::notation::Notation;
use crownhead::position::Position;
use crownhead::protocol::{Request, RequestReader, write_turn};
use std::hint::black_box;

fn write(c: &mut Criterion) {
    let mut group = c.benchmark_group("protocol/write");
    for (name, position) in positions::NAMES.into_iter().zip(positions::all()) {
        let moves = position.legal_moves();
        let mut text = String::new();
        write_turn(&position, &moves, &mut text);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                text.clear();
                write_turn(black_box(&position), &moves, &mut text);
                text.len()
            });
        });
    }
}

fn parse(c: &mut Criterion) {
    let mut group = c.benchmark_group("protocol/parse");
    for (name, position) in positions::NAMES.into_iter().zip(positions::all()) {
        let mut text = String::new();
        write_turn(&position, &position.legal_moves(), &mut text);
        let mut reader = RequestReader::new(Checkers::SIZE, ['b', 'r']);
        reader.push("b").expect("a colour");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| read(&mut reader, black_box(&text), position.side_to_move()));
        });
    }
}

fn read(reader: &mut RequestReader, text: &str, side: Side) -> (Checkers, Vec<CheckersMove>) {
    let mut requests = text.lines().map(|line| reader.push(line).expect("a turn"));
    let Some(Some(Request::Turn(turn))) = requests.find(Option::is_some) else {
        panic!("the turn is incomplete");
    };
    let position = Checkers::from_rows(&turn.rows, side).expect("a position");
    let moves = turn.moves.iter().map(|name| position.parse_move(name));
    let moves = moves.collect::<Result<_, _>>().expect("legal moves");
    (position, moves)
}

criterion_group!(benches, write, parse);
criterion_main!(benches);
