//! What a search asks of a game beyond its rules: a static evaluation, and hints for move ordering.
//!
//! The evaluation is a value passed to the search; the rules of a game do not depend on it.

use crate::position::Position;

/// A static evaluation of positions, with hints about moves that a search needs for its order.
pub trait Evaluate<G: Position> {
    /// What is kept of earlier positions to score the next one faster: `()` for nothing.
    type Accumulator;

    /// An empty accumulator.
    fn accumulator(&self) -> Self::Accumulator;

    /// The score of `position` for its side to move, in hundredths of a man.
    ///
    /// Stays well inside ±30 000: scores near [`WIN`](crate::search::WIN) mean a proven win or loss.
    fn evaluate(&self, position: &G) -> i32;

    /// The same score, computed from the accumulator of an earlier position.
    fn evaluate_near(&self, position: &G, _accumulator: &mut Self::Accumulator) -> i32 {
        self.evaluate(position)
    }

    /// The static score of `mv`, which is legal in `position`: moves with a higher one are searched earlier,
    /// unless the search has learnt more of them. The number of captured pieces, unless a game knows more.
    fn move_score(&self, position: &G, mv: G::Move) -> i32 {
        position.captures(mv) as i32
    }

    /// Whether the opponent threatens to capture, so that `position` is not quiet although its side to move has
    /// nothing to capture. A search does not prune such a position for its high evaluation.
    fn threatened(&self, _position: &G) -> bool {
        false
    }

    /// The index of `mv` in a search's history tables, below [`HISTORY_INDEXES`] and the same in any position:
    /// made of the squares it goes from and to, say. Moves of one index share what a search learns of them.
    fn history_index(&self, _mv: G::Move) -> u16 {
        0
    }
}

/// How many history indexes there are: from and to on 64 squares; see [`Evaluate::history_index`].
pub const HISTORY_INDEXES: usize = 1 << 12;
