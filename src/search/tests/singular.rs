//! Singular extensions and multi-cut.

use super::super::ordering::generate;
use super::super::searcher::Node;
use super::super::transposition::Entry;
use super::super::window::{Bound, Window};
use super::super::{Parameters, PROVEN};
use super::tree::{OneWay, Tree, Worth};
use super::with_searcher;
use crate::evaluate::Evaluate;
use crate::position::Position;

/// The plies of the nodes here; the margin beneath the table's score is as many points.
const DEPTH: i32 = 6;
/// What the table says of its move.
const SCORE: i32 = 50;
/// The table's move.
const BEST: u8 = 2;

fn known(score: i32, bound: Bound, depth: i32, best: Option<u8>) -> Entry {
    Entry::new(score, bound, depth, 1, best, None)
}

/// What is said of a node at `ply` of which the table knows `entry`.
fn extension<G: Position>(
    position: &G,
    evaluation: &impl Evaluate<G>,
    (ply, depth, window): (u32, i32, Window),
    entry: Entry,
) -> Result<i32, i32> {
    let parameters = Parameters {
        singular_depth: DEPTH,
        singular_margin: 1,
        ..Parameters::default()
    };
    with_searcher(position, evaluation, &parameters, |searcher| {
        generate(position, &mut searcher.moves);
        let node = Node {
            entry: Some(entry),
            ..Node::at_ply(ply, position, depth, window)
        };
        searcher.singular_extension(&node)
    })
}

/// A tree in which black's first moves are worth this, whatever follows.
fn worth(of_others: i32) -> Worth<impl Fn(&[u8]) -> i32> {
    Worth(move |line: &[u8]| match line {
        [BEST, ..] => SCORE,
        _ => of_others,
    })
}

#[test]
fn the_table_s_move_is_extended_where_every_other_fails_beneath_its_score() {
    let of = |others| {
        let place = (1, DEPTH, Window::FULL);
        let entry = known(SCORE, Bound::Lower, DEPTH - 3, Some(BEST));
        extension(&Tree::default(), &worth(others), place, entry)
    };
    assert_eq!(of(SCORE - DEPTH - 1), Ok(1));
    assert_eq!(of(SCORE - DEPTH), Ok(0));
}

#[test]
fn a_node_is_cut_off_where_another_move_reaches_beta_too() {
    let of = |beta| {
        let place = (1, DEPTH, Window::around(beta - 1, 0).null());
        let entry = known(SCORE, Bound::Lower, DEPTH, Some(BEST));
        extension(&Tree::default(), &worth(SCORE), place, entry)
    };
    assert_eq!(of(SCORE - DEPTH), Err(SCORE - DEPTH));
    assert_eq!(of(SCORE - DEPTH + 1), Ok(0));
}

#[test]
fn without_a_score_to_go_by_no_move_is_extended() {
    let of = |place, entry| extension(&Tree::default(), &worth(-SCORE), place, entry);
    let entry = |score, bound, depth| known(score, bound, depth, Some(BEST));
    let deep = (1, DEPTH, Window::FULL);
    let exact = entry(SCORE, Bound::Exact, DEPTH);
    assert_eq!(of(deep, exact), Ok(1));
    assert_eq!(of((0, DEPTH, Window::FULL), exact), Ok(0), "the root");
    assert_eq!(
        of((1, DEPTH - 1, Window::FULL), exact),
        Ok(0),
        "near leaves"
    );
    assert_eq!(of(deep, entry(SCORE, Bound::Upper, DEPTH)), Ok(0));
    assert_eq!(of(deep, entry(SCORE, Bound::Exact, DEPTH - 4)), Ok(0));
    assert_eq!(of(deep, entry(PROVEN, Bound::Exact, DEPTH)), Ok(0));
    assert_eq!(of(deep, known(SCORE, Bound::Exact, DEPTH, None)), Ok(0));
    // A forced reply has an extension of its own.
    let forced = OneWay {
        played: 0,
        captures: false,
    };
    let only = known(SCORE, Bound::Exact, DEPTH, Some(0));
    assert_eq!(extension(&forced, &0, deep, only), Ok(0));
}

#[test]
fn the_table_s_move_is_searched_deeper_by_its_extension() {
    let start = Tree::default();
    let evaluation = worth(0);
    let deepest = |extension| {
        with_searcher(&start, &evaluation, &Parameters::exact(), |searcher| {
            generate(&start, &mut searcher.moves);
            let node = Node {
                entry: Some(known(SCORE, Bound::Lower, 2, Some(BEST))),
                ..Node::at_ply(1, &start, 2, Window::around(SCORE, 0).null())
            };
            searcher.search_moves(&node, extension);
            searcher.selective_depth
        })
    };
    assert_eq!([deepest(0), deepest(1)], [1 + 2, 1 + 3]);
}
