//! The plan of a run: which pairs to play, and which of them are open.

use super::schedule::Schedule;
use std::collections::HashSet;

/// The numbers of two bots, and the number of a pair between them.
pub(super) type Planned = (usize, usize, u64);

/// The pairs of a schedule. A schedule that uses results plans no pair ahead.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pairs: Vec<Planned>,
    /// The position of the next pair to claim.
    next: usize,
    /// The finished pairs, each with its lower bot number first.
    finished: HashSet<Planned>,
}

impl Plan {
    /// Lists the pairs that these bots have to play.
    pub(super) fn rebuild(&mut self, schedule: &Schedule, bots: &[usize], seed: u64) {
        self.pairs = schedule.all(bots, seed);
        self.next = 0;
    }

    /// Forgets the finished pairs, because bots have other numbers or versions.
    pub(super) fn forget_finished(&mut self) {
        self.finished.clear();
    }

    pub(super) fn finish(&mut self, pair: Planned) {
        self.finished.insert(in_order(pair));
    }

    pub(super) fn is_open(&self, pair: Planned) -> bool {
        !self.finished.contains(&in_order(pair))
    }

    /// The next open pair; `None` at the end, after which it starts over, because pairs under way may still have to be
    /// played here.
    pub(super) fn next_open(&mut self) -> Option<Planned> {
        while let Some(&pair) = self.pairs.get(self.next) {
            self.next += 1;
            if self.is_open(pair) {
                return Some(pair);
            }
        }
        self.begin_anew();
        None
    }

    /// Starts over, so that all open pairs are claimed once more.
    pub(super) fn begin_anew(&mut self) {
        self.next = 0;
    }

    /// How many pairs are not finished.
    pub(super) fn left(&self) -> u64 {
        let open = self.pairs.iter().filter(|&&pair| self.is_open(pair));
        open.count() as u64
    }
}

fn in_order((one, other, round): Planned) -> Planned {
    (one.min(other), one.max(other), round)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_comes_in_turn_and_after_the_end_once_more() {
        let mut plan = Plan::default();
        plan.rebuild(&Schedule::RoundRobin { rounds: 1 }, &[0, 1, 2], 1);
        let first = plan.next_open().unwrap();
        plan.finish((first.1, first.0, first.2));
        let rest: Vec<Planned> = std::iter::from_fn(|| plan.next_open()).collect();
        assert_eq!((rest.len(), plan.left()), (2, 2));
        assert!(!rest.contains(&first));
        let again: Vec<Planned> = std::iter::from_fn(|| plan.next_open()).collect();
        assert_eq!(again, rest);
    }
}
