//! By how many plies late moves are reduced: a table, filled when a search begins.

use super::Parameters;

/// The plies, by depth and by the place in the order of moves.
pub(super) struct Reductions(Vec<[u8; PLACES]>);

const DEPTHS: usize = 64;
const PLACES: usize = 64;

impl Reductions {
    /// Grows with the logarithms of both (Chess Programming Wiki, "Late Move Reductions").
    pub(super) fn new(parameters: &Parameters) -> Reductions {
        let base = f64::from(parameters.reduction_base) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor) / 100.0;
        let mut table = vec![[0; PLACES]; DEPTHS];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (place, less) in row.iter_mut().enumerate().skip(1) {
                let plies = base + (depth as f64).ln() * (place as f64).ln() / divisor;
                *less = plies.max(0.0) as u8;
            }
        }
        Reductions(table)
    }

    #[inline(always)]
    pub(super) fn plies(&self, depth: i32, place: usize) -> i32 {
        let row = (depth as usize).min(DEPTHS - 1);
        i32::from(self.0[row][place.min(PLACES - 1)])
    }
}
