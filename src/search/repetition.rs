//! The positions of the game so far and of the line being searched: coming back to one is a draw.

/// A set of positions by their hashes; the latest can be taken out again.
pub(super) struct RepetitionTable {
    hashes: Vec<u64>,
    /// How many of `hashes` share their low bits: zero for nearly every position looked up, which avoids the
    /// walk through the list.
    counts: Vec<u16>,
}

const COUNTS: usize = 1 << 12;

impl RepetitionTable {
    /// The set of `hashes`, with room for `more`.
    pub(super) fn new(hashes: &[u64], more: usize) -> RepetitionTable {
        let mut table = RepetitionTable {
            hashes: Vec::with_capacity(hashes.len() + more),
            counts: vec![0; COUNTS],
        };
        for &hash in hashes {
            table.push(hash);
        }
        table
    }

    /// Adds a position.
    #[inline(always)]
    pub(super) fn push(&mut self, hash: u64) {
        self.hashes.push(hash);
        self.counts[low_bits(hash)] += 1;
    }

    /// Takes the latest position out.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        if let Some(hash) = self.hashes.pop() {
            self.counts[low_bits(hash)] -= 1;
        }
    }

    /// Whether the position is in the set.
    #[inline(always)]
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.counts[low_bits(hash)] != 0 && self.hashes.contains(&hash)
    }
}

#[inline(always)]
fn low_bits(hash: u64) -> usize {
    hash as usize % COUNTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_repetition_until_it_is_taken_out() {
        let mut table = RepetitionTable::new(&[1, 2], 2);
        let same_low_bits = 1 + COUNTS as u64;
        assert!(table.contains(1) && table.contains(2) && !table.contains(same_low_bits));
        table.push(same_low_bits);
        table.push(1);
        assert!(table.contains(same_low_bits));
        table.pop();
        table.pop();
        assert!(table.contains(1) && !table.contains(same_low_bits));
    }

    #[test]
    fn low_bits_are_counted_apart_so_that_most_positions_are_not_looked_for() {
        let mut table = RepetitionTable::new(&[], 2);
        table.push(5);
        table.push(6);
        assert_eq!(table.counts[..8], [0, 0, 0, 0, 0, 1, 1, 0]);
        table.pop();
        table.pop();
        assert!(table.counts.iter().all(|&count| count == 0));
    }
}
