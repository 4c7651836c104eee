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
        assert!(HIDDEN % 2 == 0, "two weights are one character");
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
    #[inline(always)]
    pub fn evaluate<G: Inputs>(&self, position: &G) -> i32 {
        let weights = &self.buckets[position.bucket()];
        let mut units = weights.bias;
        position.each_input(|input| {
            let column = &weights.inputs[input];
            for unit in 0..HIDDEN {
                units[unit] += column[unit];
            }
        });
        let mut sum = weights.output_bias * (ONE * ONE);
        for unit in 0..HIDDEN {
            let clipped = units[unit].clamp(0, ONE as i16);
            sum += i32::from(clipped * clipped) * i32::from(weights.output[unit]);
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
