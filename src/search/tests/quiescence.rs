//! The search below the depth.

use super::super::window::Window;
use super::super::{Parameters, Root, TranspositionTable, DRAW, WIN};
use super::{learned, to_the_end, with_searcher};
use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::games::checkers::{rules, Checkers};
use crate::games::chess::Chess;
use crate::notation::Notation;
use crate::position::Position;
use crate::search::searcher::Searcher;

fn quiesce<G: Position, E: Evaluate<G>>(
    position: &G,
    evaluation: &E,
    window: Window,
) -> (i32, u64) {
    with_searcher(position, evaluation, &Parameters::default(), |searcher| {
        (searcher.search_root(0, window), searcher.nodes)
    })
}

fn chess(rows: &str) -> Chess {
    let rows = rows.trim().parse().expect("eight rows");
    Chess::from_rows(&rows, Side::White).expect("a legal position")
}

#[test]
fn a_side_that_need_not_capture_may_stand_pat() {
    // The pawn on d5 is guarded: to take it with the queen loses her.
    let position = chess(
        "
....k...
........
....p...
...p....
........
........
...Q....
....K...",
    );
    let stands = learned().evaluate(&position);
    assert_eq!(quiesce(&position, learned(), Window::FULL), (stands, 3));
    // What stands above the window, or at its very end, is cut off before any capture is tried.
    for beta in [stands - 49, stands] {
        let below = Window::around(beta - 1, 1);
        assert_eq!(quiesce(&position, learned(), below), (stands, 1));
    }
}

#[test]
fn a_side_that_must_capture_is_not_asked_what_it_would_have_without() {
    // Black must take the man on E5 and is taken back in one of two ways.
    let position = Checkers::from_fen("B:W18,26,27,30,32:B14,1").unwrap();
    let (score, _) = quiesce(&position, learned(), Window::FULL);
    let after = position.play_unchecked(position.legal_moves()[0]);
    let back = after.legal_moves();
    assert!(position.captures(position.legal_moves()[0]) > 0 && after.captures(back[0]) > 0);
    let worst = |mv| {
        let end = after.play_unchecked(mv);
        quiesce(&end, learned(), Window::FULL).0
    };
    assert_eq!(score, back.into_iter().map(worst).min().unwrap());
}

#[test]
fn a_promising_capture_is_tried_before_the_others() {
    let position = chess(
        "
...qk...
........
.p...p..
........
.p.R.p..
........
........
....K...",
    );
    let queen_up = Window::around(learned().evaluate(&position) + 400, 1).null();
    let (best, nodes) = quiesce(&position, learned(), queen_up);
    assert!(best >= queen_up.beta);
    // The root, the queen taken, and the queen's taker taken or not: no pawn is looked at.
    assert!(nodes <= 3, "{nodes} nodes");
}

#[test]
fn a_side_without_moves_has_lost_and_a_game_that_is_long_enough_is_drawn() {
    let stuck = Checkers::from_fen("W:W:B1").unwrap();
    assert_eq!(quiesce(&stuck, learned(), Window::FULL).0, -WIN);

    let position = Checkers::from_fen("B:WK28:BK18,K19").unwrap();
    let late = Root {
        turns: 200,
        ..Root::new(&position, &rules::CONTEST, learned())
    };
    let parameters = Parameters::default();
    let (mut table, mut stop) = (TranspositionTable::new(1), to_the_end);
    let mut searcher = Searcher::new(&late, &parameters, &mut table, &mut stop);
    assert_eq!(searcher.search_root(0, Window::FULL), DRAW);
}
