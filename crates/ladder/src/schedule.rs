//! Schedules: which pair to play next, and the plan of a run: which pairs are open.
//!
//! Schedules are pure functions of the configuration, the seed and the pair's number; `matched` also uses the results.

use crownhead_record::seed::Purpose;
use crownhead_stats::rating::{Prior, Results, fit};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use std::collections::{HashMap, HashSet};

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
    /// The two bots play whose games say most about the ratings.
    Matched {
        /// Pairs of games in all.
        pairs: u64,
    },
}

impl Schedule {
    /// All pairs of the bots that play, in order: the numbers of the two bots, and the pair's number between them, from
    /// 0. None for schedules that use results.
    ///
    /// Each round has every pairing once, in an order of its own, so that a ladder that is stopped early is balanced.
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

/// The pairing that says most about the difference of its bots' ratings: see [`gain`](crownhead_stats::rating::Ratings::gain). Pairs under way count as played. A
/// bot with far fewer pairs than the others comes first. The seed orders equals.
///
/// `None` for fewer than two bots.
pub(super) fn matched(
    bots: &[usize],
    results: &Results,
    under_way: impl Fn(usize, usize) -> u64,
    all_bots: usize,
    seed: u64,
    number: u64,
) -> Option<(usize, usize)> {
    let pairs = |&bot: &usize| -> u64 {
        let others = bots.iter().filter(|&&other| other != bot);
        let waiting = others.map(|&other| under_way(bot.min(other), bot.max(other)));
        results.rounds_of(bot) + waiting.sum::<u64>()
    };
    let played: HashMap<usize, u64> = bots.iter().map(|bot| (*bot, pairs(bot))).collect();
    let fewest = played.values().copied().min()?;
    let mean = played.values().sum::<u64>() as f64 / bots.len() as f64;
    let behind = (fewest as f64) < (LEAST_SHARE * mean).min(LEAST);
    let mut pairings = all_pairings(bots);
    pairings.retain(|(one, other)| !behind || played[one].min(played[other]) == fewest);
    let seed = Purpose::Schedule { number }.seed(seed);
    pairings.shuffle(&mut Pcg64::seed_from_u64(seed));
    let ratings = fit(all_bots, results, &Prior::WEAK, None);
    let gains = pairings.into_iter().map(|pairing| {
        let under_way = under_way(pairing.0.min(pairing.1), pairing.0.max(pairing.1));
        (ratings.gain(pairing, under_way), pairing)
    });
    gains
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, pairing)| pairing)
}

/// The share of the mean number of pairs that every bot plays in any case.
const LEAST_SHARE: f64 = 0.75;

/// From this many pairs on, the model chooses.
const LEAST: f64 = 20.0;

