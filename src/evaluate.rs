//! What a search asks of a game beyond its rules: a static evaluation.
//!
//! The evaluation is a value passed to the search; the rules of a game do not depend on it.

use crate::position::Position;

/// A static evaluation of positions.
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

    /// What a network that is trained for this game sees of a position; `None` if none can be.
    fn network_inputs(_position: &G) -> Option<NetworkInputs> {
        None
    }

    /// The evaluation by the network of this text, in place of the built-in one.
    ///
    /// # Errors
    /// When the text is no network of the game, or the game has none.
    fn by_network(_weights: &str) -> Result<Self, String>
    where
        Self: Sized,
    {
        Err("the game has no networks".into())
    }
}

/// What a network sees of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkInputs {
    /// The active inputs: input 0 is the lowest bit of the first word.
    pub words: Vec<u64>,
    /// The bucket of the position, numbered from 0.
    pub bucket: usize,
    /// How many buckets the game has.
    pub buckets: usize,
}
