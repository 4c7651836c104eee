//! In which order moves are tried, and what cutoffs teach of it.

use super::super::ordering::{generate, generate_captures, pick, Candidate, OrderingTables};
use crate::board::Side;
use crate::games::checkers::{rules, Checkers};
use crate::games::chess::{self, Chess};
use crate::games::everchess::{self, EverChess};
use crate::notation::Notation;
use crate::position::Position;
use crate::rules::RuleBook;

/// A position of chess in which white may take a rook or a pawn, or do much else.
fn with_captures() -> Chess {
    let rows = "
...rk...
........
........
..p.....
.B.Q....
........
........
....K...";
    let rows = rows.trim().parse().expect("eight rows");
    Chess::from_rows(&rows, Side::White).expect("a legal position")
}

fn candidates<G: Position>(position: &G) -> Vec<Candidate<G::Move>> {
    let mut moves = Vec::new();
    generate(position, &mut moves);
    moves
}

/// The moves of chess by their names, in the order in which a node tries them.
fn order(
    position: &Chess,
    tables: &OrderingTables<<Chess as Position>::Move>,
    table_move: Option<u8>,
    previous: Option<(Side, u16)>,
) -> Vec<String> {
    let mut moves = candidates(position);
    tables.rank(position, &mut moves, table_move, 0, previous);
    (0..moves.len())
        .map(|number| {
            let next = pick(&mut moves, number);
            position.move_name(next.mv).to_string()
        })
        .collect()
}

#[test]
fn moves_are_tried_by_what_promises_a_cutoff() {
    let position = with_captures();
    let moves = candidates(&position);
    let named = |name: &str| {
        let mut named = moves.iter();
        let found = named.find(|one| position.move_name(one.mv) == *name);
        *found.unwrap_or_else(|| panic!("{name} is no move of {moves:?}"))
    };
    let mut tables = OrderingTables::new();
    let learn = |tables: &mut OrderingTables<_>, name: &str, previous| {
        tables.learn_cutoff(Side::White, &[named(name)], 2, 0, previous);
    };
    let reply_to = Some((Side::Black, 77));
    learn(&mut tables, "d4h4", reply_to);
    learn(&mut tables, "d4a1", None);
    learn(&mut tables, "d4g1", None);
    let table_move = Some(named("e1f1").place);

    let tried = order(&position, &tables, table_move, reply_to);

    // The table's move; the rook, then the pawn by the lesser attacker; the killers, latest first; the counter-move.
    let first = ["e1f1", "d4d8", "b4c5", "d4c5", "d4g1", "d4a1", "d4h4"];
    assert_eq!(tried[..7], first, "{tried:?}");
    // Without the reply there is no counter-move, and the table's capture comes before any other.
    let tried = order(&position, &tables, Some(named("d4c5").place), None);
    assert_eq!(
        tried[..5],
        ["d4c5", "d4d8", "b4c5", "d4g1", "d4a1"],
        "{tried:?}"
    );
    assert_eq!(tried.len(), moves.len());
}

#[test]
fn a_killer_that_cuts_off_again_leaves_the_other_where_it_is() {
    let position = Checkers::start(&rules::CONTEST);
    let moves = candidates(&position);
    let mut tables = OrderingTables::new();
    for killer in [0, 1, 1] {
        tables.learn_cutoff(Side::Black, &moves[killer..=killer], 1, 3, None);
    }
    let mut ranked = moves.clone();
    tables.rank(&position, &mut ranked, None, 3, None);
    let places: Vec<u8> = (0..3)
        .map(|number| pick(&mut ranked, number).place)
        .collect();
    assert_eq!(places[..2], [1, 0]);
    // At another ply they are no killers; the history of both sides' moves is kept apart.
    let mut ranked = moves.clone();
    tables.rank(&position, &mut ranked, None, 4, None);
    assert!(ranked
        .iter()
        .all(|candidate| candidate.priority.abs() < 1 << 14));
    assert!(ranked[0].priority > 0 && ranked[1].priority > ranked[0].priority);
    assert_eq!(ranked[2].priority, 0);
}

