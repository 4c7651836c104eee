//! Iterative deepening (D. Slate and L. Atkin, "CHESS 4.5", 1977), with a window around the last score.

use super::searcher::Searcher;
use super::window::Window;
use super::{Parameters, Report, Root, TranspositionTable, MAX_PLY, PROVEN, WIN};
use crate::evaluate::Evaluate;
use crate::position::Position;

/// Searches one ply deeper each time until `max_depth` is completed or `stop` says so. `completed` is called with each
/// depth.
///
/// `stop` is called with the number of nodes, every few thousand of them at the latest; but the first depth is always
/// completed. A search reads no clock; `stop` may. The table may come from an earlier turn of the same game, under the
/// same rule book and evaluation. `None` if the game is over in the position, at any length.
///
/// ```
/// use crownhead::games::checkers::{rules, Checkers};
/// use crownhead::network::Network;
/// use crownhead::notation::Notation;
/// use crownhead::search::{search, Parameters, Root, TranspositionTable, WIN};
///
/// // Black's king on C3 is to move; red has a man on D4, and another behind it on F6.
/// let rows = "
/// ........
/// ........
/// .....r..
/// ........
/// ...r....
/// ..B.....
/// ........
/// ........";
/// let position = Checkers::from_rows(
///     &rows.trim().parse().unwrap(),
///     crownhead::board::Side::Black,
/// )
/// .unwrap();
///
/// let network = Network::default();
/// let root = Root::new(&position, &rules::CONTEST, &network);
/// let mut table = TranspositionTable::new(1);
/// let stop = |nodes| nodes >= 100_000;
/// let report = search(&root, &Parameters::default(), &mut table, 20, stop, |_| {}).unwrap();
///
/// // The double jump takes both men: red has lost after one ply.
/// assert_eq!(position.move_name(report.best()), "C3E5G7");
/// assert_eq!(report.score, WIN - 1);
/// ```
pub fn search<G: Position, E: Evaluate<G>>(
    root: &Root<'_, G, E>,
    parameters: &Parameters,
    table: &mut TranspositionTable,
    max_depth: u32,
    mut stop: impl FnMut(u64) -> bool,
    mut completed: impl FnMut(&Report<G::Move>),
) -> Option<Report<G::Move>> {
    let moves = root.position.legal_moves();
    let first = *root.root_moves.first().or(moves.first())?;
    table.age();
    let mut searcher = Searcher::new(root, parameters, table, &mut stop);
    let mut report = Report {
        depth: 0,
        selective_depth: 0,
        score: 0,
        nodes: 0,
        principal_variation: vec![first],
    };
    for depth in 1..=max_depth.clamp(1, MAX_PLY - 1) {
        let line = &mut report.principal_variation;
        let score = aspiration_search(&mut searcher, depth as i32, report.score, line);
        if searcher.stopped {
            break;
        }
        searcher.may_stop = true;
        report.depth = depth;
        report.score = score;
        report.nodes = searcher.nodes;
        report.selective_depth = searcher.selective_depth;
        completed(&report);
        // A deeper search finds no win or loss shorter than one within this depth.
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
fn aspiration_search<G: Position, E: Evaluate<G>>(
    searcher: &mut Searcher<'_, G, E>,
    depth: i32,
    last: i32,
    line: &mut Vec<G::Move>,
) -> i32 {
    let mut width = searcher.parameters.aspiration;
    let mut window = Window::FULL;
    if depth >= searcher.parameters.aspiration_depth && last.abs() < PROVEN {
        window = Window::around(last, width);
    }
    loop {
        let score = searcher.search_root(depth, window);
        if !searcher.best_line().is_empty() {
            line.clear();
            line.extend_from_slice(searcher.best_line());
        }
        // No score lies outside a window that reaches to the end of the scale.
        let fails_low = score <= window.alpha && window.alpha > -WIN;
        let fails_high = score >= window.beta && window.beta < WIN;
        if searcher.stopped || !(fails_low || fails_high) {
            return score;
        }
        width = match width.saturating_mul(2) {
            PROVEN.. => 2 * WIN,
            wider => wider,
        };
        let wider = Window::around(score, width);
        if fails_low {
            window.alpha = wider.alpha.max(-WIN);
        } else {
            window.beta = wider.beta.min(WIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::{rules, Checkers};
    use crate::network::Network;

    #[test]
    fn a_stopped_search_stores_nothing_more() {
        let start = Checkers::start(&rules::CONTEST);
        let network = Network::default();
        let root = Root::new(&start, &rules::CONTEST, &network);
        let mut table = TranspositionTable::new(1);
        table.age();
        let (parameters, mut stop) = (Parameters::default(), |_| true);
        let mut searcher = Searcher::new(&root, &parameters, &mut table, &mut stop);
        searcher.may_stop = true;
        searcher.search_root(12, Window::FULL);
        assert!(searcher.stopped && searcher.nodes > 0);
        assert!(searcher.table.probe(start.hash()).is_none());
        let nodes = searcher.nodes;
        searcher.search_root(3, Window::FULL);
        assert_eq!(searcher.nodes, nodes + 1);
        assert!(searcher.table.probe(start.hash()).is_none());
    }
}
