//! The weights of a network as whole numbers, and the text in which they are kept.
//!
//! A character stands for a number. Weights come in this order: of each input two in a character, or one character for an
//! input without weights; a character for each bias of a unit; and for each bucket one for each weight of its output and
//! one for its bias. All else in a text is a comment.

use super::{LEVELS, MAX_ACTIVE_INPUTS, ONE, UNITS};

/// Of the Unicode blocks of unified ideographs, the first letter: each takes one place where text is counted in UTF-16,
/// and editors leave them as they are. It stands for the smallest number.
const FIRST: u32 = 0x3400;
/// Numbers that a character stands for.
const NUMBERS: i32 = LEVELS * LEVELS;
/// The number after those stands for all weights of an input that no position has: they are 0.
const NO_WEIGHTS: i32 = NUMBERS;

/// The weights of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Hidden units, a multiple of [`UNITS`].
    pub hidden: usize,
    /// What each input adds to each unit, in shares of [`ONE`].
    pub inputs: Vec<i16>,
    /// Where each unit begins, in shares of [`ONE`].
    pub biases: Vec<i16>,
    /// For each bucket what each unit adds, then where the output begins, in shares of [`OUTPUT`](super::OUTPUT).
    pub outputs: Vec<i16>,
}

impl Weights {
    /// Reads the weights of a network with this many inputs and buckets.
    ///
    /// # Errors
    /// When there are more or fewer than such a network has, or sums could grow too large.
    pub fn parse(text: &str, inputs: usize, buckets: usize) -> Result<Weights, String> {
        let number = |character: char| Some(character as i32 - FIRST as i32);
        let is_known = |number: &i32| (0..=NO_WEIGHTS).contains(number);
        let numbers: Vec<i32> = text.chars().filter_map(number).filter(is_known).collect();
        let empty = numbers
            .iter()
            .filter(|&&number| number == NO_WEIGHTS)
            .count();
        let hidden = hidden(numbers.len(), inputs, empty, buckets).ok_or_else(|| match numbers
            .len()
        {
            0 => "no network stands there; expected a file that `crownhead train fit` wrote".into(),
            count => {
                format!("{count} characters of weights are a part of a network, or another game's")
            }
        })?;
        let mut weights = Weights {
            hidden,
            inputs: Vec::with_capacity(inputs * hidden),
            biases: Vec::with_capacity(hidden),
            outputs: Vec::with_capacity(buckets * (hidden + 1)),
        };
        let mut numbers = numbers.into_iter();
        while weights.inputs.len() < inputs * hidden {
            let number = numbers.next().unwrap_or(NO_WEIGHTS);
            if number == NO_WEIGHTS {
                weights.inputs.resize(weights.inputs.len() + hidden, 0);
            } else {
                weights.inputs.push((number / LEVELS - LEVELS / 2) as i16);
                weights.inputs.push((number % LEVELS - LEVELS / 2) as i16);
            }
        }
        let mut rest = numbers.map(|number| (number - NUMBERS / 2) as i16);
        weights.biases.extend(rest.by_ref().take(hidden));
        weights.outputs.extend(rest);
        if (weights.inputs.len(), weights.outputs.len())
            != (inputs * hidden, buckets * (hidden + 1))
        {
            return Err("an input without weights is named in the middle of another".into());
        }
        let largest = |output: &[i16]| {
            output
                .iter()
                .map(|weight| i64::from(weight.abs()))
                .sum::<i64>()
        };
        let most = weights.outputs.chunks(hidden + 1).map(largest).max();
        if most.unwrap_or(0) * i64::from(ONE * ONE) >= i64::from(i32::MAX) {
            return Err(
                "the weights of an output are too large: expected that a sum has room".into(),
            );
        }
        Ok(weights)
    }

    /// The text that [`parse`](Weights::parse) reads, in lines. Numbers that are too small or too large become the
    /// smallest or the largest.
    pub fn write(&self) -> String {
        let digit =
            |number: i16, levels: i32| (i32::from(number) + levels / 2).clamp(0, levels - 1);
        let mut numbers = Vec::new();
        for column in self.inputs.chunks_exact(self.hidden) {
            if column.iter().all(|&weight| weight == 0) {
                numbers.push(NO_WEIGHTS);
                continue;
            }
            let pairs = column.chunks_exact(2);
            numbers.extend(pairs.map(|two| digit(two[0], LEVELS) * LEVELS + digit(two[1], LEVELS)));
        }
        let ends = self.biases.iter().chain(&self.outputs);
        numbers.extend(ends.map(|&number| digit(number, NUMBERS)));
        let character = |&number: &i32| {
            char::from_u32(FIRST + number as u32).expect("these blocks have no gaps")
        };
        let lines = numbers
            .chunks(100)
            .map(|line| line.iter().map(character).chain(['\n']).collect::<String>());
        lines.collect()
    }
}

/// The hidden units of a network of this many characters, `empty` of them for inputs without weights.
fn hidden(count: usize, inputs: usize, empty: usize, buckets: usize) -> Option<usize> {
    let of_units = count.checked_sub(empty + buckets)?;
    // A unit has half a character for each input, and one for its bias and for each bucket.
    let halves_a_unit = inputs.checked_sub(empty)? + 2 * (1 + buckets);
    let hidden = 2 * of_units / halves_a_unit;
    let is_whole = (2 * of_units).is_multiple_of(halves_a_unit) && hidden.is_multiple_of(UNITS);
    (is_whole && hidden > 0).then_some(hidden)
}

const _: () = assert!(NUMBERS / 2 + MAX_ACTIVE_INPUTS * LEVELS / 2 <= i16::MAX as i32);
