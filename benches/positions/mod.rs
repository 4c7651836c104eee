//! The positions that the benches measure on, each drawn with its side to move.

use crownhead::board::Side;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;

/// What each position is called in the report.
pub(crate) const NAMES: [&str; 4] = ["opening", "middlegame", "kings", "captures"];

const BOARDS: [(Side, &str); 4] = [
    (
        Side::Black,
        "
.r.r.r.r
r.r.r.r.
.r.r.r.r
........
........
b.b.b.b.
.b.b.b.b
b.b.b.b.",
    ),
    // Men off their first rows, nothing to capture.
    (
        Side::Black,
        "
.r...r.r
r.r...r.
.r.r.r..
......r.
.b......
b.b.b.b.
.b...b.b
..b.b...",
    ),
    // Five kings a side, none of which can be captured.
    (
        Side::White,
        "
.R...R..
........
.R...R..
......R.
.B......
........
.B...B..
..B.....",
    ),
    // Two kings and a man, with many ways to go on around the same men.
    (
        Side::Black,
        "
........
..r.r.r.
........
..r.r.r.
...B....
..r.r.r.
.B......
b.......",
    ),
];

/// The positions, in the order of [`NAMES`].
pub(crate) fn all() -> [Checkers; 4] {
    BOARDS.map(|(side, board)| {
        let rows = board.trim().parse().expect("a drawn board");
        Checkers::from_rows(&rows, side).expect("a position of checkers")
    })
}
