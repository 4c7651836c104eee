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
//! Weights are found by `crownhead train` and written down as a string of characters, which [`Network::decode`] reads
//! while the program is compiled.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plain;

use crate::position::Position;

/// A game whose positions a network can evaluate, by `WORDS` times 64 inputs.
pub trait Inputs<const WORDS: usize>: Position {
    /// How many buckets there are.
    const BUCKETS: usize;

    /// The active inputs, as the side to move sees the board: input 0 is the lowest bit of the first word.
    fn inputs(&self) -> [u64; WORDS];

    /// The bucket of the position, numbered from 0.
    fn bucket(&self) -> usize;

    /// What is added to the score by the network, in hundredths of a man: what it does not learn from games.
    fn beside_network(&self) -> i32 {
        0
    }
}

/// The weights of a network, ready to be used, with `ROWS` times [`UNITS`] hidden units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const WORDS: usize, const ROWS: usize, const BUCKETS: usize> {
    /// What each input adds to each unit, in shares of [`ONE`].
    inputs: [[[Row; ROWS]; WORD]; WORDS],
    /// Where each unit begins, in shares of [`ONE`].
    biases: [Row; ROWS],
    outputs: [Output<ROWS>; BUCKETS],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Output<const ROWS: usize> {
    /// What each unit adds, in shares of [`OUTPUT`].
    weights: [Row; ROWS],
    /// Where the output begins, in shares of [`OUTPUT`].
    bias: i32,
}

/// A row of hidden units, or what an input adds to them; aligned for vectors of 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
struct Row([i16; UNITS]);

