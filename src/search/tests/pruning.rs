//! Pruning, cutoffs, reductions and extensions.

use super::super::ordering::generate;
use super::super::searcher::Node;
use super::super::transposition::Entry;
use super::super::window::{Bound, Window};
use super::super::{search, Parameters, Report, Root, TranspositionTable, PROVEN};
use super::tree::{drifting, minimax, Tree, Worth, DRIFT};
use super::{learned, to_the_end, with_searcher};
use crate::evaluate::Evaluate;
use crate::games::checkers::{rules, Checkers};
use crate::position::Position;

fn to_depth<E: Evaluate<Tree>>(evaluation: &E, parameters: &Parameters, depth: u32) -> Report<u8> {
    from(&Tree::default(), evaluation, parameters, depth)
}

fn from<E: Evaluate<Tree>>(
    start: &Tree,
    evaluation: &E,
    parameters: &Parameters,
    depth: u32,
) -> Report<u8> {
    let root = Root::new(start, &rules::CONTEST, evaluation);
    let mut table = TranspositionTable::new(1);
    search(&root, parameters, &mut table, depth, to_the_end, |_| {}).expect("there are moves")
}

/// The search without any technique that could change a score, except for the margins of these.
fn pruning_alone(reverse_futility_depth: i32, razoring_depth: i32) -> Parameters {
    Parameters {
        reverse_futility_depth,
        reverse_futility_margin: DRIFT,
        razoring_depth,
        razoring_margin: DRIFT,
        ..Parameters::exact()
    }
}

#[test]
fn a_margin_that_no_ply_can_make_up_for_misleads_no_search_and_saves_nodes() {
    for (name, parameters) in [
        ("reverse futility", pruning_alone(4, 0)),
        ("razoring", pruning_alone(0, 4)),
    ] {
        let (mut with, mut without) = (0, 0);
        for (seed, depth) in (1..20).flat_map(|seed| (1..=5).map(move |depth| (seed, depth))) {
            let evaluation = Worth(drifting(seed));
            let start = Tree::default();
            let truth = minimax(&start, &evaluation, depth as u32);
            for alpha in (truth - 3 * DRIFT..truth + 3 * DRIFT).step_by(9) {
                let null = Window { alpha, beta: alpha }.null();
                let reaches_beta = |parameters| {
                    with_searcher(&start, &evaluation, parameters, |searcher| {
                        let score = searcher.search_root(depth, null);
                        (score > alpha, searcher.nodes)
                    })
                };
                let pruned = reaches_beta(&parameters);
                let whole = reaches_beta(&Parameters::exact());
                let expected = truth > alpha;
                let place = format!("{name}, seed {seed}, depth {depth}, {alpha} for {truth}");
                assert_eq!((pruned.0, whole.0), (expected, expected), "{place}");
                with += pruned.1;
                without += whole.1;
            }
        }
        assert!(with < without, "{name}: {with} nodes, {without} without");
    }
}

#[test]
fn a_threatened_position_is_not_cut_off_for_its_high_evaluation() {
    for seed in 1..10 {
        let evaluation = Worth(drifting(seed));
        let threatened = Tree {
            threatened: true,
            ..Tree::default()
        };
        let with = from(&threatened, &evaluation, &pruning_alone(4, 0), 5);
        assert_eq!(with, to_depth(&evaluation, &Parameters::exact(), 5));
    }
}

/// Reductions alone, from this depth on.
fn reductions_alone(reduction_depth: i32) -> Parameters {
    Parameters {
        reduction_depth,
        reduction_base: 100,
        ..Parameters::exact()
    }
}

#[test]
fn reductions_save_nodes_and_what_they_let_through_is_searched_to_its_full_depth() {
    let (mut with, mut without) = (0, 0);
    for seed in 1..25 {
        let evaluation = Worth(drifting(seed));
        // Only the root reduces: its score of the best move is true, because the move was searched again.
        let found = to_depth(&evaluation, &reductions_alone(5), 5);
        let child = Tree::default().play_unchecked(found.best());
        assert_eq!(found.score, -minimax(&child, &evaluation, 4));
        with += found.nodes;
        without += to_depth(&evaluation, &Parameters::exact(), 5).nodes;
    }
    assert!(with < without, "{with} nodes, {without} without");
}

#[test]
fn a_refutation_found_with_less_depth_is_verified_before_it_counts() {
    // Black's second move is worth 50, whatever comes. White's last reply to it looks like its refutation, until
    // it is searched to the end of the line; every other line is worth nothing.
    let last = Tree::MOVES - 1;
    let evaluation = Worth(|line: &[u8]| match line {
        [1, reply, rest @ ..] if *reply == last && rest.len() < 2 => -50,
        [1, ..] => 50,
        _ => 0,
    });
    let start = Tree::default();
    let found = with_searcher(&start, &evaluation, &reductions_alone(3), |searcher| {
        let score = searcher.search_root(4, Window::FULL);
        (score, searcher.best_line()[0], searcher.selective_depth)
    });
    assert_eq!(found, (50, 1, 4), "with all its depth, and no more");
}

