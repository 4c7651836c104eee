//! The recursion and its deepening: scores, lines, the root, the deepest ply, and when it asks whether to stop.

use super::super::searcher::Frame;
use super::super::window::Window;
use super::super::{
    search, Parameters, Report, Root, TranspositionTable, MAX_PLY, NODES_BETWEEN_QUESTIONS, WIN,
};
use super::tree::{drifting, minimax, OneWay, Tree, Worth, DRIFT};
use super::{learned, to_the_end, with_searcher};
use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::games::checkers::{rules, Checkers};
use crate::games::chess::Chess;
use crate::notation::Notation;
use crate::position::Position;
use crate::rules::RuleBook;

/// What is found at each depth of a made-up tree.
fn each_depth(evaluation: &impl Evaluate<Tree>, aspiration: i32, depth: u32) -> Vec<Report<u8>> {
    let parameters = Parameters {
        aspiration,
        aspiration_depth: 1,
        ..Parameters::exact()
    };
    let start = Tree::default();
    let root = Root::new(&start, &rules::CONTEST, evaluation);
    let mut table = TranspositionTable::new(1);
    let mut depths = Vec::new();
    let keep = |report: &Report<u8>| depths.push(report.clone());
    search(&root, &parameters, &mut table, depth, to_the_end, keep).expect("there are moves");
    depths
}

#[test]
fn however_far_a_score_lies_from_the_last_its_depth_ends_with_the_true_one_and_a_line_worth_it() {
    for (seed, scale) in (1..8).flat_map(|seed| [1, 40, 300].map(|scale| (seed, scale))) {
        let drift = drifting(seed);
        let evaluation = Worth(|line: &[u8]| scale * drift(line));
        for aspiration in [1, 20] {
            let depths = each_depth(&evaluation, aspiration, 5);
            assert_eq!(depths.len(), 5, "{seed} × {scale}");
            for (depth, found) in (1..).zip(&depths) {
                let start = Tree::default();
                let truth = minimax(&start, &evaluation, depth);
                assert_eq!(
                    (found.depth, found.score),
                    (depth, truth),
                    "{seed} × {scale}"
                );
                // A line may be cut short where the table knew the rest.
                let line = &found.principal_variation;
                let end = line.iter().fold(start, |end, &mv| end.play_unchecked(mv));
                let rest = minimax(&end, &evaluation, depth - line.len() as u32);
                let sign = if line.len() % 2 == 0 { 1 } else { -1 };
                assert_eq!(sign * rest, truth, "{line:?} of {seed} × {scale}");
            }
        }
    }
}

#[test]
fn a_score_that_jumps_from_one_end_of_the_scale_to_the_other_is_found() {
    // Every other depth all is won or lost, all but proven.
    let jump = 30_000;
    let evaluation = Worth(|line: &[u8]| if line.len() % 4 < 2 { jump } else { -jump });
    let depths = each_depth(&evaluation, 20, 6);
    let scores: Vec<i32> = depths.iter().map(|found| found.score).collect();
    assert_eq!(scores, [jump, -jump, -jump, jump, jump, -jump]);
}

#[test]
fn the_root_is_searched_though_the_game_has_been_there_and_is_long_enough() {
    // White mates on the back rank; it is not the first move of the list.
    let rows = "
......k.
.....ppp
........
........
........
........
........
R...K...";
    let rows = rows.trim().parse().expect("eight rows");
    let position = Chess::from_rows(&rows, Side::White).expect("a legal position");
    let past = [position.hash()];
    let root = Root {
        past: &past,
        turns: 200,
        ..Root::new(&position, &rules::CONTEST, learned())
    };
    let mut table = TranspositionTable::new(1);
    let parameters = Parameters::default();
    let found = search(&root, &parameters, &mut table, 6, to_the_end, |_| {}).expect("moves");
    assert_eq!(position.move_name(found.best()), "a1a8");
    assert_ne!(position.legal_moves()[0], found.best());
    // It is proven at once, and nothing deeper is searched.
    assert_eq!((found.score, found.depth), (WIN - 1, 1));
}

#[test]
fn only_the_root_is_held_to_the_moves_it_is_to_choose_from() {
    let start = Checkers::start(&rules::CONTEST);
    let moves = start.legal_moves();
    let every = Root::new(&start, &rules::CONTEST, learned());
    let exact = Parameters::exact();
    let find = |root: &Root<'_, _, _>| {
        let mut table = TranspositionTable::new(1);
        search(root, &exact, &mut table, 4, to_the_end, |_| {}).expect("there are moves")
    };
    let best = find(&every);
    for one in &moves {
        let held = Root {
            root_moves: std::slice::from_ref(one),
            ..every
        };
        let found = find(&held);
        assert_eq!(found.best(), *one);
        assert!(found.score <= best.score);
        let child = start.play_unchecked(*one);
        let reply = with_searcher(&child, learned(), &exact, |searcher| {
            searcher.search_root(3, Window::FULL)
        });
        assert_eq!(found.score, -reply);
    }
}