/// A row of units that are 0.
const ZERO: Row = Row([0; UNITS]);

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
    fn find<const WORDS: usize>(&mut self, before: &[u64; WORDS], after: &[u64; WORDS]) {
        let (mut added, mut taken, mut word) = (0, 0, 0);
        while word < WORDS {
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
pub struct Accumulator<const WORDS: usize, const ROWS: usize> {
    sides: [Units<WORDS, ROWS>; 2],
    /// Room for what differs.
    changes: Changes,
    /// Whether the processor has AVX2.
    avx2: bool,
}

#[derive(Clone, Copy, Debug)]
struct Units<const WORDS: usize, const ROWS: usize> {
    /// The inputs that are in the sums.
    inputs: [u64; WORDS],
    sums: [Row; ROWS],
}

/// Hidden units in a row.
pub const UNITS: usize = 16;
/// Inputs in a word.
pub const WORD: usize = 64;
/// A hidden unit is clipped to 0 to this, which stands for 0 to 1.
pub const ONE: i32 = 64;
/// A hundredth of a man, for a unit that is 1.
pub const OUTPUT: i32 = 8;
/// Weights of inputs run from `-LEVELS / 2` up; two of them are one character.
pub const LEVELS: i32 = 160;
/// The character of the smallest number. `LEVELS * LEVELS` from here on are letters of the Unicode blocks of unified
/// ideographs, which take one place each where text is counted in UTF-16 and which editors leave as they are.
pub const FIRST_CHARACTER: u32 = 0x3400;
/// Inputs that may be active at once: 160 times 80 is what the sums have room for.
const MAX_ACTIVE_INPUTS: i32 = 160;

/// The character after those of numbers stands for all weights of an input that no position has: they are 0.
pub const NO_WEIGHTS: u32 = FIRST_CHARACTER + CHARACTERS as u32;
const CHARACTERS: i32 = LEVELS * LEVELS;

impl<const WORDS: usize, const ROWS: usize, const BUCKETS: usize> Network<WORDS, ROWS, BUCKETS> {
    /// How many characters hold the weights, unless inputs have none ([`NO_WEIGHTS`]): two weights of inputs in each,
    /// then one for each bias, then for each bucket one for each weight of the output and one for its bias.
    pub const LENGTH: usize =
        WORDS * WORD * Self::HIDDEN / 2 + Self::HIDDEN + BUCKETS * (Self::HIDDEN + 1);
    /// Hidden units.
    const HIDDEN: usize = ROWS * UNITS;

    /// The network of these characters, in a constant.
    ///
    /// # Panics
    /// Where [`parse`](Self::parse) has an error: in a constant, an error of the compiler.
    pub const fn decode(text: &str) -> Self {
        match Self::parse(text) {
            Ok(network) => network,
            Err(problem) => panic!("{}", problem),
        }
    }

    /// The network of these characters.
    ///
    /// # Errors
    /// When there are more or fewer characters than weights, or sums could grow too large.
    pub const fn parse(text: &str) -> Result<Self, &'static str> {
        assert!(CHARACTERS / 2 + MAX_ACTIVE_INPUTS * LEVELS / 2 <= i16::MAX as i32);
        let bytes = text.as_bytes();
        let mut network = Network {
            inputs: [[[ZERO; ROWS]; WORD]; WORDS],
            biases: [ZERO; ROWS],
            outputs: [Output {
                weights: [ZERO; ROWS],
                bias: 0,
            }; BUCKETS],
        };
        let (mut input, mut next) = (0, 0);
        while input < WORDS * WORD {
            let column = &mut network.inputs[input / WORD][input % WORD];
            let mut row = 0;
            if let Some(NO_WEIGHTS) = code(bytes, next) {
                row = ROWS;
                next += 1;
            }
            while row < ROWS {
                let Some(weights) = pairs(bytes, next) else {
                    return Err(NO_NUMBER);
                };
                column[row] = weights;
                next += UNITS / 2;
                row += 1;
            }
            input += 1;
        }
        let mut unit = 0;
        while unit < Self::HIDDEN {
            let Some(bias) = number(bytes, next) else {
                return Err(NO_NUMBER);
            };
            set(&mut network.biases, unit, bias - CHARACTERS / 2);
            next += 1;
            unit += 1;
        }
        let mut bucket = 0;
        while bucket < BUCKETS {
            let output = &mut network.outputs[bucket];
            let (mut unit, mut most) = (0, 0);
            // The bias comes after the weights.
            while unit <= Self::HIDDEN {
                let Some(weight) = number(bytes, next) else {
                    return Err(NO_NUMBER);
                };
                let weight = weight - CHARACTERS / 2;
                if unit < Self::HIDDEN {
                    set(&mut output.weights, unit, weight);
                } else {
                    output.bias = weight;
                }
                most += weight.abs() as i64;
                next += 1;
                unit += 1;
            }
            if most * ((ONE * ONE) as i64) >= i32::MAX as i64 {
                return Err("the weights of an output are too large: expected that a sum has room");
            }
            bucket += 1;
        }
        if bytes.len() != 3 * next {
            return Err(NO_NUMBER);
        }
        Ok(network)
    }

    /// The units without an input.
    pub fn accumulator(&self) -> Accumulator<WORDS, ROWS> {
        let units = Units {
            inputs: [0; WORDS],
            sums: self.biases,
        };
        Accumulator {
            sides: [units; 2],
            changes: Changes::NONE,
            #[cfg(target_arch = "x86_64")]
            avx2: avx2::is_detected(),
            #[cfg(not(target_arch = "x86_64"))]
            avx2: false,
        }
    }

    /// The score of `position` for its side to move, in hundredths of a man.
    pub fn evaluate<G: Inputs<WORDS>>(&self, position: &G) -> i32 {
        self.evaluate_near(position, &mut self.accumulator())
    }

    /// The same score, from the units of the last position with the same side to move: the fewer inputs differ, the
    /// faster.
    #[inline(always)]
    pub fn evaluate_near<G: Inputs<WORDS>>(
        &self,
        position: &G,
        accumulator: &mut Accumulator<WORDS, ROWS>,
    ) -> i32 {
        let Accumulator {
            sides,
            changes,
            avx2,
        } = accumulator;
        let Units { inputs, sums } = &mut sides[position.side_to_move().index()];
        let there = position.inputs();
        changes.find(inputs, &there);
        *inputs = there;
        let output = &self.outputs[position.bucket()];
        let worth = match *avx2 {
            // SAFETY: the processor has AVX2, and every input has a column.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            true => unsafe {
                avx2::update(sums, self.inputs.as_ptr().cast(), changes, &output.weights)
            },
            _ => plain::update(sums, self.inputs.as_flattened(), changes, &output.weights),
        };
        (output.bias * (ONE * ONE) + worth) / (ONE * ONE * OUTPUT)
    }
}

