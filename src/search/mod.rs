//! Looking ahead: finds a good move in a position of any [`Game`] with any
//! [`Evaluate`](crate::evaluate::Evaluate).
//!
//! A search reads no clock and prints nothing. Its [`Handler`] is asked now and then whether to stop, and
//! is told of every depth that was completed.

mod plain;

pub use plain::search;

use crate::game::Game;

/// The score of a win on the board now; a win in `n` plies scores `WIN - n`. Losses are its negative.
pub const WIN: i32 = 32_000;

/// The deepest ply a search reaches.
pub const MAX_PLY: u32 = 128;

/// Whoever started the search, while it runs.
pub trait Handler<M> {
    /// Whether to stop now. Asked every few thousand nodes at the latest.
    fn stop(&mut self, nodes: u64) -> bool;

    /// A depth has been completed.
    fn depth_completed(&mut self, _report: &Report<M>) {}
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The last depth completed, in plies.
    pub depth: u32,
    /// The worth of the position for its side to move: hundredths of a man, or a win or loss near
    /// ±[`WIN`].
    pub score: i32,
    /// The positions looked at so far.
    pub nodes: u64,
    /// The line of best play: never empty.
    pub principal_variation: Vec<M>,
}

impl<M: Copy> Report<M> {
    /// The move to play.
    pub fn best(&self) -> M {
        self.principal_variation[0]
    }
}

/// Stops at a depth or after a number of nodes, whichever comes first: the same search every time.
#[derive(Clone, Copy, Debug)]
pub struct Repeatable {
    /// Stops when so many positions have been looked at.
    pub nodes: u64,
}

impl<M> Handler<M> for Repeatable {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.nodes
    }
}

/// The score of a child as its parent's side to move sees it.
///
/// Negates and swaps the window only when the move gave the turn away: in some games a side moves twice.
/// Every search in this module decides that here.
#[inline(always)]
fn as_parent_sees<G: Game>(
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