#[test]
fn history_rises_for_cutoffs_falls_for_other_moves_and_stays_bounded() {
    let position = Checkers::start(&rules::CONTEST);
    let moves = candidates(&position);
    let priorities = |tables: &OrderingTables<_>| {
        let mut ranked = moves.clone();
        // No killers at this ply.
        tables.rank(&position, &mut ranked, None, 9, None);
        ranked.iter().map(|one| one.priority).collect::<Vec<i32>>()
    };
    let mut tables = OrderingTables::new();
    let mut before = priorities(&tables);
    for _ in 0..40 {
        tables.learn_cutoff(Side::Black, &moves[..3], 6, 0, None);
        let now = priorities(&tables);
        assert!(now[0] < before[0] && now[1] < before[1] && now[2] > before[2]);
        assert_eq!(now[3..], before[3..]);
        before = now;
    }
    for _ in 0..2_000 {
        tables.learn_cutoff(Side::Black, &moves[..3], 60, 0, None);
    }
    let limits = priorities(&tables);
    assert!(limits[2] > 15_000 && limits[0] < -15_000, "{limits:?}");
    assert!(limits.iter().all(|priority| priority.abs() <= 1 << 14));
    let other_side = {
        let mut tables = OrderingTables::new();
        tables.learn_cutoff(Side::White, &moves[..3], 6, 0, None);
        priorities(&tables)
    };
    assert!(other_side.iter().all(|&priority| priority == 0));
}

#[test]
fn deeper_cutoffs_weigh_more() {
    let position = Checkers::start(&rules::CONTEST);
    let moves = candidates(&position);
    let mut tables = OrderingTables::new();
    tables.learn_cutoff(Side::Black, &moves[..1], 3, 0, None);
    tables.learn_cutoff(Side::Black, &moves[1..2], 5, 0, None);
    let mut ranked = moves.clone();
    tables.rank(&position, &mut ranked, None, 9, None);
    assert!(ranked[1].priority > 2 * ranked[0].priority);
    // But none decides alone, however deep.
    let mut tables = OrderingTables::new();
    tables.learn_cutoff(Side::Black, &moves[..1], 120, 0, None);
    let mut ranked = moves.clone();
    tables.rank(&position, &mut ranked, None, 9, None);
    assert!((1..=1 << 10).contains(&ranked[0].priority));
}

#[test]
fn equally_promising_moves_are_tried_in_the_order_of_generation() {
    let position = Checkers::start(&rules::CONTEST);
    let mut moves = candidates(&position);
    assert_eq!(pick(&mut moves, 0).place, 0);
}

/// Positions of a game in which move number 3, 6, 9, … of the list is played.
fn positions<G: Position>(rules: &RuleBook) -> Vec<G> {
    let mut positions = vec![G::start(rules)];
    for turn in 1..24 {
        let last = positions.last().expect("there is a start").clone();
        let moves = last.legal_moves();
        if moves.is_empty() || last.ended().is_some() {
            break;
        }
        positions.push(last.play_unchecked(moves[3 * turn % moves.len()]));
    }
    positions
}

#[test]
fn the_list_of_a_node_has_every_move_and_says_which_capture() {
    fn check<G: Position>(rules: &RuleBook) {
        for position in positions::<G>(rules) {
            let mut moves = Vec::new();
            let all_capture = generate(&position, &mut moves);
            let listed: Vec<G::Move> = moves.iter().map(|one| one.mv).collect();
            assert_eq!(listed, position.legal_moves());
            assert!(moves
                .iter()
                .enumerate()
                .all(|(place, one)| one.place == place as u8));
            let captures = |mv: &G::Move| position.captures(*mv) > 0;
            assert!(moves.iter().all(|one| one.captures == captures(&one.mv)));
            assert_eq!(all_capture, listed.iter().all(captures));

            let mut quiescent = Vec::new();
            let others = generate_captures(&position, &mut quiescent);
            let expected: Vec<G::Move> = listed.iter().copied().filter(captures).collect();
            let found: Vec<G::Move> = quiescent.iter().map(|one| one.mv).collect();
            assert_eq!((found, others), (expected, !listed.iter().all(captures)));
            let by_score = |one: &Candidate<G::Move>| one.priority == position.move_score(one.mv);
            assert!(quiescent.iter().all(by_score));
        }
    }
    check::<Checkers>(&rules::CONTEST);
    check::<EverChess>(&everchess::rules::STANDARD);
    check::<Chess>(&chess::rules::TWO_PLAYER);
}
