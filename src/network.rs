//! A small neural network that judges positions of any game: one hidden layer, whole numbers, recomputed each time.
//!
//! A position is a set of inputs that are there or not, such as "a king of mine on C3". A game says which by
//! [`Inputs`]. For each *bucket* of positions, by the number of pieces say, there are weights of their own. A hidden
//! unit adds up the weights of the inputs that are there, is clipped to 0 to 1 and squared; the output adds up the
//! units by their weights, and is the worth of the position for its side to move.
//!
//! Weights are found by `crownhead train` and written down as a string of characters, which [`Network::decode`] reads
//! while the program is compiled.

use crate::position::Position;

/// A game whose positions a network can judge.
pub trait Inputs: Position {
    /// How many inputs there are.
    const INPUTS: usize;

    /// How many buckets there are.
    const BUCKETS: usize;

    /// Calls `visit` with each input that is there, numbered from 0, as the side to move sees the board.
    fn each_input(&self, visit: impl FnMut(usize));

    /// The bucket of the position, numbered from 0.
    fn bucket(&self) -> usize;
}

/// The weights of a network, ready to be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> {
    buckets: [Bucket<INPUTS, HIDDEN>; BUCKETS],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bucket<const INPUTS: usize, const HIDDEN: usize> {
    /// What each input adds to each unit, in shares of [`ONE`].
    inputs: [[i16; HIDDEN]; INPUTS],
    /// Where each unit begins, in shares of [`ONE`].
    bias: [i16; HIDDEN],
    /// What each unit adds to the output, in shares of [`OUTPUT`].
    output: [i16; HIDDEN],
    /// Where the output begins, in shares of [`OUTPUT`].
    output_bias: i32,
}

/// A hidden unit is clipped to 0 to this, which stands for 0 to 1.
pub const ONE: i32 = 64;
/// A hundredth of a man, for a unit that is 1.
pub const OUTPUT: i32 = 8;
/// Weights of inputs run from `-LEVELS / 2` up; two of them are one character.
pub const LEVELS: i32 = 160;
/// The character of the smallest number. `LEVELS * LEVELS` from here on are letters of the Unicode blocks of unified
/// ideographs, which take one place each where text is counted in UTF-16 and which editors leave as they are.
pub const FIRST_CHARACTER: u32 = 0x3400;
/// Inputs that may be there at once: 160 times 80 is what the sums have room for.
const MOST_INPUTS_THERE: i32 = 160;

const CHARACTERS: i32 = LEVELS * LEVELS;

impl<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize>
    Network<INPUTS, HIDDEN, BUCKETS>
{
    /// How many characters hold the weights: for each bucket two weights of inputs in each, then one for each bias,
    /// each weight of the output and the bias of the output.
    pub const LENGTH: usize = BUCKETS * (INPUTS * HIDDEN / 2 + 2 * HIDDEN + 1);

    /// The network of these characters.
    ///
    /// # Panics
    /// When there are more or fewer characters than weights, or sums could grow too large: the program does not
    /// compile, for this is done then.
    pub const fn decode(text: &str) -> Self {
        assert!(HIDDEN.is_multiple_of(2), "two weights are one character");
        assert!(CHARACTERS / 2 + MOST_INPUTS_THERE * LEVELS / 2 <= i16::MAX as i32);
        let bytes = text.as_bytes();
        assert!(
            bytes.len() == 3 * Self::LENGTH,
            "a character for each weight"
        );
        let mut buckets = [Bucket {
            inputs: [[0; HIDDEN]; INPUTS],
            bias: [0; HIDDEN],
            output: [0; HIDDEN],
            output_bias: 0,
        }; BUCKETS];
        let (mut bucket, mut next) = (0, 0);
        while bucket < BUCKETS {
            let weights = &mut buckets[bucket];
            let mut input = 0;
            while input < INPUTS {
                let mut unit = 0;
                while unit < HIDDEN {
                    let two = character(bytes, next);
                    weights.inputs[input][unit] = (two / LEVELS - LEVELS / 2) as i16;
                    weights.inputs[input][unit + 1] = (two % LEVELS - LEVELS / 2) as i16;
                    next += 1;
                    unit += 2;
                }
                input += 1;
            }
            let (mut unit, mut most) = (0, 0);
            while unit < HIDDEN {
                weights.bias[unit] = (character(bytes, next + unit) - CHARACTERS / 2) as i16;
                let output = character(bytes, next + HIDDEN + unit) - CHARACTERS / 2;
                weights.output[unit] = output as i16;
                most += output.abs() as i64;
                unit += 1;
            }
            next += 2 * HIDDEN;
            weights.output_bias = character(bytes, next) - CHARACTERS / 2;
            next += 1;
            most += weights.output_bias.abs() as i64;
            assert!(
                most * ((ONE * ONE) as i64) < i32::MAX as i64,
                "a sum has room"
            );
            bucket += 1;
        }
        Network { buckets }
    }

    /// The worth of `position` for its side to move, in hundredths of a man.
    // Where nothing is optimised, ranges, `clamp` and `From` are calls, and cost several times what this does.
    #[inline(always)]
    pub fn evaluate<G: Inputs>(&self, position: &G) -> i32 {
        let weights = &self.buckets[position.bucket()];
        let mut units = weights.bias;
        position.each_input(|input| {
            let column = &weights.inputs[input];
            let mut unit = 0;
            while unit < HIDDEN {
                units[unit] += column[unit];
                unit += 1;
            }
        });
        let mut sum = weights.output_bias * (ONE * ONE);
        let mut unit = 0;
        while unit < HIDDEN {
            let clipped = match units[unit] {
                ..=0 => 0,
                value if value >= ONE as i16 => ONE as i16,
                value => value,
            };
            sum += (clipped * clipped) as i32 * weights.output[unit] as i32;
            unit += 1;
        }
        sum / (ONE * ONE * OUTPUT)
    }
}

