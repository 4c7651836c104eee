//! Schedules, and the plan of a run: which pairs are open. [`groups`](super::groups) draws the pairs.

use super::groups::{all_pairings, groups};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A kind of schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Every bot plays every other.
    RoundRobin {
        /// Pairs of games between every two; how often they meet, about, if games have more players.
        rounds: u64,
    },
    /// One bot plays all others.
    Gauntlet {
        /// Its number.
        newcomer: usize,
        /// Pairs of games against each of the others; how often it meets each, about, if games have more players.
        rounds: u64,
    },
    /// The bots play whose games say most about the ratings.
    Matched {
        /// Pairs of games in all.
        pairs: u64,
    },
}

impl Schedule {
    /// All pairs of the bots that play, in order; rounds if games have more players. None for schedules that use results.
    pub(super) fn all(&self, bots: &[usize], players: usize, seed: u64) -> Vec<Planned> {
        let (newcomer, rounds) = match *self {
            Schedule::RoundRobin { rounds } => (None, rounds),
            Schedule::Gauntlet { newcomer, rounds } => (Some(newcomer), rounds),
            Schedule::Matched { .. } => return Vec::new(),
        };
        let groups = groups(bots, players, newcomer, rounds, seed).into_iter();
        groups
            .map(|(bots, round)| Planned { bots, round })
            .collect()
    }
}

/// A pair to be played.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Planned {
    /// The numbers of the bots.
    pub(super) bots: Vec<usize>,
    /// The number of the pair between them.
    pub(super) round: u64,
}

impl Planned {
    /// The same pair with the lowest number first, whoever is named first.
    fn in_order(&self) -> Cow<'_, Planned> {
        let mut pair = Cow::Borrowed(self);
        if !self.bots.is_sorted() {
            pair.to_mut().bots.sort_unstable();
        }
        pair
    }
}

/// The pairs of a schedule. A schedule that uses results plans no pair ahead.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pairs: Vec<Planned>,
    /// The position of the next pair to claim.
    next: usize,
    /// The finished pairs, each with its lowest bot number first.
    finished: HashSet<Planned>,
}

impl Plan {
    /// Lists the pairs that these bots have to play, so many in a game. What is finished by then counts.
    pub(super) fn rebuild(
        &mut self,
        schedule: &Schedule,
        bots: &[usize],
        players: usize,
        seed: u64,
    ) {
        self.pairs = schedule.all(bots, players, seed);
        self.next = 0;
        if players > 2 {
            self.leave_out_met(bots);
        }
    }

    /// Leaves out groups in place of the finished ones that were drawn before a bot came or went: as often as every two
    /// bots met in those, they need not meet in these.
    fn leave_out_met(&mut self, bots: &[usize]) {
        let planned: HashSet<Cow<'_, Planned>> = self.pairs.iter().map(Planned::in_order).collect();
        let plays = |bot: &usize| bots.contains(bot);
        let others = self.finished.iter().filter(|group| {
            group.bots.iter().all(plays) && !planned.contains(&Cow::Borrowed(*group))
        });
        let mut met: HashMap<(usize, usize), u64> = HashMap::new();
        for pairing in others.flat_map(|group| all_pairings(&group.bots)) {
            *met.entry(pairing).or_default() += 1;
        }
        let finished = &self.finished;
        self.pairs.retain(|group| {
            let group = group.in_order();
            let pairings = all_pairings(&group.bots);
            let have_met = |pairing| met.get(pairing).is_some_and(|&times| times > 0);
            if finished.contains(&*group) || !pairings.iter().all(have_met) {
                return true;
            }
            for pairing in pairings {
                *met.entry(pairing).or_default() -= 1;
            }
            false
        });
    }

    /// Forgets the finished pairs, because bots have other numbers or versions.
    pub(super) fn forget_finished(&mut self) {
        self.finished.clear();
    }

    pub(super) fn finish(&mut self, pair: &Planned) {
        self.finished.insert(pair.in_order().into_owned());
    }

    pub(super) fn is_open(&self, pair: &Planned) -> bool {
        !self.finished.contains(&*pair.in_order())
    }

    /// The next open pair; `None` at the end, after which it starts over, because pairs under way may still have to be
    /// played here.
    pub(super) fn next_open(&mut self) -> Option<Planned> {
        let open = self.pairs[self.next..]
            .iter()
            .position(|pair| self.is_open(pair));
        let Some(place) = open.map(|place| self.next + place) else {
            self.begin_anew();
            return None;
        };
        self.next = place + 1;
        Some(self.pairs[place].clone())
    }

