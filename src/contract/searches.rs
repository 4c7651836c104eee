//! The law of searches: what pruning, ordering and the table rely on is so in the game.

use super::minimax::{Minimax, Noise};
use super::sample::some_positions;
use super::violation::{Verdict, Violation};
use crate::notation::Notation;
use crate::rules::RuleBook;
use crate::search::{search, Handler, Parameters, Report, Root, TranspositionTable};

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

/// A search with exact parameters finds the score that [minimax](Minimax) gives, a line that can be played, and nothing
/// exactly where the game is over.
///
/// # Errors
/// When a game breaks the law.
pub fn a_search_agrees_with_minimax<G: Notation>(rules: &RuleBook) -> Verdict {
    let mut table = TranspositionTable::new(1);
    for position in some_positions::<G>(rules, 80) {
        let mut reports = EveryDepth(Vec::new());
        let root = Root::new(&position, rules, &Noise);
        table.clear();
        let parameters = Parameters::exact();
        let last = search(&root, &parameters, &mut table, DEPTH, &mut reports);
        if last.is_none() != position.outcome(rules).is_some() {
            let seen = format!("the search finds {last:?}");
            return Err(Violation::at(
                &position,
                seen,
                "a move unless the game is over",
            ));
        }
        for report in &reports.0 {
            agrees(&position, rules, report)?;
        }
    }
    Ok(())
}

/// Whether the line of `report` can be played and its score is that of minimax, where that is found in time.
fn agrees<G: Notation>(position: &G, rules: &RuleBook, report: &Report<G::Move>) -> Verdict {
    let line = &report.principal_variation;
    let mut end = position.clone();
    for &mv in line {
        match end.play(mv) {
            Ok(after) => end = after,
            Err(_) => {
                let seen = format!("{mv:?} in the line {line:?}");
                return Err(Violation::at(position, seen, "legal moves"));
            }
        }
    }
    let mut minimax = Minimax {
        rules,
        evaluation: &Noise,
        nodes: NODES,
    };
    match minimax.score(position, report.depth, 0) {
        Some(expected) if expected != report.score => {
            let seen = format!("score {} at depth {}", report.score, report.depth);
            let expected = format!("{expected}, by minimax; hash, captures and mover decide it");
            Err(Violation::at(position, seen, expected))
        }
        _ => Ok(()),
    }
}
