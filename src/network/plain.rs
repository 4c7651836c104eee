//! Hidden units as numbers of 16 bits, side by side: what an optimising compiler makes vectors of.

use super::{ONE, UNITS};

/// A row of hidden units, or what an input adds to them.
pub(super) type Row = [i16; UNITS];

pub(super) const EMPTY: Row = [0; UNITS];
/// Units begin here.
pub(super) const ZERO: i32 = 0;

/// Sets a unit that is 0 to `number`.
pub(super) const fn set(row: &mut Row, unit: usize, number: i32) {
    row[unit] = number as i16;
}

#[inline(always)]
pub(super) fn replace(sums: &mut [Row], taken: &[Row], added: &[Row]) {
    let units = sums.as_flattened_mut().iter_mut();
    let changes = taken.as_flattened().iter().zip(added.as_flattened());
    for (unit, (taken, added)) in units.zip(changes) {
        *unit += added - taken;
    }
}

#[inline(always)]
pub(super) fn add(sums: &mut [Row], added: &[Row]) {
    let units = sums.as_flattened_mut().iter_mut();
    for (unit, added) in units.zip(added.as_flattened()) {
        *unit += added;
    }
}

#[inline(always)]
pub(super) fn take(sums: &mut [Row], taken: &[Row]) {
    let units = sums.as_flattened_mut().iter_mut();
    for (unit, taken) in units.zip(taken.as_flattened()) {
        *unit -= taken;
    }
}

/// The sum of the units, clipped, squared and weighted.
#[inline(always)]
pub(super) fn output(sums: &[Row], weights: &[[i16; UNITS]]) -> i32 {
    let mut worth = 0;
    let units = sums.as_flattened().iter();
    for (&unit, &weight) in units.zip(weights.as_flattened()) {
        let clipped = unit.clamp(0, ONE as i16);
        worth += i32::from(clipped * clipped) * i32::from(weight);
    }
    worth
}
