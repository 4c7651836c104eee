//! Counts of move trees: the backbone of trust in a move generator.

use crate::position::Position;
use std::hint::black_box;

/// The number of move sequences of length `depth` from `position`; every leaf is made on the board.
///
/// ```
/// use crownhead::position::Position;
/// use crownhead::games::checkers::{rules, Checkers};
///
/// assert_eq!(crownhead::perft::perft(&Checkers::start(&rules::CONTEST), 5), 7361);
/// ```
pub fn perft<G: Position>(position: &G, depth: u32) -> u64 {
    let mut count = 0;
    match depth {
        0 => count = 1,
        1 => position.each_move(|mv| {
            // Leaves are made, so that this measures `play_unchecked`.
            black_box(position.play_unchecked(mv));
            count += 1;
        }),
        _ => position.each_move(|mv| count += perft(&position.play_unchecked(mv), depth - 1)),
    }
    count
}
