//! Counts pairs in the order of their numbers.

use super::{PairCounts, Sprt, SprtVerdict};
use std::collections::BTreeMap;

/// A running test that takes pairs as they finish, and counts them in the order of their numbers.
///
/// Short games finish first, and they are not a fair sample: if pairs were counted as they finish, the verdict would
/// depend on it. A missing pair stops the count until it arrives or is skipped.
/// Pairs after the verdict are not counted.
#[derive(Clone, Debug)]
pub struct OrderedSprt {
    test: Sprt,
    counts: PairCounts,
    decided_by_faults: u64,
    /// By their numbers; `None` for skipped pairs.
    waiting: BTreeMap<u64, Option<SprtPair>>,
    /// How many pairs, from the first on, are counted or skipped.
    pub(super) known: u64,
    verdict: SprtVerdict,
}

/// A pair, or a round of three players or more, as a test needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SprtPair {
    /// The first bot's points against the second, in half points: 2 for each game in which it was ahead, 1 for a tie.
    pub half_points: usize,
    /// Whether a bot won it because of a fault of the other.
    pub by_fault: bool,
}

impl OrderedSprt {
    /// A test before its first pair, for games of this many players.
    pub fn new(test: Sprt, players: usize) -> OrderedSprt {
        OrderedSprt {
            test,
            counts: PairCounts::new(players),
            decided_by_faults: 0,
            waiting: BTreeMap::new(),
            known: 0,
            verdict: SprtVerdict::Undecided,
        }
    }

    /// Takes pair `number`, from 1, and gives the verdict as far as it is known.
    pub fn add(&mut self, number: u64, pair: SprtPair) -> SprtVerdict {
        self.take(number, Some(pair))
    }

    /// Continues without pair `number`, which does not count and is not played again.
    pub fn pass_over(&mut self, number: u64) -> SprtVerdict {
        self.take(number, None)
    }

    fn take(&mut self, number: u64, pair: Option<SprtPair>) -> SprtVerdict {
        self.waiting.insert(number, pair);
        while self.verdict == SprtVerdict::Undecided {
            let Some(next) = self.waiting.remove(&(self.known + 1)) else {
                break;
            };
            self.known += 1;
            if let Some(pair) = next {
                self.counts.add(pair.half_points);
                self.decided_by_faults += u64::from(pair.by_fault);
                self.verdict = self.test.verdict(&self.counts);
            }
        }
        self.verdict
    }

    /// The settings of the test.
    pub fn test(&self) -> &Sprt {
        &self.test
    }

    /// The pairs counted so far.
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// How many of the pairs counted were decided, and how many of those by a fault.
    pub fn decided(&self) -> (u64, u64) {
        (self.counts.decided(), self.decided_by_faults)
    }

    /// Whether most decided pairs were decided by faults: the test has then found which bot fails less, not which
    /// plays better.
    pub fn is_about_faults(&self) -> bool {
        let (decided, by_faults) = self.decided();
        2 * by_faults > decided
    }

    /// How many finished pairs are not counted, because an earlier one is missing or the verdict was already reached.
    pub fn uncounted(&self) -> usize {
        self.waiting.values().flatten().count()
    }

    /// The verdict so far.
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }
}