/// A node of black's first move, whose window says only whether the score is 50 or more.
fn node(position: &Checkers, depth: i32) -> Node<'_, Checkers> {
    Node::at_ply(0, position, depth, Window::around(49, 0).null())
}

#[test]
fn a_child_known_well_enough_cuts_off_before_any_is_searched() {
    let start = Checkers::start(&rules::CONTEST);
    with_searcher(&start, learned(), &Parameters::default(), |searcher| {
        generate(&start, &mut searcher.moves);
        let candidate = searcher.moves[2];
        let child = start.play_unchecked(candidate.mv);
        let known = |score, depth| Entry::new(score, Bound::Upper, depth, 1, None, None);

        assert_eq!(
            searcher.enhanced_transposition_cutoff(&node(&start, 5)),
            None
        );
        searcher.table.store(child.hash(), known(-60, 4));
        let cut = Some((60, Some(candidate.place)));
        assert_eq!(
            searcher.enhanced_transposition_cutoff(&node(&start, 5)),
            cut
        );
        // Not deep enough, and not good enough.
        assert_eq!(
            searcher.enhanced_transposition_cutoff(&node(&start, 6)),
            None
        );
        searcher.table.store(child.hash(), known(-49, 4));
        assert_eq!(
            searcher.enhanced_transposition_cutoff(&node(&start, 5)),
            None
        );
        // Coming back to a position is a draw, at any worth.
        searcher.table.store(child.hash(), known(-60, 4));
        searcher.repetitions.push(child.hash());
        assert_eq!(
            searcher.enhanced_transposition_cutoff(&node(&start, 5)),
            None
        );
    });
}

#[test]
fn late_quiet_moves_of_deep_nodes_are_reduced_and_captures_never() {
    let start = Checkers::start(&rules::CONTEST);
    let parameters = Parameters::default();
    with_searcher(&start, learned(), &parameters, |searcher| {
        generate(&start, &mut searcher.moves);
        let quiet = searcher.moves[0];
        let mut capture = quiet;
        capture.captures = true;
        let less = |depth, number| searcher.reduction(depth, number, false, &quiet);
        // Beyond what the table of reductions holds, too.
        for depth in 1..70 {
            for number in 1..70 {
                assert_eq!(searcher.reduction(depth, number, false, &capture), 0);
                assert!(less(depth, number) < depth.max(1));
                assert!(less(depth, number) <= less(depth, number + 1));
                assert!(less(depth, number) <= less(depth + 1, number));
                let principal = searcher.reduction(depth, number, true, &quiet);
                assert_eq!(principal, (less(depth, number) - 1).max(0));
            }
        }
        assert_eq!(less(parameters.reduction_depth - 1, 30), 0);
        assert!(less(parameters.reduction_depth, 30) > 0);
        assert!(less(12, 2) >= 1 && less(12, 30) > less(12, 2));
    });
    // However much is asked for, a ply is left.
    let much = Parameters {
        reduction_base: 10_000,
        ..parameters
    };
    with_searcher(&start, learned(), &much, |searcher| {
        generate(&start, &mut searcher.moves);
        let quiet = searcher.moves[0];
        assert_eq!(searcher.reduction(6, 2, false, &quiet), 5);
    });
}

#[test]
fn a_deep_node_without_a_move_from_the_table_is_searched_a_ply_less() {
    let evaluation = Worth(drifting(1));
    let nodes = |depth, internal_reduction_depth| {
        let parameters = Parameters {
            internal_reduction_depth,
            ..Parameters::exact()
        };
        with_searcher(&Tree::default(), &evaluation, &parameters, |searcher| {
            let first = searcher.search_root(depth, Window::FULL);
            let nodes = searcher.nodes;
            (nodes, first, searcher.search_root(depth, Window::FULL))
        })
    };
    let truth = |depth| minimax(&Tree::default(), &evaluation, depth);
    // From the root's depth on: at first it is searched as if it were a ply less deep, and once the table has a move
    // to its full depth.
    let (reduced, first, second) = nodes(5, 5);
    assert_eq!((first, second), (truth(4), truth(5)));
    assert_ne!(first, second);
    assert_eq!(reduced, nodes(4, 6).0);
}

