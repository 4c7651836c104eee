//! Laws of positions: moves, outcomes, equality and hash.

use crate::support::random_game;
use crownhead::notation::Notation;
use crownhead::position::{IllegalMove, Position};
use crownhead::rules::RuleBook;
use std::collections::{HashMap, HashSet};

/// Games from which the positions are taken.
const GAMES: u64 = 60;

/// An empty square in the rows of every game.
pub(crate) const EMPTY: u8 = b'.';

/// Every position of the random games, in order.
pub(crate) fn positions<'a, G: Position + 'a>(rules: &'a RuleBook) -> impl Iterator<Item = G> + 'a {
    (0..GAMES).flat_map(|seed| random_game(rules, seed))
}

/// About so many of those positions, evenly spread: for what takes long in each.
pub(crate) fn some_positions<G: Position>(rules: &RuleBook, about: usize) -> Vec<G> {
    let all: Vec<G> = positions(rules).collect();
    let step = all.len().div_ceil(about);
    all.into_iter().step_by(step).collect()
}

pub(crate) fn legal_moves_are_distinct_and_always_in_the_same_order<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves();
        assert_eq!(moves, position.clone().legal_moves());
        for (index, mv) in moves.iter().enumerate() {
            assert!(!moves[..index].contains(mv), "{mv:?} twice in {position:?}");
        }
    }
}

pub(crate) fn playing_with_and_without_the_check_agrees<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        for mv in position.legal_moves() {
            assert!(position.is_legal(mv));
            let played = position.play(mv).expect("a legal move can be played");
            assert_eq!(played, position.play_unchecked(mv));
            assert_ne!(played, position, "{mv:?} changes nothing");
        }
    }
}

pub(crate) fn a_move_that_is_not_legal_is_refused<G: Notation>(rules: &RuleBook) {
    let elsewhere = random_game::<G>(rules, GAMES);
    let elsewhere: Vec<G::Move> = elsewhere
        .iter()
        .flat_map(G::legal_moves)
        .step_by(3)
        .collect();
    let mut refused = 0;
    for position in some_positions::<G>(rules, 100) {
        let moves = position.legal_moves();
        for &mv in &elsewhere {
            let legal = moves.contains(&mv);
            assert_eq!(position.is_legal(mv), legal, "{mv:?} in {position:?}");
            match position.play(mv) {
                Ok(_) => assert!(legal, "{mv:?} was played in {position:?}"),
                Err(IllegalMove) => refused += 1,
            }
        }
    }
    assert!(refused > 500, "only {refused} illegal moves were tried");
}

pub(crate) fn the_count_of_moves_is_the_number_of_moves<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves();
        assert_eq!(position.count_moves(), moves.len() as u64, "{position:?}");
    }
}

pub(crate) fn nothing_from_before_a_zeroing_move_comes_back<G: Notation>(rules: &RuleBook) {
    for seed in 0..GAMES {
        let positions: Vec<G> = random_game(rules, seed);
        let mut before = HashSet::new();
        let mut since: Vec<u64> = Vec::new();
        for two in positions.windows(2) {
            let [position, after] = two else { continue };
            since.push(position.hash());
            let mut moves = position.legal_moves();
            moves.retain(|&mv| position.play_unchecked(mv) == *after);
            if moves.iter().all(|&mv| position.is_zeroing(mv)) {
                before.extend(since.drain(..));
            }
            assert!(!before.contains(&after.hash()), "{after:?} came back");
        }
    }
}

pub(crate) fn captures_are_visited_apart_in_the_same_order<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves();
        let (expected, quiet): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|&mv| position.captures(mv) > 0);
        let mut visited = Vec::new();
        let others = position.each_capture(|mv| visited.push(mv));
        assert_eq!(
            (visited, others),
            (expected, !quiet.is_empty()),
            "{position:?}"
        );
    }
}

pub(crate) fn a_game_is_over_exactly_where_there_are_no_moves<G: Notation>(rules: &RuleBook) {
    let mut finished = 0;
    for position in positions::<G>(rules) {
        let has_moves = !position.legal_moves().is_empty();
        let expected = match position.ended() {
            Some(outcome) => {
                assert!(!has_moves, "over, yet there are moves in {position:?}");
                Some(outcome)
            }
            None if has_moves => None,
            None => Some(position.without_moves(rules)),
        };
        assert_eq!(position.outcome(rules), expected, "{position:?}");
        finished += u32::from(expected.is_some());
    }
    assert!(finished > 0, "no random game came to its end");
}

