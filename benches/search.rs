//! The search to a fixed depth: an opening, a middlegame and an ending.

use criterion::{Criterion, criterion_group, criterion_main};
use crownhead::games::checkers::{Checkers, rules};
use crownhead::network::Network;
use crownhead::search::{Parameters, Root, TranspositionTable, search};

/// Name, position and depth, each some hundred thousand nodes.
const POSITIONS: [(&str, &str, u32); 3] = [
    (
        "opening",
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        15,
    ),
    (
        "middlegame",
        "W:W18,21,22,26,27,30,31,32:B1,2,3,7,10,11,12,13",
        17,
    ),
    ("ending", "B:WK1,K28,21:BK14,K15,K18,12", 15),
];

fn search_to_fixed_depth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    let network = Network::default();
    for (name, fen, depth) in POSITIONS {
        let position = Checkers::from_fen(fen).expect("the position of a bench is sound");
        let root = Root::new(&position, &rules::CONTEST, &network);
        let parameters = Parameters::default();
        let mut table = TranspositionTable::new(16);
        group.bench_function(format!("{name} to depth {depth}"), |bencher| {
            bencher.iter(|| {
                table.clear();
                search(&root, &parameters, &mut table, depth, |_| false, |_| {})
            });
        });
    }
    group.finish();
}

criterion_group!(benches, search_to_fixed_depth);
criterion_main!(benches);
