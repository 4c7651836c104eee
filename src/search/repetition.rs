//! The positions of the game so far and of the line being searched: coming back to one is a draw.

/// A set of positions by their hashes; the latest can be taken out again.
pub(super) struct Past {
    hashes: Vec<u64>,
    /// How many of `hashes` end in these bits. It is zero for nearly every position that is asked about,
    /// and spares the walk through the list.
    endings: Vec<u16>,
}

const ENDINGS: usize = 1 << 12;

impl Past {
    /// The set of `hashes`, with room for `more`.
    pub(super) fn new(hashes: &[u64], more: usize) -> Past {
        let mut past = Past {
            hashes: Vec::with_capacity(hashes.len() + more),
            endings: vec![0; ENDINGS],
        };
        for &hash in hashes {
            past.push(hash);
        }
        past
    }

    /// Adds a position.
    #[inline(always)]
    pub(super) fn push(&mut self, hash: u64) {
        self.hashes.push(hash);
        self.endings[ending(hash)] += 1;
    }

    /// Takes the latest position out.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        if let Some(hash) = self.hashes.pop() {
            self.endings[ending(hash)] -= 1;
        }
    }

    /// Whether a position has been there before.
    #[inline(always)]
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.endings[ending(hash)] != 0 && self.hashes.contains(&hash)
    }
}

#[inline(always)]
fn ending(hash: u64) -> usize {
    hash as usize % ENDINGS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_in_the_past_until_it_is_taken_out() {
        let mut past = Past::new(&[1, 2], 2);
        let same_ending = 1 + ENDINGS as u64;
        assert!(past.contains(1) && past.contains(2) && !past.contains(same_ending));
        past.push(same_ending);
        past.push(1);
        assert!(past.contains(same_ending));
        past.pop();
        past.pop();
        assert!(past.contains(1) && !past.contains(same_ending));
    }
}
