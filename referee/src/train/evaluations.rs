//! The evaluations that a game can be played by, under the names that a command line has for them.

use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{Checkers, Learned, Positional};
use crownhead::games::chess::{Chess, PieceSquares};
use crownhead::games::everchess::{Advancement, EverChess};
use crownhead_bots::games::Played;

/// Something to be done with whichever evaluation of `G` is picked.
pub trait EvaluationVisitor<G: Played> {
    /// What comes of it.
    type Output;

    /// Does it with `evaluation`.
    fn run<E: Evaluate<G> + Sync>(self, evaluation: E) -> Self::Output;
}

/// A game whose evaluations can be picked by name.
pub trait Evaluated: Played {
    /// The names, the one that the searching bot uses first.
    const EVALUATIONS: &'static [&'static str];

    /// Does `visitor`'s work with the evaluation called `name`; `None` when there is none of that name.
    fn with_evaluation<V: EvaluationVisitor<Self>>(name: &str, visitor: V) -> Option<V::Output>;
}

impl Evaluated for Checkers {
    const EVALUATIONS: &'static [&'static str] = &["learned", "positional"];

    fn with_evaluation<V: EvaluationVisitor<Self>>(name: &str, visitor: V) -> Option<V::Output> {
        match name {
            "learned" => Some(visitor.run(Learned)),
            "positional" => Some(visitor.run(Positional)),
            _ => None,
        }
    }
}

impl Evaluated for EverChess {
    const EVALUATIONS: &'static [&'static str] = &["advancement"];

    fn with_evaluation<V: EvaluationVisitor<Self>>(name: &str, visitor: V) -> Option<V::Output> {
        (name == "advancement").then(|| visitor.run(Advancement))
    }
}

impl Evaluated for Chess {
    const EVALUATIONS: &'static [&'static str] = &["piece-squares"];

    fn with_evaluation<V: EvaluationVisitor<Self>>(name: &str, visitor: V) -> Option<V::Output> {
        (name == "piece-squares").then(|| visitor.run(PieceSquares))
    }
}
