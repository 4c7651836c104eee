//! What a network is fitted to: quiet positions of the games, with scores and results.

use super::data::{DataError, TrainingGame, replay};
use super::self_play::points;
use crownhead::evaluate::Evaluate;
use crownhead::network::Inputs;
use crownhead::position::Position;
use crownhead::rules::RuleBook;

/// Positions, each a set of inputs with what is known of its worth.
#[derive(Clone, Default, Debug)]
pub struct Samples {
    /// How many words of [`inputs`](Samples::inputs) a position takes.
    words: usize,
    inputs: Vec<u64>,
    buckets: Vec<u8>,
    known: Vec<Known>,
}

/// What is known of a position's worth for its side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known {
    /// The score of the search, in hundredths of a man.
    pub score: i16,
    /// The points that the side to move came to have; `None` where the game was broken off, or a random move was made
    /// on the way there.
    pub result: Option<f32>,
}

impl Samples {
    /// No positions yet, of so many words of inputs.
    pub fn new(words: usize) -> Samples {
        Samples {
            words,
            ..Samples::default()
        }
    }

    /// Adds the quiet positions of `game` in which there was a search: its move did not capture.
    ///
    /// # Errors
    /// When the game does not follow the rules; `number` is its number in its file.
    pub fn add<const WORDS: usize, G: Inputs<WORDS>, E: Evaluate<G>>(
        &mut self,
        game: &TrainingGame,
        number: u64,
        rules: &RuleBook,
        evaluation: &E,
    ) -> Result<(), DataError> {
        let first = self.known.len();
        replay::<G>(game, number, rules, |position, turn, mv, only| {
            match turn.score {
                Some(score) if is_quiet(position, mv, evaluation) => {
                    let side = position.side_to_move();
                    let result = game.result.map(|outcome| points(outcome, side));
                    self.add_position(position, score, result);
                }
                None if !only => {
                    // A random move: the result says nothing of the positions before it.
                    for known in &mut self.known[first..] {
                        known.result = None;
                    }
                }
                _ => (),
            }
        })
    }

    /// Adds a position with what is known of its worth: see [`Known`].
    pub(crate) fn add_position<const WORDS: usize, G: Inputs<WORDS>>(
        &mut self,
        position: &G,
        score: i16,
        result: Option<f32>,
    ) {
        self.inputs.extend(position.inputs());
        self.buckets.push(position.bucket() as u8);
        self.known.push(Known { score, result });
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether any position is known to have led to a result.
    pub fn has_results(&self) -> bool {
        self.known.iter().any(|known| known.result.is_some())
    }

    /// The bucket of position `index`.
    pub(crate) fn bucket(&self, index: usize) -> usize {
        usize::from(self.buckets[index])
    }

    /// What is known of position `index`.
    pub fn known(&self, index: usize) -> Known {
        self.known[index]
    }

    /// Calls `visit` with each input of position `index`.
    #[inline(always)]
    pub(crate) fn each_input(&self, index: usize, mut visit: impl FnMut(usize)) {
        for (place, &word) in self.inputs[index * self.words..][..self.words]
            .iter()
            .enumerate()
        {
            let mut left = word;
            while left != 0 {
                visit(64 * place + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

/// Whether a search found nothing better than `mv`, and this does not capture; in checkers neither can the other side.
fn is_quiet<G: Position, E: Evaluate<G>>(position: &G, mv: G::Move, evaluation: &E) -> bool {
    position.captures(mv) == 0 && !evaluation.threatened(position)
}
