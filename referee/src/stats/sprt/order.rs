//! Counting pairs in the order of their number.

use super::{PairCounts, Sprt, SprtVerdict};
use std::collections::BTreeMap;

/// A test under way that is fed pairs as they finish, and counts them as they are numbered.
///
/// Short games finish first, and they are not a fair sample: were pairs counted as they finish, the verdict
/// would depend on it. A pair that is missing, say because it is played again, holds the count until it is
/// there. What comes after the verdict is not counted.
#[derive(Clone, Debug)]
pub struct OrderedSprt {
    test: Sprt,
    counts: PairCounts,
    waiting: BTreeMap<u64, usize>,
    verdict: SprtVerdict,
}

impl OrderedSprt {
    /// A test before its first pair.
    pub fn new(test: Sprt) -> OrderedSprt {
        OrderedSprt {
            test,
            counts: PairCounts::default(),
            waiting: BTreeMap::new(),
            verdict: SprtVerdict::Undecided,
        }
    }

    /// Takes the result of pair `number`, from 1, in half points, and gives the verdict as far as it is known.
    pub fn add(&mut self, number: u64, half_points: usize) -> SprtVerdict {
        self.waiting.insert(number, half_points);
        while self.verdict == SprtVerdict::Undecided {
            let Some(half_points) = self.waiting.remove(&(self.counts.pairs() + 1)) else {
                break;
            };
            self.counts.add(half_points);
            self.verdict = self.test.verdict(&self.counts);
        }
        self.verdict
    }

    /// What the test asks.
    pub fn test(&self) -> &Sprt {
        &self.test
    }

    /// The pairs counted so far.
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// How many pairs have finished that are not counted: an earlier one is missing, or the verdict was there.
    pub fn uncounted(&self) -> usize {
        self.waiting.len()
    }

    /// The verdict so far.
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }
}
