//! A slow move generator, written to be obviously right: letters on squares, no bits.
//!
//! It follows the words of the rules: a piece is lifted, jumps over what it may until it can no more, and
//! only then are the pieces it jumped taken off the board.

use super::board::draw;
use crate::support::random_game;
use crownhead::board::{Side, Square};
use crownhead::games::checkers::{rules, Checkers, Piece};
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::collections::BTreeMap;

const EMPTY: u8 = b'.';

/// The legal moves by name, with the board after each.
fn slow_moves(board: &Rows, side: Side) -> BTreeMap<String, Rows> {
    let (mut steps, mut jumps) = (BTreeMap::new(), BTreeMap::new());
    for from in Square::all().filter(|&square| owner(board.at(square)) == Some(side)) {
        let piece = board.at(from);
        let mut lifted = board.clone();
        lifted.put(from, EMPTY);
        for (columns, rows) in directions(piece) {
            let to = from.offset(columns, rows);
            if let Some(to) = to.filter(|&to| board.at(to) == EMPTY) {
                steps.insert(format!("{from}{to}"), landed(lifted.clone(), piece, to));
            }
        }
        each_jump(&lifted, piece, &[from], &[], &mut jumps);
    }
    if jumps.is_empty() {
        steps
    } else {
        jumps
    }
}

fn each_jump(
    board: &Rows,
    piece: u8,
    path: &[Square],
    jumped: &[Square],
    found: &mut BTreeMap<String, Rows>,
) {
    let at = path[path.len() - 1];
    let crowned = crown(piece, at) != piece;
    let mut goes_on = false;
    for (columns, rows) in directions(piece).into_iter().filter(|_| !crowned) {
        let (over, to) = (at.offset(columns, rows), at.offset(2 * columns, 2 * rows));
        let (Some(over), Some(to)) = (over, to) else {
            continue;
        };
        let enemy = owner(board.at(over)).is_some_and(|side| Some(side) != owner(piece));
        if enemy && !jumped.contains(&over) && board.at(to) == EMPTY {
            goes_on = true;
            each_jump(
                board,
                piece,
                &[path, &[to]].concat(),
                &[jumped, &[over]].concat(),
                found,
            );
        }
    }
    if !goes_on && !jumped.is_empty() {
        let mut after = landed(board.clone(), piece, at);
        for &square in jumped {
            after.put(square, EMPTY);
        }
        found.insert(path.iter().map(Square::to_string).collect(), after);
    }
}

fn owner(piece: u8) -> Option<Side> {
    match piece {
        b'b' | b'B' => Some(Side::Black),
        b'r' | b'R' => Some(Side::White),
        _ => None,
    }
}

fn directions(piece: u8) -> Vec<(i8, i8)> {
    match piece {
        b'b' => vec![(-1, 1), (1, 1)],
        b'r' => vec![(-1, -1), (1, -1)],
        _ => vec![(-1, 1), (1, 1), (-1, -1), (1, -1)],
    }
}

fn crown(piece: u8, square: Square) -> u8 {
    match (piece, square.row()) {
        (b'b', 7) => b'B',
        (b'r', 0) => b'R',
        _ => piece,
    }
}

fn landed(mut board: Rows, piece: u8, square: Square) -> Rows {
    board.put(square, crown(piece, square));
    board
}

fn assert_both_generators_agree(position: &Checkers) {
    let side = position.side_to_move();
    let slow: BTreeMap<String, Checkers> = slow_moves(&position.rows(), side)
        .into_iter()
        .map(|(name, after)| (name, Checkers::from_rows(&after, side.opponent()).unwrap()))
        .collect();
    let moves = position.legal_moves().into_iter();
    let fast: BTreeMap<String, Checkers> = moves
        .map(|mv| (position.move_name(mv), position.play_unchecked(mv)))
        .collect();
    assert_eq!(fast, slow, "{position:?}");
    assert_eq!(position.count_moves(), slow.len() as u64);
}

/// A random position: from nearly empty to crowded, from no kings to kings only.
pub(crate) fn random_position(rng: &mut Pcg32) -> Checkers {
    loop {
        let crowded = rng.random_range(0.05..0.7);
        let kings = rng.random_range(0.0..=1.0);
        let mut pieces = Vec::new();
        for square in Square::all().filter(|square| (square.column() + square.row()) % 2 == 0) {
            if rng.random_bool(crowded) {
                let side = Side::BOTH[usize::from(rng.random_bool(0.5))];
                let crowned = square.row() == [7, 0][side.index()];
                let king = crowned || rng.random_bool(kings);
                pieces.push((square, Piece { side, king }));
            }
        }
        let side_to_move = Side::BOTH[usize::from(rng.random_bool(0.5))];
        if let Ok(position) = Checkers::from_pieces(pieces, side_to_move) {
            return position;
        }
    }
}

#[test]
fn the_slow_generator_knows_the_circling_king() {
    let position = draw(
        Side::Black,
        "
        5  . . r . r . . .
        3  . . r . r . . .
        2  . . . B . . . .
           A B C D E F G H",
    );
    let names: Vec<String> = slow_moves(&position.rows(), Side::Black)
        .into_keys()
        .collect();
    assert_eq!(names, ["D2B4D6F4D2", "D2F4D6B4D2"]);
}

#[test]
fn the_generator_agrees_with_a_slow_one_on_positions_of_random_games() {
    for rules in [rules::CONTEST, rules::CLASSROOM] {
        for position in (0..100).flat_map(|seed| random_game(&rules, seed)) {
            assert_both_generators_agree(&position);
        }
    }
}

#[test]
fn the_generator_agrees_with_a_slow_one_on_random_positions() {
    let mut rng = Pcg32::seed_from_u64(8);
    let (mut jumps, mut longest) = (0, 0);
    for _ in 0..20_000 {
        let position = random_position(&mut rng);
        assert_both_generators_agree(&position);
        for mv in position.legal_moves() {
            jumps += u32::from(mv.is_jump());
            longest = longest.max(mv.jumps());
        }
    }
    assert!(
        jumps > 20_000 && longest >= 5,
        "{jumps}, {longest}: too tame"
    );
}