#[test]
fn a_search_without_end_ends_at_the_deepest_ply() {
    let start = OneWay::start(&rules::CONTEST);
    let rules = RuleBook::new("endless");
    let root = Root::new(&start, &rules, &7);
    let mut table = TranspositionTable::new(1);
    let exact = Parameters::exact();
    let found = search(&root, &exact, &mut table, u32::MAX, to_the_end, |_| {}).expect("a move");
    assert_eq!(
        (found.depth, found.selective_depth),
        (MAX_PLY - 1, MAX_PLY - 1)
    );
    assert_eq!(found.principal_variation.len() as u32, MAX_PLY - 1);
    // Extended at each ply, and through captures for ever.
    let taking = OneWay {
        captures: true,
        ..start.clone()
    };
    for (position, depth) in [(&start, 100), (&taking, 100), (&taking, 0)] {
        let deepest = with_searcher(position, &7, &Parameters::default(), |searcher| {
            searcher.search_root(depth, Window::FULL);
            searcher.selective_depth
        });
        assert_eq!(deepest, MAX_PLY);
    }
}

#[test]
fn a_reply_without_a_choice_is_not_reduced_for_want_of_a_table_move() {
    let start = OneWay::start(&rules::CONTEST);
    let parameters = Parameters {
        internal_reduction_depth: 1,
        ..Parameters::exact()
    };
    let deepest = with_searcher(&start, &7, &parameters, |searcher| {
        searcher.search_root(9, Window::FULL);
        searcher.selective_depth
    });
    assert_eq!(deepest, 9);
}

#[test]
fn whether_to_stop_is_asked_at_intervals_once_there_is_a_move_to_play() {
    let evaluation = Worth(|line: &[u8]| 100 * drifting(3)(line));
    let start = Tree::default();
    let root = Root::new(&start, &rules::CONTEST, &evaluation);
    let mut table = TranspositionTable::new(1);
    let (mut asked_at, mut first) = (Vec::new(), None);
    let ask = |nodes| {
        asked_at.push(nodes);
        false
    };
    let keep = |report: &Report<u8>| {
        first.get_or_insert(report.nodes);
    };
    let found = search(&root, &Parameters::exact(), &mut table, 7, ask, keep).expect("moves");
    let first = first.expect("a depth is completed");
    let expected: Vec<u64> = (1..=found.nodes)
        .filter(|nodes| nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && *nodes > first)
        .collect();
    assert!(expected.len() > 3, "{found:?}");
    assert_eq!(asked_at, expected);
}

#[test]
fn later_moves_are_only_shown_to_be_worse() {
    // The first line is best: with a null window each other move costs one look at one reply.
    let evaluation = Worth(|line: &[u8]| {
        line.iter().zip(0..).fold(0, |worth, (&mv, ply)| {
            let own = if ply % 2 == 0 { -1 } else { 1 };
            worth + own * DRIFT * i32::from(mv)
        })
    });
    let start = Tree::default();
    assert_eq!(evaluation.evaluate(&start), 0);
    let nodes = with_searcher(&start, &evaluation, &Parameters::exact(), |searcher| {
        searcher.search_root(6, Window::FULL);
        searcher.nodes
    });
    // Knuth and Moore's least tree of alpha-beta in perfect order: b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves of the last ply.
    let [least, all] = [3, 6].map(|half| u64::from(Tree::MOVES).pow(half));
    assert!(
        nodes > 2 * least && nodes < 4 * least,
        "{nodes} nodes of {all}"
    );
}

#[test]
fn no_move_is_best_where_none_improves_on_alpha() {
    let evaluation = Worth(|_: &[u8]| 0);
    let start = Tree::default();
    let best_with = |alpha| {
        let window = Window::around(alpha, 0).null();
        with_searcher(&start, &evaluation, &Parameters::exact(), |searcher| {
            assert_eq!(searcher.search_root(2, window), 0);
            let key = searcher.key(start.hash(), Frame::default());
            searcher.table.probe(key).expect("it was searched").best()
        })
    };
    assert_eq!(best_with(0), None);
    assert_eq!(best_with(-1), Some(0));
}

#[test]
fn a_window_around_the_last_score_saves_nodes() {
    let nodes = |aspiration_depth| {
        let parameters = Parameters {
            aspiration_depth,
            ..Parameters::exact()
        };
        let starts = [1, 2, 3, 4].map(|seed| {
            let evaluation = Worth(drifting(seed));
            let start = Tree::default();
            let root = Root::new(&start, &rules::CONTEST, &evaluation);
            let mut table = TranspositionTable::new(1);
            let found = search(&root, &parameters, &mut table, 6, to_the_end, |_| {});
            found.expect("there are moves").nodes
        });
        starts.iter().sum::<u64>()
    };
    let (with, without) = (nodes(2), nodes(i32::MAX));
    assert!(with < without, "{with} nodes, {without} without");
}
