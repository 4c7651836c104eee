//! The search against minimax, and how the game so far (repetitions, turns, length rules) affects it.

use crate::contract::lanes::{Lanes, RULES};
use crate::support::{learned, random_game};
use crownhead::board::Side;
use crownhead::contract::{Minimax, Noise};
use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{rules, Checkers, CheckersMove};
use crownhead::network::Network;
use crownhead::position::{Outcome, Position};
use crownhead::search::{search, Parameters, Report, Root, TranspositionTable, PROVEN, WIN};

fn minimax<G: Position>(position: &G, evaluation: &impl Evaluate<G>, depth: u32) -> i32 {
    let mut minimax = Minimax {
        rules: &rules::CONTEST,
        evaluation,
        nodes: u32::MAX,
    };
    let score = minimax.score(position, depth, 0);
    score.expect("a small tree")
}

fn to_depth<G: Position, E: Evaluate<G>>(
    root: &Root<'_, G, E>,
    parameters: &Parameters,
    depth: u32,
) -> Report<G::Move> {
    let mut table = TranspositionTable::new(1);
    search(root, parameters, &mut table, depth, |_| false, |_| {}).expect("the game goes on")
}

/// The positions of a game in which move `seed`, `seed + step`, … of the list is played.
fn playout(seed: usize, turns: usize) -> Vec<Checkers> {
    let mut positions = vec![Checkers::start(&rules::CONTEST)];
    for turn in 0..turns {
        let position = positions[turn];
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let choice = (seed * 31 + turn * 7 + seed * turn) % moves.len();
        positions.push(position.play_unchecked(moves[choice]));
    }
    positions
}

#[test]
fn a_win_is_looked_for_until_none_can_be_shorter() {
    let mut found_early = 0;
    for seed in 0..10 {
        for position in playout(seed, 90).into_iter().skip(60).step_by(3) {
            let root = Root::new(&position, &rules::CONTEST, learned());
            if position.legal_moves().is_empty() {
                continue;
            }
            let mut depths = Vec::new();
            let note = |report: &Report<CheckersMove>| depths.push(report.score);
            let mut table = TranspositionTable::new(1);
            let stop = |nodes| nodes > 50_000;
            let parameters = Parameters::default();
            let report = search(&root, &parameters, &mut table, 40, stop, note).unwrap();
            let stopped = report.nodes > 50_000;
            if report.score >= PROVEN && !stopped {
                let length = (WIN - report.score) as u32;
                assert!(report.depth >= length, "{position:?}: a win in {length}");
                let first = depths.iter().position(|&score| score >= PROVEN).unwrap();
                found_early += u32::from((first as u32) + 1 < length);
            }
        }
    }
    // Extensions and captures see some wins before the search is as deep as they are long.
    assert!(found_early > 0, "no win was seen so early");
}

#[test]
fn proofs_with_pruning_hold_where_a_side_moves_twice() {
    let mut proofs = 0;
    for seed in 0..60 {
        let game = random_game::<Lanes>(&RULES, seed);
        // The last position has no moves.
        for position in game.iter().rev().skip(1).take(8) {
            let root = Root::new(position, &RULES, &Noise);
            let score = to_depth(&root, &Parameters::default(), 8).score;
            let mut minimax = Minimax {
                rules: &RULES,
                evaluation: &Noise,
                nodes: 100_000,
            };
            let length = (WIN - score.abs()) as u32;
            let truth = minimax.score(position, length.min(12), 0);
            if let (PROVEN.., Some(truth)) = (score.abs(), truth) {
                assert_eq!(score.signum(), truth.signum(), "{position:?}");
                assert!(truth.abs() >= PROVEN, "{position:?}: {truth}");
                proofs += 1;
            }
        }
    }
    assert!(proofs > 100, "{proofs}");
}

#[test]
fn the_line_of_a_proven_win_ends_the_game_in_as_many_turns() {
    let position = Checkers::from_fen("B:W32,K28:BK18,K19,K23").unwrap();
    let root = Root::new(&position, &rules::CONTEST, learned());
    let found = to_depth(&root, &Parameters::default(), 20);
    assert!(found.score >= PROVEN, "{found:?}");
    let line = &found.principal_variation;
    let end = line.iter().fold(position, |p, &mv| p.play(mv).unwrap());
    assert_eq!(
        end.outcome(&rules::CONTEST),
        Some(Outcome::Win(Side::Black))
    );
    assert_eq!(line.len() as i32, WIN - found.score);
}

