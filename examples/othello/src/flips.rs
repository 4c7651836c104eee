//! Which discs a disc encloses, by shifting sets of squares in each of the eight directions (Chess Programming Wiki,
//! "Dumb7Fill").

use crownhead::{Bitboard, Square};

/// The squares that are not on column A, and not on H: a step in a row does not go around the board's edge.
const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// Steps in the eight directions.
const STEPS: [fn(u64) -> u64; 8] = [
    |set| set << 8,
    |set| set >> 8,
    |set| set << 1 & NOT_A,
    |set| set >> 1 & NOT_H,
    |set| set << 9 & NOT_A,
    |set| set >> 9 & NOT_H,
    |set| set << 7 & NOT_H,
    |set| set >> 7 & NOT_A,
];

/// The empty squares on which a disc of `own` encloses some of `other`.
pub(crate) fn targets(Bitboard(own): Bitboard, Bitboard(other): Bitboard) -> Bitboard {
    let targets = STEPS.iter().fold(0, |targets, step| {
        // At most six discs are enclosed in a row.
        let enclosed = (0..5).fold(step(own) & other, |line, _| line | step(line) & other);
        targets | step(enclosed)
    });
    Bitboard(targets & !(own | other))
}

/// The discs of `other` that a disc of `own` on `square` encloses.
pub(crate) fn turned(
    Bitboard(own): Bitboard,
    Bitboard(other): Bitboard,
    square: Square,
) -> Bitboard {
    let enclosed = STEPS.iter().map(|step| {
        let (mut line, mut next) = (0, step(Bitboard::of(square).0));
        while next & other != 0 {
            line |= next;
            next = step(next);
        }
        if next & own == 0 { 0 } else { line }
    });
    Bitboard(enclosed.fold(0, |all, line| all | line))
}