/// What one side may move, the other may not: the mover is the side to move, whatever the sequence.
pub(crate) fn a_piece_moves_for_one_side_only<G: Notation>(rules: &RuleBook) {
    let mut compared = 0;
    for position in positions::<G>(rules) {
        let side = position.side_to_move();
        let Ok(turned) = G::from_rows(&position.rows(), side.opponent()) else {
            continue;
        };
        assert_eq!(turned.side_to_move(), side.opponent());
        assert_ne!(turned, position, "the side to move is part of a position");
        let origins = |position: &G| -> HashSet<_> {
            let moves = position.legal_moves().into_iter();
            moves.map(|mv| position.move_squares(mv)[0]).collect()
        };
        let (own, other) = (origins(&position), origins(&turned));
        assert!(own.is_disjoint(&other), "{position:?}: {own:?}, {other:?}");
        compared += own.len() * other.len();
    }
    assert!(compared > 0);
}

pub(crate) fn captures_are_what_leaves_the_board<G: Notation>(rules: &RuleBook) {
    let pieces = |position: &G| {
        let rows = position.rows();
        rows.lines()
            .flat_map(str::bytes)
            .filter(|&c| c != EMPTY)
            .count()
    };
    let mut captures = 0;
    for position in positions::<G>(rules) {
        let before = pieces(&position);
        for mv in position.legal_moves() {
            let taken = position.captures(mv);
            let after = pieces(&position.play_unchecked(mv));
            assert_eq!(before - after, taken as usize, "{mv:?} in {position:?}");
            captures += taken;
        }
    }
    assert!(captures > 0, "no random game had a capture");
}

/// Positions from the start, level by level, so that many come about in several ways.
fn positions_by_level<G: Position>(rules: &RuleBook) -> Vec<G> {
    const ENOUGH: usize = 20_000;
    let mut found = vec![G::start(rules)];
    let mut next = 0;
    while next < found.len() && found.len() < ENOUGH {
        let position = found[next].clone();
        position.each_move(|mv| found.push(position.play_unchecked(mv)));
        next += 1;
    }
    found
}

/// The positions that differ among those found by level and at random, and how often one came about again.
fn distinct_positions<G: Notation>(rules: &RuleBook) -> (Vec<G>, usize) {
    let mut seen: HashMap<_, Vec<G>> = HashMap::new();
    let mut again = 0;
    let found = positions_by_level::<G>(rules)
        .into_iter()
        .chain(positions(rules));
    for position in found {
        // The rows, not the hash, tell which positions may be equal: the hash is under test.
        let alike = seen
            .entry((position.rows(), position.side_to_move()))
            .or_default();
        match alike.iter().find(|&other| *other == position) {
            Some(equal) => {
                assert_eq!(equal.hash(), position.hash(), "{position:?}");
                again += 1;
            }
            None => alike.push(position),
        }
    }
    (seen.into_values().flatten().collect(), again)
}

pub(crate) fn equal_positions_hash_alike_and_different_ones_apart<G: Notation>(rules: &RuleBook) {
    let (distinct, again) = distinct_positions::<G>(rules);
    assert!(again > 100, "only {again} positions came about twice");
    let hashes: HashSet<u64> = distinct.iter().map(G::hash).collect();
    assert_eq!(hashes.len(), distinct.len(), "two positions share a hash");
}

/// A table indexed by any ten neighbouring bits of the hash fills evenly.
pub(crate) fn a_hash_is_good_by_any_of_its_bits<G: Notation>(rules: &RuleBook) {
    const BITS: u32 = 10;
    let (distinct, _) = distinct_positions::<G>(rules);
    let even = distinct.len() >> BITS;
    assert!(even >= 4, "too few positions to judge by");
    for shift in 0..=64 - BITS {
        let mut filled = [0; 1 << BITS];
        for position in &distinct {
            filled[(position.hash() >> shift) as usize % (1 << BITS)] += 1;
        }
        let fullest = filled.into_iter().max().unwrap_or(0);
        // By chance alone the fullest of 1024 entries holds five deviations more than the mean, at most.
        let limit = even + 7 * even.isqrt() + 7;
        assert!(fullest <= limit, "bits from {shift}: {fullest} > {limit}");
    }
}
