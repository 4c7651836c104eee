//! Schedules of groups by their counts, and against the schedules of pairs.

use super::*;
use crate::schedule::{Schedule, matched};
use crownhead_stats::rating::PairResult;
use std::collections::HashSet;

const BOTS: [usize; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

/// Largest minus smallest.
fn spread(counts: impl Iterator<Item = u64> + Clone) -> u64 {
    counts.clone().max().unwrap_or(0) - counts.min().unwrap_or(0)
}

/// How many groups have all of these bots.
fn count(groups: &[(Vec<usize>, u64)], bots: &[usize]) -> u64 {
    let holds = |(group, _): &&(Vec<usize>, u64)| bots.iter().all(|bot| group.contains(bot));
    groups.iter().filter(holds).count() as u64
}

#[test]
fn groups_of_two_are_the_pairs_of_the_schedule() {
    for bots in [&[0, 1][..], &[1, 2, 5, 6, 8], &BOTS] {
        for seed in 0..5 {
            for newcomer in [None, Some(bots[0]), Some(bots[1]), Some(99)] {
                let rounds = 4;
                let schedule = newcomer.map_or(Schedule::RoundRobin { rounds }, |newcomer| {
                    Schedule::Gauntlet { newcomer, rounds }
                });
                let pairs = schedule.all(bots, seed).into_iter();
                let pairs = pairs.map(|(one, other, number)| (vec![one, other], number));
                let groups = groups(bots, 2, newcomer, rounds, seed);
                assert!(groups.into_iter().eq(pairs), "{bots:?} {seed} {newcomer:?}");
            }
        }
    }
}

#[test]
fn after_each_round_all_have_met_and_played_about_equally_often() {
    // Of this many players, how far the meetings of two bots are apart, and the games of two bots.
    for (players, meetings, games) in [(2, 0, 0), (3, 2, 4), (4, 2, 3), (5, 3, 3), (8, 4, 3)] {
        for count_of_bots in players..=BOTS.len() {
            let bots = &BOTS[..count_of_bots];
            for (rounds, seed) in (1..=12).zip(0..) {
                let groups = groups(bots, players, None, rounds, seed % 3);
                let met = all_pairings(bots);
                let met = met
                    .iter()
                    .map(|&(one, other)| count(&groups, &[one, other]));
                let played = bots.iter().map(|&bot| count(&groups, &[bot]));
                let told = format!("{count_of_bots} bots, {players} play, {rounds} rounds");
                assert!(spread(met.clone()) <= meetings, "{told}: {}", spread(met));
                assert!(
                    spread(played.clone()) <= games,
                    "{told}: {}",
                    spread(played)
                );
                let wanted = rounds as f64;
                let mean = met.clone().sum::<u64>() as f64 / met.len() as f64;
                assert!((wanted..wanted + 1.0).contains(&mean), "{told}: {mean}");
            }
        }
    }
}

#[test]
fn a_newcomer_meets_all_others_equally_often_at_any_moment() {
    for players in 2..=6 {
        for count_of_bots in players..=BOTS.len() {
            let (newcomer, bots) = (1, &BOTS[..count_of_bots]);
            let groups = groups(bots, players, Some(newcomer), 5, 7);
            assert!(groups.iter().all(|(group, _)| group[0] == newcomer));
            let mut met = vec![0; count_of_bots];
            for (group, _) in &groups {
                group.iter().for_each(|&bot| met[bot] += 1);
                let others = met.iter().enumerate().filter(|(bot, _)| *bot != newcomer);
                let apart = spread(others.map(|(_, &times)| times));
                assert!(apart <= 1, "{count_of_bots} bots, {players} play: {apart}");
            }
            let told = format!("{count_of_bots} bots, {players} play: {met:?}");
            assert!(met.iter().min() >= Some(&5), "{told}");
        }
    }
}

#[test]
fn a_longer_schedule_begins_with_the_shorter_and_no_round_has_a_group_twice() {
    for (count_of_bots, players) in [(4, 3), (6, 3), (12, 3), (6, 4), (9, 6)] {
        for (newcomer, seed) in [(None, 0), (None, 1), (None, 2), (Some(3), 3)] {
            let of = |rounds| groups(&BOTS[..count_of_bots], players, newcomer, rounds, seed);
            let all = of(20);
            let mut begun = 0;
            for rounds in 1..=20 {
                let shorter = of(rounds);
                assert_eq!(all[..shorter.len()], shorter);
                let round = &shorter[begun..];
                let different: HashSet<_> = round.iter().map(|(group, _)| group).collect();
                assert_eq!(different.len(), round.len(), "{round:?}");
                begun = shorter.len();
            }
        }
    }
}

#[test]
fn groups_have_different_bots_and_a_number_among_those_of_the_same() {
    let all = groups(&[0, 2, 3, 5, 7], 3, None, 9, 1);
    let mut before = HashMap::new();
    for (group, number) in &all {
        assert!(group.is_sorted_by(|one, other| one < other), "{group:?}");
        let times = before.entry(group).or_insert(0);
        assert_eq!(number, times);
        *times += 1;
    }
    assert!(before.values().any(|times| *times > 1));
    assert_eq!(groups(&[0, 2, 3, 5, 7], 3, None, 9, 1), all);
    assert_ne!(groups(&[0, 2, 3, 5, 7], 3, None, 9, 2), all);
}

#[test]
fn fewer_bots_than_players_play_nothing() {
    for (bots, players) in [(&[][..], 2), (&[3], 2), (&[3, 4], 3), (&[1, 2, 3, 5], 5)] {
        assert_eq!(groups(bots, players, None, 9, 1), []);
        assert_eq!(groups(bots, players, bots.first().copied(), 9, 1), []);
        let results = Results::default();
        let group = matched_group(bots, players, &results, |_, _| 0, 6, 1, 0);
        assert_eq!(group, None);
    }
    let retired = groups(&[0, 1, 2], 3, Some(5), 9, 1);
    assert_eq!(retired, [], "a newcomer that has retired plays nobody");
}

#[test]
fn a_matched_group_of_two_is_the_matched_pairing() {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut results = Results::default();
    for number in 0..150 {
        let under_way = |one: usize, other: usize| (one * other + number) as u64 % 3;
        let pairing = matched(&BOTS, &results, under_way, 14, 1, number as u64).unwrap();
        let group = matched_group(&BOTS, 2, &results, under_way, 14, 1, number as u64);
        assert_eq!(group, Some(vec![pairing.0, pairing.1]));
        let half_points = [(); 2].map(|()| rng.random_range(0..=2));
        let result = PairResult::from_half_points(half_points);
        results.add(pairing.0, pairing.1, result);
    }
}

#[test]
fn a_matched_group_begins_with_its_best_pairing_and_adds_who_gains_most_with_it() {
    let mut results = Results::default();
    for (group, _) in groups(&BOTS[..7], 3, None, 6, 1) {
        // The higher number wins.
        let points: Vec<f64> = group.iter().map(|&bot| bot as f64).collect();
        results.add_round(&group, vec![points.as_slice(); 3]);
    }
    let bots = &BOTS[..7];
    let busy = |one, other| u64::from((one, other) == (3, 4));
    let group = matched_group(bots, 4, &results, busy, 7, 1, 0).unwrap();
    assert_eq!(group.iter().collect::<HashSet<_>>().len(), 4, "{group:?}");
    let ratings = fit(7, &results, &Prior::WEAK, None);
    let gain =
        |one: usize, other: usize| ratings.gain((one, other), busy(one.min(other), one.max(other)));
    for (one, other) in all_pairings(bots) {
        assert!(
            gain(one, other) <= gain(group[0], group[1]),
            "{one} {other}"
        );
    }
    for seated in 2..4 {
        let gains = |bot| {
            let seated = group[..seated].iter();
            seated.map(|&other| gain(other, bot)).sum::<f64>()
        };
        for bot in bots.iter().filter(|bot| !group[..seated].contains(bot)) {
            assert!(gains(*bot) <= gains(group[seated]), "{bot} {group:?}");
        }
    }
}

#[test]
fn matched_groups_spread_what_is_under_way() {
    let results = Results::default();
    let mut started = Vec::new();
    for number in 0..40 {
        let busy = |one, other| count(&started, &[one, other]);
        let group = matched_group(&BOTS[..6], 3, &results, busy, 6, 1, number).unwrap();
        started.push((group, number));
    }
    let met = all_pairings(&BOTS[..6]);
    let met = met
        .iter()
        .map(|&(one, other)| count(&started, &[one, other]));
    assert!(spread(met.clone()) <= 2, "{:?}", met.collect::<Vec<_>>());
}

#[test]
fn the_seed_orders_bots_of_whom_as_little_is_known() {
    let group = |number| matched_group(&BOTS[..6], 3, &Results::default(), |_, _| 0, 6, 1, number);
    let all: Vec<_> = (0..60)
        .map(|number| (group(number).unwrap(), number))
        .collect();
    let played = BOTS[..6].iter().map(|&bot| count(&all, &[bot]));
    assert!(
        spread(played.clone()) < 15,
        "{:?}",
        played.collect::<Vec<_>>()
    );
}

#[test]
fn matched_groups_leave_no_bot_behind_until_it_has_twenty_rounds_played_or_under_way() {
    // Two fields of equals, which two rounds compare, and bot 3, which is compared with the first.
    let begins_with_it = |played: usize, under_way: u64| {
        let mut results = Results::default();
        let mut add = |bots: &[usize], number: usize| {
            let points = [(number % 2) as f64, 0.5, (1 - number % 2) as f64];
            results.add_round(bots, [points.as_slice(); 3]);
        };
        (0..200).for_each(|number| add(&[0, 1, 2], number));
        (0..30).for_each(|number| add(&[4, 5, 6], number));
        (0..2).for_each(|number| add(&[0, 4, 5], number));
        (0..played).for_each(|number| add(&[1, 3, 2], number));
        // Each group under way has 1, 2 and 3.
        let busy =
            |one, other| under_way * u64::from([(1, 3), (2, 3), (1, 2)].contains(&(one, other)));
        let group = matched_group(&BOTS[..7], 3, &results, busy, 7, 1, 0).unwrap();
        group[..2].contains(&3)
    };
    assert!(begins_with_it(19, 0), "it has fewer than 20 rounds");
    assert!(
        !begins_with_it(21, 0),
        "20 are enough, though others have 200"
    );
    assert!(begins_with_it(10, 5), "groups under way count once");
    assert!(!begins_with_it(10, 11), "groups under way count");
}
