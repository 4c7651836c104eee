//! Schedules of groups: which bots meet in games of any number of players, and the group to play next.
//!
//! Pure functions, like those of [`schedule`](super::schedule). Leaves out which groups are finished.

use crownhead_record::seed::Purpose;
use crownhead_stats::rating::{Prior, Results, fit};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::HashMap;

/// All groups of the bots that play, in order: the numbers of the bots, the newcomer first, and the group's number among
/// the groups of these bots, from 0.
///
/// Every two bots meet about `rounds` times. A newcomer sits in every group and meets each other bot about `rounds`
/// times. A longer schedule begins with the shorter one. After each round, all have met about equally often, so that a
/// ladder that is stopped early is balanced. No round has the same group twice. With two players, a round has every
/// pairing once.
///
/// A group begins with two bots that have met least. Each next bot is the one whom those in the group have met least.
/// Groups in which every two bots meet exactly once are a Steiner system (J. Steiner 1853, "Combinatorische Aufgabe",
/// Journal für die reine und angewandte Mathematik 45). Such systems exist for few numbers of bots, and ratings need only
/// nearly equal counts.
pub(super) fn groups(
    bots: &[usize],
    players: usize,
    newcomer: Option<usize>,
    rounds: u64,
    seed: u64,
) -> Vec<(Vec<usize>, u64)> {
    let is_absent = newcomer.is_some_and(|newcomer| !bots.contains(&newcomer));
    if is_absent || bots.len() < players {
        return Vec::new();
    }
    let (pairings, in_a_group) = match newcomer {
        Some(newcomer) => (pairings_of(newcomer, bots), players - 1),
        None => (all_pairings(bots), players * (players - 1) / 2),
    };
    let mut drawn = Drawn::new(bots);
    let mut groups = Vec::new();
    for round in 0..rounds {
        let mut rng = rng(seed, round);
        let mut order = pairings.clone();
        order.shuffle(&mut rng);
        let until = ((round + 1) * pairings.len() as u64).div_ceil(in_a_group as u64);
        while (groups.len() as u64) < until {
            let least = order.iter().map(|&pairing| drawn.met(pairing)).min();
            for &pairing in &order {
                if (groups.len() as u64) < until && Some(drawn.met(pairing)) == least {
                    let mut group = drawn.group(bots, pairing, players, round, &mut rng);
                    group.sort_unstable_by_key(|&bot| (Some(bot) != newcomer, bot));
                    let number = drawn.count(&group, round);
                    groups.push((group, number));
                }
            }
        }
    }
    groups
}

/// The groups that a schedule has so far.
struct Drawn {
    /// How often every two bots have met, by their numbers.
    meetings: Vec<Vec<u64>>,
    /// How often each group occurred, and the round in which it did last. Its bots are in order.
    groups: HashMap<Vec<usize>, (u64, u64)>,
}

impl Drawn {
    fn new(bots: &[usize]) -> Drawn {
        let numbers = bots.iter().max().map_or(0, |last| last + 1);
        Drawn {
            meetings: vec![vec![0; numbers]; numbers],
            groups: HashMap::new(),
        }
    }

    fn met(&self, (one, other): (usize, usize)) -> u64 {
        self.meetings[one][other]
    }

    /// A group of this pairing and others, which this round does not have yet.
    fn group(
        &self,
        bots: &[usize],
        (one, other): (usize, usize),
        players: usize,
        round: u64,
        rng: &mut impl Rng,
    ) -> Vec<usize> {
        let mut group = vec![one, other];
        let mut rest = bots.to_vec();
        while group.len() < players {
            rest.retain(|bot| !group.contains(bot));
            let best = rest.iter().copied().min_by_key(|&bot| {
                let met = group.iter().map(|&seated| self.met((bot, seated)));
                let (most, sum) = (met.clone().max(), met.sum::<u64>());
                (most, sum, rng.random::<u64>())
            });
            group.extend(best);
            if rest.len() > 1 && self.is_in_round(&group, round) {
                group.pop();
                rest.retain(|&bot| Some(bot) != best);
            }
        }
        group
    }

