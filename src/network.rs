//! A small neural network that evaluates positions of any game: one hidden layer of integers.
//!
//! A position is a set of active inputs, such as "a king of the side to move on C3"; a game gives them by [`Inputs`]. A
//! hidden unit adds up the weights of the active inputs, is clipped to 0 to 1 and squared; the output adds up the units
//! by their weights, and is the score of the position for its side to move. Each *bucket* of positions, by the number of
//! pieces say, has an output of its own.
//!
//! A search looks at one position after another that differ in a few inputs: an [`Accumulator`] keeps the units of the
//! last one, and only what differs is added or subtracted (Y. Nasu, "Efficiently Updatable Neural-Network-based
//! Evaluation Functions for Computer Shogi", 2018).
//!
//! `crownhead train` finds weights and writes them as text ([`Weights`]).

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plain;
mod weights;

pub use weights::Weights;

use crate::evaluate::{Evaluate, NetworkInputs};
use crate::position::Position;
use std::fmt::Debug;
use std::marker::PhantomData;

/// A game whose positions a network can evaluate.
pub trait Inputs: Position {
    /// The inputs as bits: an array of `u64`.
    type Words: AsRef<[u64]> + Copy + Default + Debug;

    /// How many buckets there are.
    const BUCKETS: usize;

    /// The text of the weights of its built-in network; empty if it has none.
    const WEIGHTS: &'static str = "";

    /// The active inputs, as the side to move sees the board: input 0 is the lowest bit of the first word.
    fn inputs(&self) -> Self::Words;

    /// The bucket of the position, numbered from 0.
    fn bucket(&self) -> usize;

    /// What is added to the score by the network, in hundredths of a man: what it does not learn from games.
    fn beside_network(&self) -> i32 {
        0
    }
}

/// The evaluation of a game by a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<G> {
    /// What each input adds to each unit, in shares of [`ONE`].
    inputs: Box<[Row]>,
    /// Where each unit begins, in shares of [`ONE`].
    biases: Box<[Row]>,
    /// One for each bucket.
    outputs: Box<[Output]>,
    game: PhantomData<fn() -> G>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Output {
    /// What each unit adds, in shares of [`OUTPUT`].
    weights: Box<[Row]>,
    /// Where the output begins, in shares of [`OUTPUT`].
    bias: i32,
}

/// A row of hidden units, or what an input adds to them; aligned for vectors of 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
struct Row([i16; UNITS]);

/// The inputs in which a position differs from the last one.
#[derive(Clone, Debug)]
struct Changes {
    added: [u16; MAX_ACTIVE_INPUTS as usize],
    added_count: usize,
    taken: [u16; MAX_ACTIVE_INPUTS as usize],
    taken_count: usize,
}

impl Changes {
    const NONE: Changes = Changes {
        added: [0; MAX_ACTIVE_INPUTS as usize],
        added_count: 0,
        taken: [0; MAX_ACTIVE_INPUTS as usize],
        taken_count: 0,
    };

    /// Finds what is active after and was not before, and the other way round.
    #[inline(always)]
    fn find(&mut self, before: &[u64], after: &[u64]) {
        let (mut added, mut taken, mut word) = (0, 0, 0);
        while word < after.len() {
            let first = word * WORD;
            let mut new = after[word] & !before[word];
            while new != 0 {
                self.added[added] = (first + new.trailing_zeros() as usize) as u16;
                added += 1;
                new &= new - 1;
            }
            let mut gone = before[word] & !after[word];
            while gone != 0 {
                self.taken[taken] = (first + gone.trailing_zeros() as usize) as u16;
                taken += 1;
                gone &= gone - 1;
            }
            word += 1;
        }
        self.added_count = added;
        self.taken_count = taken;
    }

    #[inline(always)]
    fn added(&self) -> &[u16] {
        &self.added[..self.added_count]
    }

    #[inline(always)]
    fn taken(&self) -> &[u16] {
        &self.taken[..self.taken_count]
    }
}

/// The units of the last position of each side to move, before they are clipped.
#[derive(Clone, Debug)]
pub struct Accumulator<W> {
    sides: [Units<W>; 2],
    /// Room for what differs.
    changes: Changes,
    /// Whether the processor has AVX2.
    avx2: bool,
}

#[derive(Clone, Debug)]
struct Units<W> {
    /// The inputs that are in the sums.
    inputs: W,
    sums: Box<[Row]>,
}

