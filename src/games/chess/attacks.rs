//! Which squares a piece attacks, from tables that the compiler fills.
//!
//! Pieces that slide look along rays: the squares from one square to the edge in one direction. The first
//! piece on a ray ends it, and what lies beyond is that square's own ray:
//!
//! ```text
//! . . . X . . . .      . . . . . . . .      . . . . . . . .
//! . . . X . . . .      . . . X . . . .      . . . . . . . .
//! . . . X . . . .      . . . X . . . .      . . . . . . . .
//! . . . X . . . .  -   . . . X . . . .  =   . . . . . . . .
//! . . . X . . . .      . . . p . . . .      . . . X . . . .
//! . . . X . . . .      . . . . . . . .      . . . X . . . .
//! . . . R . . . .      . . . R . . . .      . . . R . . . .
//! . . . . . . . .      . . . . . . . .      . . . . . . . .
//! ```
//!
//! (The "classical approach" of the Chess Programming Wiki.) The tables are constants; nothing here changes
//! or knows whose move it is.

use super::piece::PieceKind::{self, Bishop, King, Knight, Pawn, Queen, Rook};
use crate::board::{Bitboard, Side, Square};

use Direction::{Down, DownLeft, DownRight, Left, Right, Up, UpLeft, UpRight};

/// A direction in which pieces slide. In the first four the squares' index grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Direction {
    Up,
    Right,
    UpRight,
    UpLeft,
    Down,
    Left,
    DownLeft,
    DownRight,
}

impl Direction {
    pub(super) const ALL: [Direction; 8] =
        [Up, Right, UpRight, UpLeft, Down, Left, DownLeft, DownRight];
    const STRAIGHT: [Direction; 4] = [Up, Right, Down, Left];
    const DIAGONAL: [Direction; 4] = [UpRight, UpLeft, DownLeft, DownRight];

    /// Whether the direction runs along a row or a column.
    pub(super) const fn is_straight(self) -> bool {
        matches!(self, Up | Right | Down | Left)
    }
}

/// By [`Direction`], how columns and rows change with a step.
const STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (1, -1),
];

// Tables are `static`: each is one place in memory and never changes.
static KNIGHT: [Bitboard; 64] = leaps(&[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);
static KING: [Bitboard; 64] = leaps(&STEPS);
/// By [`Side::index`]: black's pawns capture downwards.
static PAWN: [[Bitboard; 64]; 2] = [leaps(&[(-1, -1), (1, -1)]), leaps(&[(-1, 1), (1, 1)])];
static RAYS: [[Bitboard; 64]; 8] = rays();

/// The squares that a pawn of `side` on `square` attacks.
#[inline(always)]
pub(super) fn pawn(side: Side, square: Square) -> Bitboard {
    PAWN[side.index()][square.index() as usize]
}

/// The squares that a knight on `square` attacks.
#[inline(always)]
pub(super) fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index() as usize]
}

/// The squares that a king on `square` attacks.
#[inline(always)]
pub(super) fn king(square: Square) -> Bitboard {
    KING[square.index() as usize]
}

/// The squares that a bishop on `square` attacks, up to the first piece each way, which it attacks too.
#[inline(always)]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    slide(&Direction::DIAGONAL, square, occupied)
}

/// The squares that a rook on `square` attacks, up to the first piece each way, which it attacks too.
#[inline(always)]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    slide(&Direction::STRAIGHT, square, occupied)
}

/// The squares that a piece of `kind` and `side` on `square` attacks.
#[inline(always)]
pub(super) fn of_piece(
    kind: PieceKind,
    side: Side,
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    match kind {
        Pawn => pawn(side, square),
        Knight => knight(square),
        Bishop => bishop(square, occupied),
        Rook => rook(square, occupied),
        Queen => bishop(square, occupied) | rook(square, occupied),
        King => king(square),
    }
}

/// The squares from `square` to the edge, itself not included.
#[inline(always)]
pub(super) fn ray(direction: Direction, square: Square) -> Bitboard {
    RAYS[direction as usize][square.index() as usize]
}

/// The first of `pieces` that is met on the ray.
#[inline(always)]
pub(super) fn first_on_ray(
    direction: Direction,
    square: Square,
    pieces: Bitboard,
) -> Option<Square> {
    let met = (ray(direction, square) & pieces).0;
    if met == 0 {
        return None;
    }
    let index = if (direction as u8) < 4 {
        met.trailing_zeros()
    } else {
        63 - met.leading_zeros()
    };
    Some(Square::from_index(index as u8))
}

#[inline(always)]
fn slide(directions: &[Direction; 4], square: Square, occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for &direction in directions {
        let first = first_on_ray(direction, square, occupied);
        let beyond = first.map_or(Bitboard::EMPTY, |first| ray(direction, first));
        attacked = attacked | ray(direction, square) & !beyond;
    }
    attacked
}

/// For every square, those this many columns and rows away that are on the board.
const fn leaps<const N: usize>(leaps: &[(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut leap = 0;
        while leap < N {
            let (columns, rows) = leaps[leap];
            if let Some(to) = Square::from_index(index).offset(columns, rows) {
                table[index as usize] = table[index as usize].with(to);
            }
            leap += 1;
        }
        index += 1;
    }
    table
}

const fn rays() -> [[Bitboard; 64]; 8] {
    let mut table = [[Bitboard::EMPTY; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (columns, rows) = STEPS[direction];
        let mut index = 0;
        while index < 64 {
            let mut at = Square::from_index(index);
            while let Some(next) = at.offset(columns, rows) {
                table[direction][index as usize] = table[direction][index as usize].with(next);
                at = next;
            }
            index += 1;
        }
        direction += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn rays_run_to_the_edge_and_stop_at_the_first_piece() {
        for from in Square::all() {
            for direction in Direction::ALL {
                let (columns, rows) = STEPS[direction as usize];
                let ahead = (1..8).map_while(|n| from.offset(n * columns, n * rows));
                let ahead: Vec<Square> = ahead.collect();
                assert_eq!(ray(direction, from), ahead.iter().copied().collect());
                let met = first_on_ray(direction, from, Bitboard(u64::MAX));
                assert_eq!(met, ahead.first().copied());
            }
        }
    }

    #[test]
    fn a_rook_attacks_the_first_piece_each_way_and_nothing_beyond() {
        let occupied: Bitboard = ["D2", "D4", "D7", "D8", "B2", "H3"]
            .map(square)
            .into_iter()
            .collect();
        let attacked = rook(square("D2"), occupied);
        let expected = ["B2", "C2", "E2", "F2", "G2", "H2", "D1", "D3", "D4"];
        assert_eq!(attacked, expected.map(square).into_iter().collect());
    }

    #[test]
    fn leaps_stay_on_the_board() {
        let set = |names: &[&str]| names.iter().map(|name| square(name)).collect::<Bitboard>();
        assert_eq!(knight(square("A1")), set(&["B3", "C2"]));
        assert_eq!(king(square("H8")), set(&["G8", "G7", "H7"]));
        assert_eq!(pawn(Side::White, square("A2")), set(&["B3"]));
        assert_eq!(pawn(Side::Black, square("E7")), set(&["D6", "F6"]));
        assert_eq!(pawn(Side::White, square("E8")), Bitboard::EMPTY);
    }
}
