//! Published counts of move trees, which a move generator must reproduce exactly.

use crownhead::games::checkers::{rules, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead::perft::perft;
use crownhead::position::Position;

/// Checkers from the start, depths 1 to 12 (A. Bik, "Computing Deep Perft and Divide Numbers for
/// Checkers", ICGA Journal 35(4), 2012). Merging jumps of equal effect would show at depth 12 only, as
/// 388617999: `crownhead perft --depth 12` counts that far.
const CHECKERS: [u64; 12] = [
    7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388623673,
];

#[test]
fn checkers_from_the_start() {
    let start = Checkers::start(&rules::CONTEST);
    for (depth, expected) in (1..).zip(CHECKERS).take(9) {
        assert_eq!(perft(&start, depth), expected, "depth {depth}");
    }
}

#[test]
fn checkers_is_the_same_game_for_the_other_side() {
    let white_first = Checkers::start(&rules::CLASSROOM);
    assert_eq!(perft(&white_first, 8), CHECKERS[7]);
}

/// EverChess from the start, depths 1 to 9. The last two take longer than a test should:
/// `crownhead perft --game everchess --depth 9` counts that far.
const EVERCHESS: [u64; 9] = [
    8, 64, 512, 4096, 32662, 258382, 2017122, 15471816, 115801222,
];

#[test]
fn everchess_from_the_start() {
    let start = EverChess::start(&everchess::rules::STANDARD);
    for (depth, expected) in (1..).zip(EVERCHESS).take(7) {
        assert_eq!(perft(&start, depth), expected, "depth {depth}");
    }
}

/// Two-player chess from the start, depths 1 to 5: standard chess ("Perft Results" of the Chess Programming
/// Wiki, position 1), less its 258 captures in passing at depth 5.
const CHESS: [u64; 5] = [20, 400, 8902, 197281, 4865609 - 258];

#[test]
fn chess_from_the_start() {
    let start = Chess::start(&chess::rules::TWO_PLAYER);
    for (depth, expected) in (1..).zip(CHESS) {
        assert_eq!(perft(&start, depth), expected, "depth {depth}");
    }
}