/// Hidden units in a row.
pub const UNITS: usize = 16;
/// Inputs in a word.
pub const WORD: usize = 64;
/// A hidden unit is clipped to 0 to this, which stands for 0 to 1.
pub const ONE: i32 = 64;
/// A hundredth of a man, if the unit is 1.
pub const OUTPUT: i32 = 8;
/// Weights of inputs run from `-LEVELS / 2` up.
pub const LEVELS: i32 = 160;
/// Inputs that may be active at once: 160 times 80 is what the sums have room for.
const MAX_ACTIVE_INPUTS: i32 = 160;

impl<G: Inputs> Network<G> {
    /// The network of this text.
    ///
    /// # Errors
    /// When it has other weights than a network of this game.
    pub fn parse(text: &str) -> Result<Network<G>, String> {
        let inputs = WORD * G::Words::default().as_ref().len();
        Weights::parse(text, inputs, G::BUCKETS).map(|weights| Network::new(&weights))
    }

    fn new(weights: &Weights) -> Network<G> {
        let outputs = weights.outputs.chunks_exact(weights.hidden + 1);
        let output = |output: &[i16]| Output {
            weights: rows(&output[..weights.hidden]).into(),
            bias: output[weights.hidden].into(),
        };
        Network {
            inputs: rows(&weights.inputs).into(),
            biases: rows(&weights.biases).into(),
            outputs: outputs.map(output).collect(),
            game: PhantomData,
        }
    }

    /// The score by the network alone.
    #[inline(always)]
    fn output(&self, position: &G, accumulator: &mut Accumulator<G::Words>) -> i32 {
        let Accumulator {
            sides,
            changes,
            avx2,
        } = accumulator;
        let Units { inputs, sums } = &mut sides[position.side_to_move().index()];
        let there = position.inputs();
        changes.find(inputs.as_ref(), there.as_ref());
        *inputs = there;
        let Output { weights, bias } = &self.outputs[position.bucket()];
        let worth = match *avx2 {
            // SAFETY: the processor has AVX2, and every input has a column.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            true => unsafe { avx2::update(sums, &self.inputs, changes, weights) },
            _ => plain::update(sums, &self.inputs, changes, weights),
        };
        (bias * (ONE * ONE) + worth) / (ONE * ONE * OUTPUT)
    }
}

fn rows(numbers: &[i16]) -> Vec<Row> {
    let rows = numbers.chunks_exact(UNITS);
    rows.map(|row| Row(row.try_into().expect("a row")))
        .collect()
}

/// The built-in network.
impl<G: Inputs> Default for Network<G> {
    fn default() -> Network<G> {
        Network::parse(G::WEIGHTS).expect("the game has a network")
    }
}

impl<G: Inputs> Evaluate<G> for Network<G> {
    type Accumulator = Accumulator<G::Words>;

    fn accumulator(&self) -> Accumulator<G::Words> {
        let units = Units {
            inputs: G::Words::default(),
            sums: self.biases.clone(),
        };
        Accumulator {
            sides: [units.clone(), units],
            changes: Changes::NONE,
            #[cfg(target_arch = "x86_64")]
            avx2: avx2::is_detected(),
            #[cfg(not(target_arch = "x86_64"))]
            avx2: false,
        }
    }

    fn evaluate(&self, position: &G) -> i32 {
        self.evaluate_near(position, &mut self.accumulator())
    }

    /// The fewer inputs differ from the last position with the same side to move, the faster.
    #[inline]
    fn evaluate_near(&self, position: &G, last: &mut Accumulator<G::Words>) -> i32 {
        self.output(position, last) + position.beside_network()
    }

    fn network_inputs(position: &G) -> Option<NetworkInputs> {
        Some(NetworkInputs {
            words: position.inputs().as_ref().to_vec(),
            bucket: position.bucket(),
            buckets: G::BUCKETS,
        })
    }

