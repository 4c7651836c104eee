//! The samples for a fit: quiet positions of the games, with scores and results.

use super::data::{DataError, TrainingGame, replay};
use crownhead::board::Side;
use crownhead::evaluate::NetworkInputs;
use crownhead::position::Outcome;
use crownhead::rules::RuleBook;
use crownhead_bots::BoardGame;

/// A position as a set of inputs, with its score and result for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sample {
    inputs: Box<[u64]>,
    pub(crate) bucket: u8,
    /// The score of the search, in hundredths of a man.
    pub(crate) score: i16,
    /// The final points of the side to move. `None` if a random move followed.
    pub(crate) result: Option<f32>,
}

impl Sample {
    /// The sample of a position with this score and result.
    pub(crate) fn new(inputs: NetworkInputs, score: i16, result: Option<f32>) -> Sample {
        Sample {
            inputs: inputs.words.into(),
            bucket: inputs.bucket as u8,
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

/// Adds the quiet positions of `game` in which there was a search.
///
/// # Errors
/// When the game does not follow the rules; `number` is its number in its file.
pub(crate) fn add_samples(
    samples: &mut Vec<Sample>,
    played: &TrainingGame,
    number: u64,
    game: &dyn BoardGame,
    rules: &RuleBook,
) -> Result<(), DataError> {
    let first = samples.len();
    replay(played, number, game, rules, |turn, position| {
        match turn.score {
            Some(score) if position.is_quiet => {
                let side = Side::BOTH[position.mover];
                let result = played.result.map(|outcome| points(outcome, side));
                let inputs = position.inputs.expect("the game has networks");
                samples.push(Sample::new(inputs, score, result));
            }
            None if position.legal_moves > 1 => {
                // A random move: the result says nothing about the positions before it.
                for sample in &mut samples[first..] {
                    sample.result = None;
                }
            }
            _ => (),
        }
    })
}

/// The points of `side` for this outcome: 1, ½ or 0.
fn points(outcome: Outcome, side: Side) -> f32 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f32::from(u8::from(winner == side)),
    }
}
