//! Networks that are read while the program runs, in place of those that games were compiled with.
//!
//! A file is a module that `crownhead train export` wrote. A search by such a network is that of the game's own evaluation
//! in all but the network: its order of moves and what it adds to a network are the same.

use crownhead::evaluate::Evaluate;
use crownhead::network::{Accumulator, Inputs, Network, FIRST_CHARACTER, NO_WEIGHTS, UNITS, WORD};
use crownhead::position::Position;
use std::path::Path;
use std::sync::Arc;

/// The weights of a network, as the characters that stand for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkWeights(Arc<str>);

impl NetworkWeights {
    /// Those in a file, between whatever else stands there.
    pub(crate) fn read(file: &Path) -> Result<NetworkWeights, String> {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let is_weight =
            |character: &char| (FIRST_CHARACTER..=NO_WEIGHTS).contains(&(*character as u32));
        let weights: String = text.chars().filter(is_weight).collect();
        if weights.is_empty() {
            return Err(EXPECTED.into());
        }
        Ok(NetworkWeights(weights.into()))
    }

    /// The hidden units of a network with these inputs and buckets, if the number of characters is that of one.
    fn hidden(&self, inputs: usize, buckets: usize) -> Option<usize> {
        let none = char::from_u32(NO_WEIGHTS)?;
        // One character each.
        let empty = self
            .0
            .chars()
            .filter(|&character| character == none)
            .count();
        let of_units = (self.0.chars().count()).checked_sub(empty + buckets)?;
        // A hidden unit has half a character for each input, and one for its bias and for each bucket.
        let halves_a_unit = inputs.checked_sub(empty)? + 2 * (1 + buckets);
        let is_whole = (2 * of_units).is_multiple_of(halves_a_unit);
        is_whole.then_some(2 * of_units / halves_a_unit)
    }
}

const EXPECTED: &str =
    "no network stands there; expected a module that `crownhead train export` wrote";

/// A network of any width, as an object.
trait AnyNetwork<G> {
    /// What evaluates one position after another by it.
    fn evaluator(self: Arc<Self>) -> Box<dyn Evaluator<G>>;
}

/// Evaluates one position after another, each from the one before.
pub(crate) trait Evaluator<G> {
    /// The score by the network alone.
    fn evaluate(&mut self, position: &G) -> i32;
}

struct Near<const WORDS: usize, const ROWS: usize, const BUCKETS: usize> {
    network: Arc<Network<WORDS, ROWS, BUCKETS>>,
    accumulator: Accumulator<WORDS, ROWS>,
}

impl<const WORDS: usize, const ROWS: usize, const BUCKETS: usize, G: Inputs<WORDS>> AnyNetwork<G>
    for Network<WORDS, ROWS, BUCKETS>
{
    fn evaluator(self: Arc<Self>) -> Box<dyn Evaluator<G>> {
        let accumulator = self.accumulator();
        Box::new(Near {
            network: self,
            accumulator,
        })
    }
}

impl<const WORDS: usize, const ROWS: usize, const BUCKETS: usize, G: Inputs<WORDS>> Evaluator<G>
    for Near<WORDS, ROWS, BUCKETS>
{
    fn evaluate(&mut self, position: &G) -> i32 {
        self.network.evaluate_near(position, &mut self.accumulator)
    }
}

/// The network of these weights.
fn parse<const WORDS: usize, const BUCKETS: usize, G: Inputs<WORDS>>(
    NetworkWeights(text): &NetworkWeights,
    hidden: Option<usize>,
) -> Result<Arc<dyn AnyNetwork<G>>, String> {
    // Each width is code of its own.
    macro_rules! of_rows {
        ($($rows:literal)*) => {
            match hidden {
                $(Some(hidden) if hidden == $rows * UNITS => {
                    Arc::new(Network::<WORDS, $rows, BUCKETS>::parse(text)?)
                })*
                Some(hidden) => {
                    let widths = [$($rows * UNITS),*].map(|width| width.to_string());
                    let (last, widths) = widths.split_last().expect("there are widths");
                    let widths = widths.join(", ");
                    return Err(format!("{hidden} hidden units; expected {widths} or {last}"));
                }
                None => {
                    let count = text.chars().count();
                    return Err(format!(
                        "{count} characters of weights are a part of one, or another game's"
                    ));
                }
            }
        };
    }
    Ok(of_rows!(1 2 3 4 6 8 12 16 24 32))
}

/// Sees that these weights are a network of this game.
pub(crate) fn check<const WORDS: usize, const BUCKETS: usize, G: Inputs<WORDS>>(
    weights: &NetworkWeights,
) -> Result<(), String> {
    let hidden = weights.hidden(WORDS * WORD, BUCKETS);
    parse::<WORDS, BUCKETS, G>(weights, hidden).map(drop)
}

/// An evaluation by a network that was read, with all else from the one that is compiled in.
pub(crate) struct ByNetwork<const WORDS: usize, G, E> {
    network: Arc<dyn AnyNetwork<G>>,
    compiled: E,
}

impl<const WORDS: usize, G: Inputs<WORDS>, E: Default> ByNetwork<WORDS, G, E> {
    /// The evaluation by the network of these weights.
    ///
    /// # Panics
    /// When they are no network of this game; [`check`] says so.
    pub(crate) fn new<const BUCKETS: usize>(weights: &NetworkWeights) -> ByNetwork<WORDS, G, E> {
        let hidden = weights.hidden(WORDS * WORD, BUCKETS);
        let network = parse::<WORDS, BUCKETS, G>(weights, hidden);
        ByNetwork {
            network: network.expect("weights are checked where they are read"),
            compiled: E::default(),
        }
    }
}

impl<const WORDS: usize, G, E> Evaluate<G> for ByNetwork<WORDS, G, E>
where
    G: Inputs<WORDS>,
    E: Evaluate<G>,
{
    type Accumulator = Box<dyn Evaluator<G>>;

    fn accumulator(&self) -> Self::Accumulator {
        Arc::clone(&self.network).evaluator()
    }

    fn evaluate(&self, position: &G) -> i32 {
        self.evaluate_near(position, &mut self.accumulator())
    }

    fn evaluate_near(&self, position: &G, last: &mut Self::Accumulator) -> i32 {
        last.evaluate(position) + position.beside_network()
    }

    fn move_score(&self, position: &G, mv: <G as Position>::Move) -> i32 {
        self.compiled.move_score(position, mv)
    }

    fn threatened(&self, position: &G) -> bool {
        self.compiled.threatened(position)
    }

    fn history_index(&self, mv: <G as Position>::Move) -> u16 {
        self.compiled.history_index(mv)
    }
}
