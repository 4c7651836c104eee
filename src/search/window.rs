//! How a child's score becomes its parent's: the one place that decides whether to negate.

use crate::position::Position;

/// The score of a child as its parent's side to move sees it.
///
/// Negates and swaps the window only when the move gave the turn away: in some games a side moves twice.
#[inline(always)]
pub(super) fn as_parent_sees<G: Position>(
    parent: &G,
    child: &G,
    alpha: i32,
    beta: i32,
    search: impl FnOnce(i32, i32) -> i32,
) -> i32 {
    if child.side_to_move() == parent.side_to_move() {
        search(alpha, beta)
    } else {
        -search(-beta, -alpha)
    }
}
