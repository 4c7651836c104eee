//! Laws of a search: on every game it agrees with the plainest way to do the same.

use crate::support::random_game;
use crownhead::evaluate::Evaluate;
use crownhead::game::{Game, Outcome};
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead::search::{search, Repeatable, Report, WIN};
use std::cell::Cell;

/// Worth without rhyme or reason: a search that mixes up whose worth it is looking at is soon found out.
struct Noise;

impl<G: Game> Evaluate<G> for Noise {
    fn evaluate(&self, position: &G) -> i32 {
        (position.hash() % 2001) as i32 - 1000
    }
}

/// Positions that [`negamax`] may look at. Trees that are larger are left out: without a window the captures
/// of a crowded chess board never come to an end.
const LARGEST_TREE: u64 = 10_000;

/// The worth of `position` for its side to move: no window, no ordering, no table. Below the depth only
/// captures are played, and who is not forced to capture may be content with the position as it is.
/// `None` when the tree has more positions than are `left`.
fn negamax<G: Game>(
    position: &G,
    rules: &RuleBook,
    depth: u32,
    ply: i32,
    left: &mut u64,
) -> Option<i32> {
    *left = left.checked_sub(1)?;
    match position.outcome(rules) {
        Some(Outcome::Draw) => return Some(0),
        Some(Outcome::Win(side)) if side == position.side_to_move() => return Some(WIN - ply),
        Some(Outcome::Win(_)) => return Some(ply - WIN),
        None => {}
    }
    let (captures, others): (Vec<_>, Vec<_>) = position
        .legal_moves()
        .into_iter()
        .partition(|&mv| position.captures(mv) > 0);
    let content = (depth == 0 && !others.is_empty()).then(|| Noise.evaluate(position));
    let others = others.into_iter().filter(|_| depth > 0);
    let mut best = content;
    for mv in captures.into_iter().chain(others) {
        let child = position.play_unchecked(mv);
        let worth = negamax(&child, rules, depth.saturating_sub(1), ply + 1, left)?;
        let same_side = child.side_to_move() == position.side_to_move();
        best = best.max(Some(if same_side { worth } else { -worth }));
    }
    best
}

/// Searches positions of random games that are not over, and hands each report to `check`.
fn searched<G: Notation>(rules: &RuleBook, depth: u32, check: impl Fn(&G, &Report<G::Move>)) {
    let mut searched = 0;
    let nodes = LARGEST_TREE;
    for position in (0..12).flat_map(|seed| random_game::<G>(rules, seed).into_iter().step_by(13)) {
        let mut handler = Repeatable { nodes };
        let report = search(&position, rules, &Noise, depth, &mut handler);
        assert_eq!(report.is_none(), position.outcome(rules).is_some());
        if let Some(report) = report {
            check(&position, &report);
            searched += 1;
        }
    }
    assert!(searched > 20, "only {searched} positions were searched");
}

pub(crate) fn a_search_values_a_position_as_plain_negamax_does<G: Notation>(rules: &RuleBook) {
    let compared = Cell::new(0);
    for depth in 1..=4 {
        searched::<G>(rules, depth, |position, report| {
            if let Some(expected) = negamax(position, rules, report.depth, 0, &mut { LARGEST_TREE })
            {
                assert_eq!(
                    report.score, expected,
                    "depth {} of {position:?}",
                    report.depth
                );
                compared.set(compared.get() + 1);
            }
        });
    }
    assert!(
        compared.get() > 40,
        "only {} positions were compared",
        compared.get()
    );
}

pub(crate) fn the_line_of_best_play_can_be_played<G: Notation>(rules: &RuleBook) {
    searched::<G>(rules, 4, |position, report| {
        let mut position = position.clone();
        for &mv in &report.principal_variation {
            position = position.play(mv).expect("a move of the line is legal");
        }
    });
}
