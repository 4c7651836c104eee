//! Singular extensions: is the table's move the only good one?

use super::searcher::{Node, Searcher};
use super::window::{Bound, Window};
use super::PROVEN;
use crate::evaluate::Evaluate;
use crate::position::Position;

/// By how many plies the table's score may look less deep than the node. Chosen by hand, not measured.
const SHALLOWER: i32 = 3;

impl<G: Position, E: Evaluate<G>> Searcher<'_, G, E> {
    /// The plies by which the table's move is searched deeper, for with less depth every other move fails low beneath
    /// its score (singular extensions: T. Anantharaman, M. Campbell and F. Hsu, "Singular Extensions: Adding
    /// Selectivity to Brute-Force Searching", 1988; by a table's move: Chess Programming Wiki). `Err` holds the node's
    /// score where another move reaches beta, too (Y. Björnsson and T. Marsland, "Multi-Cut Pruning in Alpha-Beta
    /// Search", 1999). What a stopped search says means nothing.
    pub(super) fn singular_extension(&mut self, node: &Node<'_, G>) -> Result<i32, i32> {
        let &Node { depth, window, .. } = node;
        let parameters = self.parameters;
        let Some(entry) = node.entry else {
            return Ok(0);
        };
        let score = entry.score(node.frame.ply);
        if node.frame.ply == 0
            || self.moves.len() - node.first_move < 2
            || depth < parameters.singular_depth
            || entry.best().is_none()
            || entry.depth() < depth - SHALLOWER
            || entry.bound() == Bound::Upper
            || score.abs() >= PROVEN
        {
            return Ok(0);
        }
        let beneath = Window::around(score - parameters.singular_margin * depth - 1, 0).null();
        let others = Node {
            depth: (depth - 1) / 2,
            window: beneath,
            excluded: entry.best(),
            ..*node
        };
        let (best_of_others, _) = self.search_moves(&others, 0);
        if best_of_others < beneath.beta {
            Ok(1)
        } else if window.is_null() && beneath.beta >= window.beta {
            Err(beneath.beta)
        } else {
            Ok(0)
        }
    }
}
