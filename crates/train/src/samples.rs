//! The samples for a fit: quiet positions of the games, with scores and results.

use super::data::{DataError, TrainingGame, replay};
use crownhead::board::Side;
use crownhead::evaluate::Evaluate;
use crownhead::network::Inputs;
use crownhead::position::{Outcome, Position};
use crownhead::rules::RuleBook;

/// A position as a set of inputs, with its score and result for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sample<const WORDS: usize> {
    inputs: [u64; WORDS],
    pub(crate) bucket: u8,
    /// The score of the search, in hundredths of a man.
    pub(crate) score: i16,
    /// The final points of the side to move. `None` if the game was broken off, or a random move followed.
    pub(crate) result: Option<f32>,
}

impl<const WORDS: usize> Sample<WORDS> {
    /// The sample of a position with this score and result.
    pub(crate) fn new(
        position: &impl Inputs<WORDS>,
        score: i16,
        result: Option<f32>,
    ) -> Sample<WORDS> {
        Sample {
            inputs: position.inputs(),
            bucket: position.bucket() as u8,
            score,
            result,
        }
    }

    /// Calls `visit` with each input.
    #[inline(always)]
    pub(crate) fn each_input(&self, mut visit: impl FnMut(usize)) {
        for (place, &word) in self.inputs.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                visit(64 * place + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

/// Adds the quiet positions of `game` in which there was a search: its move did not capture.
///
/// # Errors
/// When the game does not follow the rules; `number` is its number in its file.
pub(crate) fn add_samples<const WORDS: usize, G: Inputs<WORDS>, E: Evaluate<G>>(
    samples: &mut Vec<Sample<WORDS>>,
    game: &TrainingGame,
    number: u64,
    rules: &RuleBook,
    evaluation: &E,
) -> Result<(), DataError> {
    let first = samples.len();
    replay::<G>(game, number, rules, |position, turn, mv, only| {
        match turn.score {
            Some(score) if is_quiet(position, mv, evaluation) => {
                let side = position.side_to_move();
                let result = game.result.map(|outcome| points(outcome, side));
                samples.push(Sample::new(position, score, result));
            }
            None if !only => {
                // A random move: the result says nothing about the positions before it.
                for sample in &mut samples[first..] {
                    sample.result = None;
                }
            }
            _ => (),
        }
    })
}

/// Whether a position is quiet: its best move `mv` does not capture, and in checkers the other side cannot capture
/// either.
fn is_quiet<G: Position, E: Evaluate<G>>(position: &G, mv: G::Move, evaluation: &E) -> bool {
    position.captures(mv) == 0 && !evaluation.threatened(position)
}

/// The points of `side` for this outcome: 1, ½ or 0.
fn points(outcome: Outcome, side: Side) -> f32 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f32::from(u8::from(winner == side)),
    }
}