const fn set(rows: &mut [Row], unit: usize, number: i32) {
    rows[unit / UNITS].0[unit % UNITS] = number as i16;
}

/// Why a text is no network: there are too few characters, others, or too many.
const NO_NUMBER: &str = "expected a character for each weight";

/// A row of weights of an input, two in each character from place `index` on, if they are there.
///
/// Most of a text is read here, by the interpreter in the compiler, which takes as long for a call or a checked sum as for
/// all the rest: it has [`code`] in it.
const fn pairs(bytes: &[u8], index: usize) -> Option<Row> {
    const BASE: i16 = LEVELS as i16;
    const MIDDLE: i16 = BASE / 2;
    let (mut row, mut unit, mut next) = (ZERO, 0, 3 * index);
    if next + 3 * UNITS / 2 > bytes.len() {
        return None;
    }
    while unit < UNITS {
        let code = (bytes[next] as u32 & 15) << 12
            | (bytes[next + 1] as u32 & 63) << 6
            | bytes[next + 2] as u32 & 63;
        if code < FIRST_CHARACTER || code >= NO_WEIGHTS {
            return None;
        }
        let two = (code - FIRST_CHARACTER) as i16;
        row.0[unit] = two / BASE - MIDDLE;
        row.0[unit + 1] = two % BASE - MIDDLE;
        next += 3;
        unit += 2;
    }
    Some(row)
}

/// The number that the character at place `index` stands for, if there is one.
const fn number(bytes: &[u8], index: usize) -> Option<i32> {
    match code(bytes, index) {
        Some(code @ FIRST_CHARACTER..NO_WEIGHTS) => Some((code - FIRST_CHARACTER) as i32),
        _ => None,
    }
}