    fn is_in_round(&self, group: &[usize], round: u64) -> bool {
        let mut group = group.to_vec();
        group.sort_unstable();
        let last = self.groups.get(&group);
        last.is_some_and(|&(_, last)| last == round)
    }

    /// Counts this group of a round. How often it occurred before.
    fn count(&mut self, group: &[usize], round: u64) -> u64 {
        for &one in group {
            for &other in group {
                self.meetings[one][other] += 1;
            }
        }
        let mut bots = group.to_vec();
        bots.sort_unstable();
        let (times, last) = self.groups.entry(bots).or_default();
        (*times, *last) = (*times + 1, round);
        *times - 1
    }
}

/// The group whose games say most about the ratings. It begins with the pairing that says most about the difference of
/// its bots' ratings: see [`gain`](crownhead_stats::rating::Ratings::gain). Each next bot is the one whose gains with
/// those in the group have the largest sum. Groups under way count as played: `under_way` is how many have both bots,
/// the lower number first. A bot with far fewer rounds than the others comes first. The seed orders equals.
///
/// `None` for fewer bots than players.
pub(super) fn matched_group(
    bots: &[usize],
    players: usize,
    results: &Results,
    under_way: impl Fn(usize, usize) -> u64,
    all_bots: usize,
    seed: u64,
    number: u64,
) -> Option<Vec<usize>> {
    if bots.len() < players {
        return None;
    }
    let under_way = |one: usize, other: usize| under_way(one.min(other), one.max(other));
    let rounds = |&bot: &usize| -> u64 {
        let others = bots.iter().filter(|&&other| other != bot);
        let met: u64 = others.map(|&other| under_way(bot, other)).sum();
        // A group counts once for each other bot in it.
        results.rounds_of(bot) + met / (players as u64 - 1)
    };
    let played: HashMap<usize, u64> = bots.iter().map(|bot| (*bot, rounds(bot))).collect();
    let fewest = played.values().copied().min()?;
    let mean = played.values().sum::<u64>() as f64 / bots.len() as f64;
    let behind = (fewest as f64) < (LEAST_SHARE * mean).min(LEAST);
    let mut pairings = all_pairings(bots);
    pairings.retain(|(one, other)| !behind || played[one].min(played[other]) == fewest);
    let mut rng = rng(seed, number);
    pairings.shuffle(&mut rng);
    let ratings = fit(all_bots, results, &Prior::WEAK, None);
    let gain = |(one, other)| ratings.gain((one, other), under_way(one, other));
    let (one, other) = most(pairings, gain)?;
    let mut group = vec![one, other];
    let mut rest = bots.to_vec();
    rest.shuffle(&mut rng);
    while group.len() < players {
        rest.retain(|bot| !group.contains(bot));
        let gains = |bot| group.iter().map(|&seated| gain((seated, bot))).sum();
        group.extend(most(rest.iter().copied(), gains));
    }
    Some(group)
}

/// The share of the mean number of rounds that every bot plays in any case.
const LEAST_SHARE: f64 = 0.75;

/// From this many rounds on, the model chooses.
const LEAST: f64 = 20.0;

/// The one with the largest value.
fn most<T: Copy>(of: impl IntoIterator<Item = T>, value: impl Fn(T) -> f64) -> Option<T> {
    let valued = of.into_iter().map(|one| (value(one), one));
    valued
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, one)| one)
}

fn rng(seed: u64, number: u64) -> Pcg64 {
    Pcg64::seed_from_u64(Purpose::Schedule { number }.seed(seed))
}

/// Every two of these bots, in their order.
pub(super) fn all_pairings(bots: &[usize]) -> Vec<(usize, usize)> {
    let after = |place: usize| {
        let others = bots[place + 1..].iter();
        others.map(move |&other| (bots[place], other))
    };
    (0..bots.len()).flat_map(after).collect()
}

fn pairings_of(newcomer: usize, bots: &[usize]) -> Vec<(usize, usize)> {
    let others = bots.iter().filter(|&&bot| bot != newcomer);
    others.map(|&bot| (newcomer, bot)).collect()
}

#[cfg(test)]
mod tests;
