//! Schedules of groups by their counts, and matched groups by what they say about the ratings.

use super::*;
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
            let fewest = met.iter().min();
            assert!(
                fewest >= Some(&5),
                "{count_of_bots} bots, {players} play: {met:?}"
            );
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

/// Without a second choice, one round in about forty would have a group twice.
#[test]
fn a_group_that_a_round_has_already_gives_way_to_another() {
    for seed in 0..100 {
        let all = groups(&BOTS[..9], 3, None, 12, seed);
        for round in all.chunks(12) {
            let different: HashSet<_> = round.iter().map(|(group, _)| group).collect();
            assert_eq!(different.len(), round.len(), "{seed}: {round:?}");
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
fn fewer_bots_than_players_play_nothing_and_as_many_play() {
    for (bots, players) in [(&[][..], 2), (&[3], 2), (&[3, 4], 3), (&[1, 2, 3, 5], 5)] {
        assert_eq!(groups(bots, players, None, 9, 1), []);
        assert_eq!(groups(bots, players, bots.first().copied(), 9, 1), []);
        let results = Results::default();
        assert_eq!(
            matched_group(bots, players, &results, |_, _| 0, 6, 1, 0),
            None
        );
    }
    let retired = groups(&[0, 1, 2], 3, Some(5), 9, 1);
    assert_eq!(retired, [], "a newcomer that has retired plays nobody");
    let all = matched_group(&[1, 3, 4], 3, &Results::default(), |_, _| 0, 6, 1, 0);
    assert_eq!(all.map(|group| group.len()), Some(3));
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
            group[..seated]
                .iter()
                .map(|&other| gain(other, bot))
                .sum::<f64>()
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

/// The pairing of two bots that says most.
fn matched(
    bots: &[usize],
    results: &Results,
    under_way: impl Fn(usize, usize) -> u64,
    all_bots: usize,
    seed: u64,
    number: u64,
) -> Option<(usize, usize)> {
    let pair = matched_group(bots, 2, results, under_way, all_bots, seed, number)?;
    Some((pair[0], pair[1]))
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
    const LADDERS: usize = 500;
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
        let told = format!("{apart} apart, {draws} drawn: {matched} against {even}, {held} held");
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
