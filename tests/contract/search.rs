//! Laws of a search: on every game it agrees with minimax.

use crate::minimax::Minimax;
use crate::plain;
use crate::position::some_positions;
use crownhead::evaluate::Evaluate;
use crownhead::notation::Notation;
use crownhead::position::Position;
use crownhead::rules::RuleBook;
use crownhead::search::{search, Handler, Parameters, Report, Root, TranspositionTable};

/// A pseudo-random evaluation: a search that confuses the sides soon gives a wrong score.
struct Noise;

impl<G: Position> Evaluate<G> for Noise {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &G) -> i32 {
        (position.hash() % 2001) as i32 - 1000
    }
}

/// What a search, and minimax, may look at in one position: games with many captures have large trees.
const NODES: u32 = 10_000;
/// How deep they search.
const DEPTH: u32 = 4;

/// Keeps what is found at each depth.
struct EveryDepth<M>(Vec<Report<M>>);

impl<M: Copy> Handler<M> for EveryDepth<M> {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= u64::from(NODES)
    }

    fn depth_completed(&mut self, report: &Report<M>) {
        self.0.push(report.clone());
    }
}

/// Searches positions of random games with either search, the strong one with exact parameters, and
/// hands what is found at each depth to `check`.
fn each_report<G: Notation>(rules: &RuleBook, mut check: impl FnMut(&G, &Report<G::Move>)) {
    let mut table = TranspositionTable::new(1);
    for position in some_positions::<G>(rules, 80) {
        let mut reports = EveryDepth(Vec::new());
        let last = plain::search(&position, rules, &Noise, DEPTH, &mut reports);
        let plain = reports.0.len();
        let root = Root::new(&position, rules, &Noise);
        table.clear();
        let strong = search(&root, &Parameters::exact(), &mut table, DEPTH, &mut reports);
        for (last, reports) in [(last, &reports.0[..plain]), (strong, &reports.0[plain..])] {
            assert_eq!(last.is_none(), position.outcome(rules).is_some());
            assert_eq!(last.is_none(), reports.is_empty());
        }
        for report in &reports.0 {
            check(&position, report);
        }
    }
}

pub(crate) fn a_search_values_a_position_as_plain_negamax_does<G: Notation>(rules: &RuleBook) {
    let mut compared = 0;
    each_report::<G>(rules, |position, report| {
        let mut minimax = Minimax {
            rules,
            evaluation: &Noise,
            nodes: NODES,
        };
        let depth = report.depth;
        if let Some(expected) = minimax.score(position, depth, 0) {
            assert_eq!(report.score, expected, "depth {depth} of {position:?}");
            compared += 1;
        }
    });
    assert!(compared > 100, "only {compared} searches were compared");
}

pub(crate) fn the_line_of_best_play_can_be_played<G: Notation>(rules: &RuleBook) {
    each_report::<G>(rules, |position, report| {
        let mut position = position.clone();
        for &mv in &report.principal_variation {
            position = position.play(mv).expect("a move of the line is legal");
        }
    });
}