    /// Starts over, so that all open pairs are claimed once more.
    pub(super) fn begin_anew(&mut self) {
        self.next = 0;
    }

    /// How many pairs are not finished.
    pub(super) fn left(&self) -> u64 {
        let open = self.pairs.iter().filter(|pair| self.is_open(pair));
        open.count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_pairs_come_in_turn_and_once_more_after_the_end() {
        let mut plan = Plan::default();
        plan.rebuild(&Schedule::RoundRobin { rounds: 1 }, &[0, 1, 2], 2, 1);
        let first = plan.next_open().unwrap();
        let mut turned = first.clone();
        turned.bots.reverse();
        plan.finish(&turned);
        let rest: Vec<Planned> = std::iter::from_fn(|| plan.next_open()).collect();
        assert_eq!((rest.len(), plan.left()), (2, 2));
        assert!(!rest.contains(&first));
        let again: Vec<Planned> = std::iter::from_fn(|| plan.next_open()).collect();
        assert_eq!(again, rest);
    }

    /// How often each pairing of these bots meets in these groups: at least, and at most.
    fn meetings<'a>(bots: &[usize], groups: impl Iterator<Item = &'a Planned>) -> (usize, usize) {
        let groups: Vec<_> = groups.collect();
        let met = all_pairings(bots).into_iter().map(|(one, other)| {
            let have_both =
                |group: &&&Planned| group.bots.contains(&one) && group.bots.contains(&other);
            groups.iter().filter(have_both).count()
        });
        (met.clone().min().unwrap(), met.max().unwrap())
    }

    #[test]
    fn a_bot_that_joins_games_of_three_meets_the_others_and_what_they_have_played_counts() {
        let schedule = Schedule::RoundRobin { rounds: 4 };
        let (mut plan, all) = (Plan::default(), Vec::from_iter(0..12));
        let old: Vec<usize> = all.iter().copied().filter(|&bot| bot != 3).collect();
        plan.rebuild(&schedule, &old, 3, 1);
        let played = plan.pairs.clone();
        played.iter().for_each(|group| plan.finish(group));
        plan.rebuild(&schedule, &all, 3, 1);
        let open: Vec<_> = std::iter::from_fn(|| plan.next_open()).collect();
        let for_newcomer = open.iter().filter(|group| group.bots.contains(&3)).count();
        assert!(
            open.len() <= for_newcomer + 2,
            "{} {for_newcomer}",
            open.len()
        );
        let (least, most) = meetings(&all, played.iter().chain(&open));
        assert!(least >= 3 && most <= 8, "{least} {most}");

        // Who resumes later plans the same.
        open.iter().take(7).for_each(|group| plan.finish(group));
        plan.rebuild(&schedule, &all, 3, 1);
        let rest: Vec<_> = std::iter::from_fn(|| plan.next_open()).collect();
        assert_eq!(rest, open[7..]);

        // Once a bot is gone, games with it count no more.
        rest.iter().for_each(|group| plan.finish(group));
        plan.rebuild(&schedule, &all[1..], 3, 1);
        assert!(plan.left() < 20, "{}", plan.left());
    }

    #[test]
    fn a_finished_group_that_is_not_planned_counts_for_one_that_is_and_a_pair_for_none() {
        for (bots, left) in [(vec![0, 1], 3), (vec![0, 1, 2], 2)] {
            let (mut plan, players) = (Plan::default(), bots.len());
            let schedule = Schedule::RoundRobin { rounds: 3 };
            plan.rebuild(&schedule, &bots, players, 1);
            assert_eq!(plan.left(), 3);
            let finished = bots.clone();
            plan.finish(&Planned {
                bots: finished,
                round: 7,
            });
            plan.rebuild(&schedule, &bots, players, 1);
            assert_eq!(plan.left(), left, "{players} players");
        }
    }

    #[test]
    fn a_gauntlet_is_the_newcomer_with_all_others_and_games_of_three_are_planned_in_rounds() {
        let gauntlet = Schedule::Gauntlet {
            newcomer: 2,
            rounds: 2,
        };
        let pairs = gauntlet.all(&[0, 1, 2, 3], 2, 1);
        assert!(pairs.len() == 6 && pairs.iter().all(|pair| pair.bots[0] == 2));
        let rounds = Schedule::RoundRobin { rounds: 3 }.all(&[0, 1, 2, 3], 3, 1);
        assert!(rounds.iter().all(|round| round.bots.len() == 3));
        assert_eq!(
            rounds.len(),
            6,
            "six pairings three times, three in each round"
        );
        assert_eq!(Schedule::Matched { pairs: 9 }.all(&[0, 1, 2], 2, 1), []);
    }
}
