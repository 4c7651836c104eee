//! Hidden units added up one by one: what an optimising compiler makes vectors of.

use super::{Changes, Row, ONE, UNITS};

/// Adds and subtracts the weights of the inputs that changed, and gives the sum of the units, clipped, squared and
/// weighted.
#[inline(always)]
pub(super) fn update(sums: &mut [Row], columns: &[Row], changes: &Changes, weights: &[Row]) -> i32 {
    let rows = sums.len();
    for &input in changes.added() {
        let column = &columns[usize::from(input) * rows..];
        for (sums, added) in sums.iter_mut().zip(column) {
            for unit in 0..UNITS {
                sums.0[unit] += added.0[unit];
            }
        }
    }
    for &input in changes.taken() {
        let column = &columns[usize::from(input) * rows..];
        for (sums, taken) in sums.iter_mut().zip(column) {
            for unit in 0..UNITS {
                sums.0[unit] -= taken.0[unit];
            }
        }
    }
    let mut worth = 0;
    for (sums, weights) in sums.iter().zip(weights) {
        for unit in 0..UNITS {
            let clipped = sums.0[unit].clamp(0, ONE as i16);
            worth += i32::from(clipped * clipped) * i32::from(weights.0[unit]);
        }
    }
    worth
}