fn all_pairings(bots: &[usize]) -> Vec<(usize, usize)> {
    let after = |place: usize| {
        bots[place + 1..]
            .iter()
            .map(move |&other| (bots[place], other))
    };
    (0..bots.len()).flat_map(after).collect()
}

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
    use crownhead_stats::rating::PairResult;
    use rand::RngExt;

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
    fn matched_lets_nobody_fall_behind_until_it_has_twenty_pairs_played_or_under_way() {
        // Three equal bots with many games, one that loses to the first of them, and two that played nearly all games
        // against each other. The relation of these two to the others is known least.
        let results = |pairs: u64| {
            let mut results = Results::default();
            let even = |number: u64| PairResult::from_half_points([2 * (number % 2) as u8; 2]);
            for number in 0..200 {
                for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                    results.add(one, other, even(number));
                }
            }
            results.add(0, 4, even(0));
            for number in 0..26 {
                results.add(4, 5, even(number));
            }
            for _ in 0..pairs {
                results.add(0, 3, PairResult::from_half_points([2, 2]));
            }
            results
        };
        let has_last = |played: u64, under_way: u64| {
            let waiting = |one, other| under_way * u64::from((one, other) == (0, 3));
            let bots = [0, 1, 2, 3, 4, 5];
            let (one, other) = matched(&bots, &results(played), waiting, 6, 1, 0).unwrap();
            one == 3 || other == 3
        };
        assert!(has_last(19, 0), "it has fewer than 20 pairs");
        assert!(
            !has_last(21, 0),
            "20 pairs are enough, though the others have 400"
        );
        assert!(!has_last(12, 9), "pairs under way count");
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

    /// A pair between bots of these logarithmic strengths, with this share of draws.
    fn play(
        strengths: &[f64],
        draws: f64,
        (one, other): (usize, usize),
        rng: &mut Pcg64,
    ) -> PairResult {
        let points = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
        let drawn = draws * 2.0 * points.min(1.0 - points);
        PairResult::from_half_points([(); 2].map(|()| {
            let luck = rng.random::<f64>();
            u8::from(luck < points - drawn / 2.0) + u8::from(luck < points + drawn / 2.0)
        }))
    }

    /// The root mean square error of the ratings after this many pairs in this many ladders, and the share of ratings
    /// within their margins. `next` picks a pairing from the results and the pair's number.
    fn error(
        strengths: &[f64],
        draws: f64,
        seed: u64,
        next: impl Fn(&Results, usize) -> (usize, usize),
    ) -> (f64, f64) {
        const LADDERS: usize = 100;
        const PAIRS: usize = 45;
        let mut rng = Pcg64::seed_from_u64(seed);
        let (mut squares, mut held, bots) = (0.0, 0, strengths.len());
        for _ in 0..LADDERS {
            let mut results = Results::default();
            for number in 0..PAIRS {
                let (one, other) = next(&results, number);
                results.add(one, other, play(strengths, draws, (one, other), &mut rng));
            }
            let ratings = fit(bots, &results, &Prior::WEAK, None);
            for (bot, strength) in strengths.iter().enumerate() {
                let off = ratings.ratings[bot] - strength * 400.0 / std::f64::consts::LN_10;
                squares += off * off;
                held += usize::from(off.abs() <= ratings.margins[bot]);
            }
        }
        let all = (LADDERS * bots) as f64;
        ((squares / all).sqrt(), held as f64 / all)
    }

    #[test]
    fn matched_rates_as_well_as_a_round_robin_of_as_many_pairs_and_its_margins_hold() {
        let bots: Vec<usize> = (0..6).collect();
        let pairings = all_pairings(&bots);
        // The random part of the error over these ladders.
        const LUCK: f64 = 1.08;
        for (apart, draws) in [(0.0, 0.8), (1.0, 0.05)] {
            let strengths: Vec<f64> = (0..6).map(|bot| apart * (f64::from(bot) - 2.5)).collect();
            let (even, _) = error(&strengths, draws, 1, |_, number| {
                pairings[number % pairings.len()]
            });
            let (matched, held) = error(&strengths, draws, 2, |results, number| {
                matched(&bots, results, |_, _| 0, 6, 1, number as u64).unwrap()
            });
            let told =
                format!("{apart} apart, {draws} drawn: {matched} against {even}, {held} held");
            assert!(matched <= LUCK * even, "{told}");
            assert!(held >= 0.93, "{told}");
        }
    }

    #[test]
    fn matched_leaves_no_bot_behind() {
        let bots: Vec<usize> = (0..6).collect();
        let mut rng = Pcg64::seed_from_u64(7);
        let mut results = Results::default();
        // One is far stronger than all others, so its games say least.
        let strengths = [9.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        for number in 0..60 {
            let pairing = matched(&bots, &results, |_, _| 0, 6, 1, number).unwrap();
            results.add(
                pairing.0,
                pairing.1,
                play(&strengths, 0.0, pairing, &mut rng),
            );
        }
        let fewest = bots.iter().map(|&bot| results.rounds_of(bot)).min();
        assert!(fewest >= Some(14), "{fewest:?}");
    }

    #[test]
    fn open_pairs_come_in_turn_and_once_more_after_the_end() {
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