/// The number that the character at place `index` stands for.
const fn character(bytes: &[u8], index: usize) -> i32 {
    let [first, second, third] = [bytes[3 * index], bytes[3 * index + 1], bytes[3 * index + 2]];
    let code = (first as i32 & 15) << 12 | (second as i32 & 63) << 6 | third as i32 & 63;
    let number = code - FIRST_CHARACTER as i32;
    assert!(0 <= number && number < CHARACTERS, "a character of weights");
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::{rules, Checkers};

    /// A network with one pair of units, all of whose weights are 0 but those given.
    fn network(weights: &[(usize, i32)]) -> Network<128, 2, 4> {
        let zero_pair = LEVELS * (LEVELS / 2) + LEVELS / 2;
        let mut numbers = vec![0; Network::<128, 2, 4>::LENGTH];
        for bucket in numbers.chunks_mut(128 + 2 + 2 + 1) {
            bucket[..128].fill(zero_pair);
            bucket[128..].fill(CHARACTERS / 2);
            for &(place, weight) in weights {
                bucket[place] += weight;
            }
        }
        let character = |&number: &i32| char::from_u32(FIRST_CHARACTER + number as u32);
        let text: Option<String> = numbers.iter().map(character).collect();
        Network::decode(&text.unwrap())
    }

    const BIASES: usize = 128;
    const OUTPUTS: usize = 130;
    const OUTPUT_BIAS: usize = 132;

    #[test]
    fn units_are_clipped_squared_and_weighted() {
        let start = Checkers::start(&rules::CONTEST);
        let worth = |weights: &[(usize, i32)]| network(weights).evaluate(&start);
        assert_eq!(worth(&[(OUTPUT_BIAS, 7 * OUTPUT)]), 7);
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
        let mut own_men = Vec::new();
        start.each_input(|input| own_men.push(input));
        for input in 0..128 {
            // The first unit of the pair is the upper digit.
            let weights = [(input, ONE / 2 * LEVELS), (OUTPUTS, 400 * OUTPUT)];
            let expected = if own_men.contains(&input) { 100 } else { 0 };
            assert_eq!(network(&weights).evaluate(&start), expected, "{input}");
        }
    }

    #[test]
    #[should_panic(expected = "a character for each weight")]
    fn a_string_of_another_length_is_no_network() {
        let _: Network<128, 2, 4> = Network::decode("㐀㐀");
    }

    #[test]
    #[should_panic(expected = "a sum has room")]
    fn weights_whose_sum_could_be_too_large_are_refused() {
        // Some 51 output weights as large as they can be would be needed; few units have room for any.
        let length = Network::<2, 64, 1>::LENGTH;
        let largest = char::from_u32(FIRST_CHARACTER + (CHARACTERS - 1) as u32).unwrap();
        let _: Network<2, 64, 1> = Network::decode(&String::from(largest).repeat(length));
    }

    #[test]
    #[should_panic(expected = "a character of weights")]
    fn other_characters_are_refused() {
        let length = Network::<128, 2, 4>::LENGTH;
        let _: Network<128, 2, 4> = Network::decode(&"가".repeat(length));
    }
}
