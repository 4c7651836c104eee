//! Hidden units added up one by one: what an optimising compiler makes vectors of.

use super::{Row, ONE, UNITS};

/// Adds `added` to the sums and subtracts `taken`.
#[inline(always)]
pub(super) fn replace(sums: &mut [Row], taken: &[Row], added: &[Row]) {
    for (sums, (taken, added)) in sums.iter_mut().zip(taken.iter().zip(added)) {
        for unit in 0..UNITS {
            sums.0[unit] += added.0[unit] - taken.0[unit];
        }
    }
}

/// The sum of the units, clipped, squared and weighted.
#[inline(always)]
pub(super) fn output(sums: &[Row], weights: &[Row]) -> i32 {
    let mut worth = 0;
    for (sums, weights) in sums.iter().zip(weights) {
        for unit in 0..UNITS {
            let clipped = sums.0[unit].clamp(0, ONE as i16);
            worth += i32::from(clipped * clipped) * i32::from(weights.0[unit]);
        }
    }
    worth
}