#[test]
fn a_forced_reply_is_looked_behind() {
    // Red's man on D4 must take, and black takes back; nothing else can move there and then.
    let position = Checkers::from_fen("B:W18,32:B5,10").unwrap();
    let depth_with = |single_reply| {
        let parameters = Parameters {
            single_reply,
            ..Parameters::exact()
        };
        let root = Root::new(&position, &rules::CONTEST, learned());
        let mut table = TranspositionTable::new(1);
        let found = search(&root, &parameters, &mut table, 4, to_the_end, |_| {});
        found.expect("there are moves").selective_depth
    };
    assert!(depth_with(1) > depth_with(0));
}

#[test]
fn nodes_far_outside_the_window_are_pruned_exactly_from_the_margin_on() {
    let evaluation = Worth(|_: &[u8]| 0);
    let parameters = Parameters {
        reverse_futility_depth: 4,
        reverse_futility_margin: 30,
        razoring_depth: 3,
        razoring_margin: 40,
        ..Parameters::default()
    };
    let start = Tree::default();
    let null = Window::around(500, 0).null();
    let pruned = |ply, depth, window, value| {
        with_searcher(&start, &evaluation, &parameters, |searcher| {
            searcher.prune(&Node::at_ply(ply, &start, depth, window), value)
        })
    };
    // Above the window, by 30 for each ply.
    assert_eq!(pruned(1, 4, null, 501 + 120), Some(621));
    assert_eq!(pruned(1, 4, null, 501 + 119), None);
    assert_eq!(pruned(1, 1, null, 501 + 30), Some(531));
    assert_eq!(pruned(1, 5, null, 2000), None);
    // Below it, by 40: the score is that of the captures, and there are none here.
    assert_eq!(pruned(1, 3, null, 500 - 120), Some(0));
    assert_eq!(pruned(1, 3, null, 500 - 119), None);
    assert_eq!(pruned(1, 1, null, 500 - 40), Some(0));
    assert_eq!(pruned(1, 4, null, -2000), None);
    // Where captures hold it within the window, it is searched.
    let low = Window::around(-700, 0).null();
    assert_eq!(pruned(1, 3, low, -2000), None);
    // Neither at the root, nor where the score itself is asked for, nor about wins.
    assert_eq!(pruned(0, 1, null, 2000), None);
    assert_eq!(pruned(1, 1, Window::around(500, 20), 2000), None);
    for proven in [PROVEN, -PROVEN] {
        let beyond = Window::around(proven - 1, 0).null();
        assert_eq!(pruned(1, 1, beyond, proven + 2000), None);
    }
}

#[test]
fn a_search_that_is_stopped_while_it_razors_prunes_nothing() {
    let evaluation = Worth(|_: &[u8]| 0);
    let start = Tree::default();
    let null = Window::around(500, 0).null();
    with_searcher(&start, &evaluation, &Parameters::default(), |searcher| {
        searcher.stopped = true;
        assert_eq!(
            searcher.prune(&Node::at_ply(1, &start, 1, null), -2000),
            None
        );
    });
}

#[test]
fn looking_up_the_children_first_saves_nodes_and_changes_no_score() {
    let position = Checkers::start(&rules::CONTEST);
    let find = |transposition_cutoff_depth| {
        let parameters = Parameters {
            transposition_cutoff_depth,
            ..Parameters::exact()
        };
        let root = Root::new(&position, &rules::CONTEST, learned());
        let mut table = TranspositionTable::new(16);
        search(&root, &parameters, &mut table, 9, to_the_end, |_| {}).expect("there are moves")
    };
    let (with, without) = (find(3), find(i32::MAX));
    assert_eq!(with.score, without.score);
    assert!(
        with.nodes < without.nodes,
        "{} and {}",
        with.nodes,
        without.nodes
    );
}

/// How deep a search of this many plies sees, and its score, with or without recaptures.
fn with_recaptures(fen: &str, depth: i32) -> [u32; 2] {
    let position = Checkers::from_fen(fen).expect("a position");
    [1, 0].map(|recapture| {
        let parameters = Parameters {
            recapture,
            ..Parameters::exact()
        };
        with_searcher(&position, learned(), &parameters, |searcher| {
            searcher.search_root(depth, Window::FULL);
            searcher.selective_depth
        })
    })
}

#[test]
fn a_choice_of_recaptures_is_looked_behind_and_a_first_capture_is_not() {
    // Black's only move takes the man on E5, and either man beside it takes back; the kings go on for ever.
    let [with, without] = with_recaptures("B:W18,26,27,30,32:B14,1", 2);
    assert!(with > without, "{with} plies, {without} without");
    // Black may take either man, and nothing takes back.
    assert_eq!(with_recaptures("B:W14,15:B10", 1), [1, 1]);
}
