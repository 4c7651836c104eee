//! Iterative deepening (D. Slate and L. Atkin, "CHESS 4.5", 1977), with a window around the last score.

use super::negamax::{Frame, Searcher};
use super::{Handler, Parameters, Report, Root, TranspositionTable, MAX_PLY, PROVEN, WIN};
use crate::evaluate::Evaluate;
use crate::position::Position;

/// Searches one ply deeper each time until `max_depth` is completed or `handler` stops it.
///
/// The first depth is always completed. The table may come from an earlier turn of the same game, under the
/// same rule book and evaluation. `None` when the game is over in the position, whatever its length.
pub fn search<G: Position, E: Evaluate<G>>(
    root: &Root<'_, G, E>,
    parameters: &Parameters,
    table: &mut TranspositionTable,
    max_depth: u32,
    handler: &mut impl Handler<G::Move>,
) -> Option<Report<G::Move>> {
    let moves = root.position.legal_moves();
    let first = *root.only.first().or(moves.first())?;
    table.age();
    let mut searcher = Searcher::new(root, parameters, table, handler);
    let mut report = Report {
        depth: 0,
        selective_depth: 0,
        score: 0,
        nodes: 0,
        principal_variation: vec![first],
    };
    for depth in 1..=max_depth.clamp(1, MAX_PLY - 1) {
        let line = &mut report.principal_variation;
        let score = around(
            &mut searcher,
            root.position,
            depth as i32,
            report.score,
            line,
        );
        if searcher.stopped {
            break;
        }
        searcher.armed = true;
        report.depth = depth;
        report.score = score;
        report.nodes = searcher.nodes;
        report.selective_depth = searcher.selective_depth;
        searcher.handler.depth_completed(&report);
        // Nothing shorter is to be found than a win or a loss that lies within the depth.
        if score.abs() >= WIN - depth as i32 {
            break;
        }
    }
    report.nodes = searcher.nodes;
    report.selective_depth = searcher.selective_depth;
    Some(report)
}

/// The score at `depth`, first supposed to be near `last` (aspiration windows, of the same authors).
///
/// `line` becomes the best line found. That of a search which was stopped counts too: it begins with the best
/// move of the depth before, searched deeper, or with one that has proved better.
fn around<G: Position, E: Evaluate<G>, H: Handler<G::Move>>(
    searcher: &mut Searcher<'_, G, E, H>,
    position: &G,
    depth: i32,
    last: i32,
    line: &mut Vec<G::Move>,
) -> i32 {
    let mut width = searcher.parameters.aspiration;
    let (mut alpha, mut beta) = (-WIN, WIN);
    if depth >= searcher.parameters.aspiration_depth && last.abs() < PROVEN {
        (alpha, beta) = (last - width, last + width);
    }
    loop {
        let score = searcher.negamax(position, Frame::root(searcher), depth, alpha, beta);
        if !searcher.best_line().is_empty() {
            line.clear();
            line.extend_from_slice(searcher.best_line());
        }
        if searcher.stopped || alpha < score && score < beta {
            return score;
        }
        // A window that reaches to the end cannot be missed on that side.
        width = width.saturating_mul(2);
        if score <= alpha {
            if alpha <= -WIN {
                return score;
            }
            alpha = if width >= PROVEN {
                -WIN
            } else {
                (score - width).max(-WIN)
            };
        } else {
            if beta >= WIN {
                return score;
            }
            beta = if width >= PROVEN {
                WIN
            } else {
                (score + width).min(WIN)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::NodeLimit;
    use super::*;
    use crate::games::checkers::{rules, Checkers, Positional};

    #[test]
    fn a_stopped_search_stores_nothing_more() {
        let start = Checkers::start(&rules::CONTEST);
        let root = Root::new(&start, &rules::CONTEST, &Positional);
        let mut table = TranspositionTable::new(1);
        table.age();
        let (parameters, mut handler) = (Parameters::default(), NodeLimit { nodes: 0 });
        let mut searcher = Searcher::new(&root, &parameters, &mut table, &mut handler);
        searcher.armed = true;
        let frame = Frame::root(&searcher);
        searcher.negamax(&start, frame, 12, -WIN, WIN);
        assert!(searcher.stopped && searcher.nodes > 0);
        assert!(searcher.table.probe(start.hash()).is_none());
        let nodes = searcher.nodes;
        searcher.negamax(&start, frame, 3, -WIN, WIN);
        assert_eq!(searcher.nodes, nodes + 1);
        assert!(searcher.table.probe(start.hash()).is_none());
    }
}
