//! Hidden units as four numbers in a word of 64 bits, 16 bits each: where nothing is optimised, four are added as soon
//! as one. (L. Lamport, "Multiple Byte Processing with Full-Word Instructions", 1975.)
//!
//! A word is the sum of its units times powers of 2^16, so that a unit below 0 borrows from the next. Sums begin at
//! [`ZERO`]: none of their units is below 0.

use super::{ONE, UNITS};

/// A row of hidden units, or what an input adds to them.
pub(super) type Row = [u64; WORDS];

pub(super) const EMPTY: Row = [0; WORDS];
/// Units begin here, so that their highest bit says whether they are 0 or more.
pub(super) const ZERO: i32 = 1 << (BITS - 1);

const WORDS: usize = 4;
/// Units in a word.
const LANES: usize = UNITS / WORDS;
/// Bits of a unit.
const BITS: usize = 16;
/// The highest bit of each unit.
const SIGNS: u64 = 0x8000_8000_8000_8000;

/// Sets a unit that is 0 to `number`.
pub(super) const fn set(row: &mut Row, unit: usize, number: i32) {
    let word = &mut row[unit / LANES];
    *word = word.wrapping_add((number as u64) << (BITS * (unit % LANES)));
}

// Places that are constant numbers are not looked up with a check, as those of a loop are.

#[inline(always)]
pub(super) fn replace(sums: &mut [Row], taken: &[Row], added: &[Row]) {
    let mut row = 0;
    while row < sums.len() {
        let (sums, taken, added) = (&mut sums[row], &taken[row], &added[row]);
        sums[0] = sums[0].wrapping_add(added[0]).wrapping_sub(taken[0]);
        sums[1] = sums[1].wrapping_add(added[1]).wrapping_sub(taken[1]);
        sums[2] = sums[2].wrapping_add(added[2]).wrapping_sub(taken[2]);
        sums[3] = sums[3].wrapping_add(added[3]).wrapping_sub(taken[3]);
        row += 1;
    }
}

#[inline(always)]
pub(super) fn add(sums: &mut [Row], added: &[Row]) {
    let mut row = 0;
    while row < sums.len() {
        let (sums, added) = (&mut sums[row], &added[row]);
        sums[0] = sums[0].wrapping_add(added[0]);
        sums[1] = sums[1].wrapping_add(added[1]);
        sums[2] = sums[2].wrapping_add(added[2]);
        sums[3] = sums[3].wrapping_add(added[3]);
        row += 1;
    }
}

#[inline(always)]
pub(super) fn take(sums: &mut [Row], taken: &[Row]) {
    let mut row = 0;
    while row < sums.len() {
        let (sums, taken) = (&mut sums[row], &taken[row]);
        sums[0] = sums[0].wrapping_sub(taken[0]);
        sums[1] = sums[1].wrapping_sub(taken[1]);
        sums[2] = sums[2].wrapping_sub(taken[2]);
        sums[3] = sums[3].wrapping_sub(taken[3]);
        row += 1;
    }
}

/// The sum of the units, clipped, squared and weighted.
#[inline(always)]
pub(super) fn output(sums: &[Row], weights: &[[i16; UNITS]]) -> i32 {
    let mut worth = 0;
    let mut row = 0;
    while row < sums.len() {
        let (sums, weights) = (&sums[row], &weights[row]);
        let mut word = 0;
        while word < WORDS {
            let units = sums[word];
            // Four of five units are below 0 and add nothing.
            let mut above = units & SIGNS;
            while above != 0 {
                let sign = above.trailing_zeros() as usize;
                above &= above - 1;
                let mut clipped = (units >> (sign - (BITS - 1))) as i32 & (ZERO - 1);
                if clipped > ONE {
                    clipped = ONE;
                }
                worth += clipped * clipped * weights[word * LANES + sign / BITS] as i32;
            }
            word += 1;
        }
        row += 1;
    }
    worth
}
