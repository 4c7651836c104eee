//! The generator against the slow one, at every move of random games.

use super::slow::{name, Slow};
use super::start;
use crate::support::drawn::board;
use crownhead::board::{Side, Square};
use crownhead::explain::Explain;
use crownhead::games::chess::{rules, Chess};
use crownhead::notation::Notation;
use crownhead::position::Position;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

fn sorted_names(position: &Chess) -> Vec<String> {
    let moves = position.legal_moves().into_iter();
    let mut names: Vec<String> = moves.map(|mv| position.move_name(mv)).collect();
    names.sort();
    names
}

/// Holds `fast` to what `slow` says of the same position.
fn compare(fast: &Chess, slow: &Slow) {
    assert_eq!(fast.rows().to_string(), slow.text());
    assert_eq!(fast.side_to_move() == Side::White, slow.white_to_move);
    assert_eq!(fast.in_check(), slow.in_check(), "{fast:?}");
    let (mut legal, mut exposing) = (Vec::new(), Vec::new());
    for mv in slow.careless_moves() {
        if slow.is_safe(mv) {
            legal.push(name(mv));
        } else {
            exposing.push(name(mv));
        }
    }
    legal.sort();
    assert_eq!(sorted_names(fast), legal, "{fast:?}");
    assert_eq!(fast.count_moves(), legal.len() as u64, "{fast:?}");
    if !legal.is_empty() {
        for mv in exposing {
            assert_eq!(
                fast.refusal(&mv, &rules::TWO_PLAYER).clause,
                "that leaves its king under attack",
                "{mv} {fast:?}"
            );
        }
    }
}

fn play_at_random(games: u32, rng: &mut Pcg32, first: &Chess, slow_first: &Slow) {
    for _ in 0..games {
        let (mut fast, mut slow) = (*first, slow_first.clone());
        for _ in 0..200 {
            compare(&fast, &slow);
            assert_eq!(
                Chess::from_rows(&fast.rows(), fast.side_to_move()),
                Ok(fast)
            );
            let moves = fast.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            let place = |square: Square| (i32::from(square.column()), i32::from(square.row()));
            slow = slow.after((place(mv.from), place(mv.to)));
            fast = fast.play(mv).unwrap();
        }
    }
}

#[test]
fn random_games_agree_with_the_slow_generator_at_every_move() {
    play_at_random(15, &mut Pcg32::seed_from_u64(1), &start(), &Slow::start());
}

#[test]
fn random_endings_agree_with_the_slow_generator_at_every_move() {
    // Open lines and far pawns: checks, pins and double checks come at every other move.
    let drawing = "r..qk..r\nP....p..\n........\n...b....\n...B....\n........\n..P....p\nR..QK..R";
    let fast = board::<Chess>(drawing, Side::White);
    let mut slow = Slow::start();
    for (row, line) in slow.board.iter_mut().rev().zip(drawing.lines()) {
        for (place, piece) in row.iter_mut().zip(line.chars()) {
            *place = piece;
        }
    }
    play_at_random(15, &mut Pcg32::seed_from_u64(2), &fast, &slow);
}