    fn by_network(weights: &str) -> Result<Network<G>, String> {
        Network::parse(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::{rules, Checkers};
    #[cfg(target_arch = "x86_64")]
    use {rand::RngExt, rand::SeedableRng, rand_pcg::Pcg64};

    /// A network of 16 units, all of whose weights are 0.
    fn nothing() -> Weights {
        Weights {
            hidden: UNITS,
            inputs: vec![0; 256 * UNITS],
            biases: vec![0; UNITS],
            outputs: vec![0; 8 * (UNITS + 1)],
        }
    }

    /// The first weight of the output of the last of eight buckets, that of the start.
    const FIRST: usize = 7 * (UNITS + 1);
    const BIAS: usize = FIRST + UNITS;

    /// What a network says of the start of checkers, if `set` sets some of its weights.
    fn worth(set: impl FnOnce(&mut Weights)) -> i32 {
        let mut weights = nothing();
        set(&mut weights);
        Network::new(&weights).evaluate(&Checkers::start(&rules::CONTEST))
    }

    #[test]
    fn units_are_clipped_squared_and_weighted() {
        let (one, output) = (ONE as i16, OUTPUT as i16);
        assert_eq!(worth(|weights| weights.outputs[BIAS] = 7 * output), 7);
        // Parts are cut off, so that a worth and its negative are as far from 0.
        let with_parts = [-3, -1, 1, 3]
            .map(|halves| worth(|weights| weights.outputs[BIAS] = halves * output / 2));
        assert_eq!(with_parts, [-1, 0, 0, 1]);
        let of_unit = |unit: usize, bias| {
            worth(|weights| {
                weights.biases[unit] = bias;
                weights.outputs[FIRST + unit] = 100 * output;
            })
        };
        assert_eq!(of_unit(0, one / 2), 25);
        assert_eq!(of_unit(1, 3 * one), 100);
        assert_eq!(of_unit(0, -one), 0);
    }

    #[test]
    fn inputs_that_are_there_count_and_others_do_not() {
        let there = Checkers::start(&rules::CONTEST).inputs();
        for input in 0..256 {
            let seen = worth(|weights| {
                weights.inputs[input * UNITS] = ONE as i16 / 2;
                weights.outputs[FIRST] = 400 * OUTPUT as i16;
            });
            let expected = 100 * (there[input / 64] >> (input % 64) & 1) as i32;
            assert_eq!(seen, expected, "{input}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn avx2_adds_up_what_plain_loops_do() {
        assert!(avx2::is_detected(), "this test needs a processor with AVX2");
        let mut rng = Pcg64::seed_from_u64(1);
        for rows in [1, 4, 16, 19].repeat(100) {
            let mut row = |most: i32| {
                let mut unit = || rng.random_range(-most..=most) as i16;
                Row([(); UNITS].map(|()| unit()))
            };
            let columns: Vec<Row> = (0..2 * WORD * rows).map(|_| row(LEVELS / 2)).collect();
            let [weights, begin] = [(); 2].map(|()| {
                (0..rows)
                    .map(|_| row(LEVELS * LEVELS / 2))
                    .collect::<Vec<Row>>()
            });
            let (mut sums, mut changes) = ([begin.clone(), begin], Changes::NONE);
            let mut before = [0u64; 2];
            // Some inputs change, several times one after the other.
            for _ in 0..10 {
                let after = [rng.random(), before[1] ^ 1 << rng.random_range(0..WORD)];
                changes.find(&before, &after);
                let worth = plain::update(&mut sums[0], &columns, &changes, &weights);
                // SAFETY: the processor has AVX2, and there is a column for each bit.
                #[allow(unsafe_code)]
                let same = unsafe { avx2::update(&mut sums[1], &columns, &changes, &weights) };
                assert_eq!(worth, same);
                assert_eq!(sums[0], sums[1]);
                before = after;
            }
        }
    }

    #[test]
    fn weights_are_read_as_they_were_written_and_the_rest_of_a_text_is_a_comment() {
        let mut weights = nothing();
        weights.inputs[5] = -80;
        weights.inputs[200] = 79;
        weights.biases[15] = 300;
        weights.outputs[BIAS] = -12_800;
        let text = weights.write();
        // Of 256 inputs, two have weights; an input without weights takes one character.
        let characters = text.chars().filter(|&character| character != '\n').count();
        assert_eq!(characters, 2 * UNITS / 2 + 254 + UNITS + 8 * (UNITS + 1));
        let with_comment = format!("crownhead train fit\n{text}");
        assert_eq!(Weights::parse(&with_comment, 256, 8).as_ref(), Ok(&weights));
        weights.inputs[5] = -500;
        let clamped = Weights::parse(&weights.write(), 256, 8).expect("a network");
        assert_eq!(clamped.inputs[5], -LEVELS as i16 / 2);
    }

    #[test]
    fn a_file_that_is_no_network_of_the_game_is_refused() {
        let refusal = |text: &str| Network::<Checkers>::parse(text).expect_err(text);
        assert!(refusal("fn main() {}").contains("crownhead train fit"));
        assert!(refusal("㐀㐀").starts_with("2 characters of weights are a part"));
        let mut one_less: String = nothing().write();
        one_less.pop();
        one_less.pop();
        assert!(refusal(&one_less).contains("a part of a network"));
        let mut large = nothing();
        large.outputs.fill(12_799);
        large.hidden = 4 * UNITS;
        large.inputs.resize(256 * large.hidden, 1);
        large.biases.resize(large.hidden, 0);
        large.outputs.resize(8 * (large.hidden + 1), 12_799);
        assert!(refusal(&large.write()).contains("a sum has room"));
    }
}