#[test]
fn a_win_comes_closer_as_it_is_played_with_the_same_table() {
    let mut position = Checkers::from_fen("B:WK28:BK18,K19").unwrap();
    let mut table = TranspositionTable::new(1);
    let mut last = None;
    for turn in 0.. {
        assert!(turn < 60, "the win is not being played: {position:?}");
        let root = Root::new(&position, &rules::CONTEST, learned());
        let parameters = Parameters::default();
        let Some(found) = search(&root, &parameters, &mut table, 24, |_| false, |_| {}) else {
            break;
        };
        if turn % 2 == 0 && found.score >= PROVEN {
            assert!(last.is_none_or(|last| found.score > last), "{position:?}");
            last = Some(found.score);
        }
        position = position.play(found.best()).unwrap();
    }
    assert_eq!(
        position.outcome(&rules::CONTEST),
        Some(Outcome::Win(Side::Black))
    );
}

/// What a search that stops after this many nodes finds, and what it had found at the last depth completed.
fn stopped(
    root: &Root<'_, Checkers, Network<Checkers>>,
    parameters: &Parameters,
    depth: u32,
    nodes: u64,
) -> [Report<CheckersMove>; 2] {
    let mut last = None;
    let keep = |report: &Report<CheckersMove>| last = Some(report.clone());
    let mut table = TranspositionTable::new(1);
    let stop = |searched| searched >= nodes;
    let found = search(root, parameters, &mut table, depth, stop, keep).unwrap();
    [found, last.expect("the first depth is always completed")]
}

#[test]
fn a_stopped_search_reports_the_last_depth_it_completed() {
    let start = Checkers::start(&rules::CONTEST);
    let root = Root::new(&start, &rules::CONTEST, learned());
    for nodes in [1, 2_000, 4_000, 5_000, 50_000] {
        let [found, last] = stopped(&root, &Parameters::default(), 60, nodes);
        assert_eq!((found.depth, found.score), (last.depth, last.score));
        assert!(found.nodes >= nodes && found.nodes < nodes + 2_048);
        let line = &found.principal_variation;
        assert!(line.iter().try_fold(start, |p, &mv| p.play(mv)).is_ok());
    }
}

#[test]
fn a_stopped_search_plays_the_best_move_of_the_last_depth_or_one_that_the_next_has_shown_to_be_better(
) {
    let exact = Parameters::exact();
    let mut better = 0;
    for position in playout(4, 40).iter().step_by(2) {
        let root = Root::new(position, &rules::CONTEST, learned());
        for nodes in (1_024..40_960).step_by(3_072) {
            let [found, before] = stopped(&root, &exact, 7, nodes);
            if found.best() == before.best() {
                continue;
            }
            better += 1;
            let worth = |mv| {
                let after = position.play(mv).expect("a legal move");
                -minimax(&after, learned(), found.depth)
            };
            assert!(worth(found.best()) > worth(before.best()), "{position:?}");
        }
    }
    assert!(
        better > 0,
        "no search was stopped after it changed its mind"
    );
}

#[test]
fn coming_back_to_a_position_of_the_game_is_a_draw() {
    let position = Checkers::from_fen("B:WK28:BK18,K19").unwrap();
    let children = position
        .legal_moves()
        .into_iter()
        .map(|mv| position.play_unchecked(mv));
    let past: Vec<u64> = children.map(|child| child.hash()).collect();
    let fresh = Root::new(&position, &rules::CONTEST, learned());
    assert!(to_depth(&fresh, &Parameters::default(), 5).score > 0);
    let repeated = Root {
        past: &past,
        ..fresh
    };
    assert_eq!(to_depth(&repeated, &Parameters::default(), 5).score, 0);
}

#[test]
fn a_table_filled_early_in_the_game_does_not_hide_the_turn_limit() {
    let position = Checkers::from_fen("B:WK28:BK18,K19").unwrap();
    let mut table = TranspositionTable::new(1);
    let mut score = |turns| {
        let fresh = Root::new(&position, &rules::CONTEST, learned());
        let root = Root { turns, ..fresh };
        search(
            &root,
            &Parameters::default(),
            &mut table,
            12,
            |_| false,
            |_| {},
        )
        .unwrap()
        .score
    };
    assert!(score(0) > 0);
    assert_eq!(score(196), 0);
    assert!(score(2) > 0);
}

#[test]
fn a_win_on_the_last_turn_is_a_win() {
    let position = Checkers::from_fen("B:W18:BK14").unwrap();
    let root = Root::new(&position, &rules::CONTEST, learned());
    let last_turn = Root { turns: 199, ..root };
    assert_eq!(
        to_depth(&last_turn, &Parameters::default(), 4).score,
        WIN - 1
    );
}

#[test]
fn the_classroom_draws_after_fifty_turns_without_a_capture() {
    let position = Checkers::from_fen("B:WK28:BK18,K19").unwrap();
    let fresh = Root::new(&position, &rules::CLASSROOM, learned());
    let late = Root {
        turns_without_capture: 47,
        ..fresh
    };
    assert!(to_depth(&fresh, &Parameters::default(), 6).score > 0);
    assert_eq!(to_depth(&late, &Parameters::default(), 6).score, 0);
}
