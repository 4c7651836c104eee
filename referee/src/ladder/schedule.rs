//! Who plays whom next.
//!
//! Pure functions: of the configuration, the seed and the pair's number, and for `matched` of the results
//! too, which it is there to look at.

use crate::seed::Purpose;
use crate::stats::rating::{Prior, Ratings, Results, fit};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

/// A kind of schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Every bot plays every other.
    RoundRobin {
        /// Pairs of games between every two.
        rounds: u64,
    },
    /// One bot plays all others.
    Gauntlet {
        /// Its number.
        newcomer: usize,
        /// Pairs of games against each of the others.
        rounds: u64,
    },
    /// The two play whose games teach most.
    Matched {
        /// Pairs of games in all.
        pairs: u64,
    },
}

impl Schedule {
    /// All pairs of the bots that play, given by their numbers, in their order: the two and the number of the
    /// pair between them, from 0. None for schedules that look at results.
    ///
    /// Each round has every pairing once, in an order of its own, so that a ladder that is stopped early is
    /// an even one.
    pub fn all(&self, bots: &[usize], seed: u64) -> Vec<(usize, usize, u64)> {
        let (pairings, rounds) = match *self {
            Schedule::RoundRobin { rounds } => (all_pairings(bots), rounds),
            Schedule::Gauntlet { newcomer, rounds } => {
                let against = bots.iter().filter(|&&bot| bot != newcomer);
                let plays = bots.contains(&newcomer);
                let pairings = against.map(|&bot| (newcomer, bot)).filter(|_| plays);
                (pairings.collect(), rounds)
            }
            Schedule::Matched { .. } => return Vec::new(),
        };
        let round = |round| {
            let mut order = pairings.clone();
            let seed = Purpose::Schedule { number: round }.seed(seed);
            order.shuffle(&mut Pcg64::seed_from_u64(seed));
            order
                .into_iter()
                .map(move |(one, other)| (one, other, round))
        };
        (0..rounds).flat_map(round).collect()
    }
}

/// The pairing that teaches most: whose difference is least certain, among bots that are near each other.
///
/// A pair of games tells more the more open it is, `p (1 - p)`, and is worth more the wider the difference
/// is unknown, its variance: the product is by how much the pair narrows it (a step of optimal design, after
/// M. E. Glickman and S. T. Jensen 2005, "Adaptive paired comparison design", Journal of Statistical Planning
/// and Inference 127). Pairs under way count as if they had narrowed it already. Equals go in the order
/// that the seed gives.
///
/// `None` for fewer than two bots.
pub fn matched(
    bots: &[usize],
    results: &Results,
    under_way: impl Fn(usize, usize) -> u64,
    all_bots: usize,
    seed: u64,
    number: u64,
) -> Option<(usize, usize)> {
    let ratings = fit(all_bots, results, &Prior::WEAK, None);
    let mut pairings = all_pairings(bots);
    let seed = Purpose::Schedule { number }.seed(seed);
    pairings.shuffle(&mut Pcg64::seed_from_u64(seed));
    let worth = |&(one, other): &(usize, usize)| {
        let played = results.pairs_between(one, other);
        let waiting = under_way(one, other) as f64;
        worth(&ratings, one, other) / (1.0 + waiting / (1.0 + played as f64)).powi(2)
    };
    pairings
        .into_iter()
        .map(|pairing| (worth(&pairing), pairing))
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, pairing)| pairing)
}

fn worth(ratings: &Ratings, one: usize, other: usize) -> f64 {
    let difference = ratings.ratings[one] - ratings.ratings[other];
    let expected = 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
    expected * (1.0 - expected) * ratings.deviation(one, other).powi(2)
}

fn all_pairings(bots: &[usize]) -> Vec<(usize, usize)> {
    let after = |place: usize| {
        bots[place + 1..]
            .iter()
            .map(move |&other| (bots[place], other))
    };
    (0..bots.len()).flat_map(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rating::PairResult;
    use std::collections::HashSet;

    #[test]
    fn a_round_robin_has_every_pairing_once_a_round() {
        let schedule = Schedule::RoundRobin { rounds: 3 };
        let bots = [0, 2, 5, 6];
        let pairs = schedule.all(&bots, 1);
        assert_eq!(pairs.len(), 18);
        assert_eq!(pairs.iter().collect::<HashSet<_>>().len(), 18);
        for (round, pairs) in (0..).zip(pairs.chunks(6)) {
            assert!(pairs.iter().all(|pair| pair.2 == round));
        }
        assert_eq!(schedule.all(&bots, 1), pairs);
        assert_ne!(schedule.all(&bots, 2), pairs);
    }

    #[test]
    fn a_gauntlet_is_the_newcomer_against_all_others() {
        let schedule = Schedule::Gauntlet {
            newcomer: 2,
            rounds: 2,
        };
        let pairs = schedule.all(&[0, 1, 2, 3], 1);
        assert_eq!(pairs.len(), 6);
        assert!(pairs.iter().all(|&(one, other, _)| one == 2 && other != 2));
        assert_eq!(
            schedule.all(&[0, 1], 1),
            [],
            "a newcomer that has retired plays nobody"
        );
    }

    #[test]
    fn fewer_than_two_bots_play_nothing() {
        for bots in [&[][..], &[3]] {
            assert_eq!(Schedule::RoundRobin { rounds: 9 }.all(bots, 1), []);
            assert_eq!(matched(bots, &Results::default(), |_, _| 0, 4, 1, 0), None);
        }
    }

    #[test]
    fn matched_prefers_near_neighbours_of_whom_little_is_known() {
        // 0 beats 1 and 2, which are even; 3 is new.
        let mut results = Results::default();
        for number in 0..60 {
            results.add(0, 1, PairResult::from_half_points([2, 2]));
            results.add(0, 2, PairResult::from_half_points([2, 2]));
            results.add(1, 2, PairResult::from_half_points([2 * (number % 2); 2]));
        }
        let next = |bots: &[usize]| matched(bots, &results, |_, _| 0, 4, 1, 0).unwrap();
        assert!(next(&[0, 1, 2, 3]).1 == 3, "the newcomer is known least");
        assert_ne!(next(&[0, 1, 3]), (0, 1));
    }

    #[test]
    fn matched_spreads_what_is_under_way() {
        let results = Results::default();
        let mut counts = std::collections::HashMap::<(usize, usize), u64>::new();
        for number in 0..12 {
            let busy = |one, other| counts.get(&(one, other)).copied().unwrap_or(0);
            let pairing = matched(&[0, 1, 2], &results, busy, 3, 1, number).unwrap();
            *counts.entry(pairing).or_default() += 1;
        }
        assert!(counts.values().all(|&count| count == 4), "{counts:?}");
    }
}