/// The character at place `index`, of three bytes as all are, if the text is so long.
const fn code(bytes: &[u8], index: usize) -> Option<u32> {
    if 3 * index + 2 >= bytes.len() {
        return None;
    }
    let [first, second, third] = [bytes[3 * index], bytes[3 * index + 1], bytes[3 * index + 2]];
    Some((first as u32 & 15) << 12 | (second as u32 & 63) << 6 | third as u32 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::{rules, Checkers};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    /// A network of 16 units, all of whose weights are 0 but those given.
    fn network(weights: &[(usize, i32)]) -> Network<4, 1, 8> {
        let zero_pair = LEVELS * (LEVELS / 2) + LEVELS / 2;
        let mut numbers = vec![CHARACTERS / 2; Network::<4, 1, 8>::LENGTH];
        numbers[..BIASES].fill(zero_pair);
        for &(place, weight) in weights {
            numbers[place] += weight;
        }
        let character = |&number: &i32| char::from_u32(FIRST_CHARACTER + number as u32);
        let text: Option<String> = numbers.iter().map(character).collect();
        Network::decode(&text.unwrap())
    }

    const BIASES: usize = 256 * UNITS / 2;
    /// The last of eight buckets, that of the start.
    const OUTPUTS: usize = BIASES + UNITS + 7 * (UNITS + 1);
    const OUTPUT_BIAS: usize = OUTPUTS + UNITS;

    #[test]
    fn units_are_clipped_squared_and_weighted() {
        let start = Checkers::start(&rules::CONTEST);
        let worth = |weights: &[(usize, i32)]| network(weights).evaluate(&start);
        assert_eq!(worth(&[(OUTPUT_BIAS, 7 * OUTPUT)]), 7);
        // Parts are cut off, so that a worth and its negative are as far from 0.
        let with_parts = [-3, -1, 1, 3].map(|halves| worth(&[(OUTPUT_BIAS, halves * OUTPUT / 2)]));
        assert_eq!(with_parts, [-1, 0, 0, 1]);
        let half = [(BIASES, ONE / 2), (OUTPUTS, 100 * OUTPUT)];
        assert_eq!(worth(&half), 25);
        let beyond = [(BIASES + 1, 3 * ONE), (OUTPUTS + 1, 100 * OUTPUT)];
        assert_eq!(worth(&beyond), 100);
        let below = [(BIASES, -ONE), (OUTPUTS, 100 * OUTPUT)];
        assert_eq!(worth(&below), 0);
    }

    #[test]
    fn inputs_that_are_there_count_and_others_do_not() {
        let start = Checkers::start(&rules::CONTEST);
        let there = start.inputs();
        for input in 0..256 {
            // The first unit of a pair is the upper digit.
            let weights = [
                (input * UNITS / 2, ONE / 2 * LEVELS),
                (OUTPUTS, 400 * OUTPUT),
            ];
            let expected = 100 * (there[input / 64] >> (input % 64) & 1) as i32;
            assert_eq!(network(&weights).evaluate(&start), expected, "{input}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn avx2_adds_up_what_plain_loops_do() {
        /// Some inputs change, several times one after the other, in a network of `ROWS` rows.
        #[allow(unsafe_code)]
        fn compare<const ROWS: usize>(rng: &mut Pcg64) {
            let mut row = |most: i32| {
                let mut unit = || rng.random_range(-most..=most) as i16;
                [(); ROWS].map(|()| Row([(); UNITS].map(|()| unit())))
            };
            let columns = [(); 2 * WORD].map(|()| row(LEVELS / 2));
            let (weights, begin) = (row(CHARACTERS / 2), row(CHARACTERS / 2));
            let (mut sums, mut changes) = ([begin; 2], Changes::NONE);
            let mut before = [0; 2];
            for _ in 0..10 {
                let after = [rng.random(), before[1] ^ 1 << rng.random_range(0..WORD)];
                changes.find(&before, &after);
                let worth = plain::update(&mut sums[0], &columns, &changes, &weights);
                // SAFETY: the processor has AVX2, and there is a column for each bit.
                let same =
                    unsafe { avx2::update(&mut sums[1], columns.as_ptr(), &changes, &weights) };
                assert_eq!((sums[0], worth), (sums[1], same));
                before = after;
            }
        }
        assert!(avx2::is_detected(), "this test needs a processor with AVX2");
        let mut rng = Pcg64::seed_from_u64(1);
        for _ in 0..100 {
            compare::<1>(&mut rng);
            compare::<4>(&mut rng);
            compare::<16>(&mut rng);
            compare::<19>(&mut rng);
        }
    }

    #[test]
    fn one_character_stands_for_an_input_without_weights() {
        let zero = char::from_u32(FIRST_CHARACTER + (CHARACTERS / 2 + LEVELS / 2) as u32).unwrap();
        let none = char::from_u32(NO_WEIGHTS).unwrap();
        let text = |input: &str| {
            let end =
                String::from(char::from_u32(FIRST_CHARACTER + CHARACTERS as u32 / 2).unwrap());
            let others = String::from(zero).repeat(63 * UNITS / 2);
            format!("{input}{others}{}", end.repeat(2 * UNITS + 1))
        };
        let long: Network<1, 1, 1> = Network::decode(&text(&String::from(zero).repeat(UNITS / 2)));
        assert_eq!(long, Network::decode(&text(&String::from(none))));
    }

    #[test]
    #[should_panic(expected = "a character for each weight")]
    fn a_string_of_another_length_is_no_network() {
        let _: Network<4, 1, 8> = Network::decode("㐀㐀");
    }

    #[test]
    #[should_panic(expected = "a sum has room")]
    fn weights_whose_sum_could_be_too_large_are_refused() {
        // Some 41 output weights as large as they can be are needed.
        let length = Network::<1, 4, 1>::LENGTH;
        let largest = char::from_u32(FIRST_CHARACTER + (CHARACTERS - 1) as u32).unwrap();
        let _: Network<1, 4, 1> = Network::decode(&String::from(largest).repeat(length));
    }

    #[test]
    #[should_panic(expected = "a character for each weight")]
    fn other_characters_are_refused() {
        let length = Network::<4, 1, 8>::LENGTH;
        let _: Network<4, 1, 8> = Network::decode(&"가".repeat(length));
    }
}
