//! A move of checkers: a step, or a whole jump with its path.

use super::layout::{square_of, Direction};
use crate::board::{Bitboard, Square};
use std::fmt;

/// A step to a neighbouring square or a complete jump, in twelve bytes.
///
/// It holds what changes on the board: the two ends of the move as one board, which flips
/// the mover's pieces, and the board of captured pieces. (A king that comes back to where it started flips
/// nothing.)
///
/// It also holds the path of the piece, so that two paths with the same effect stay two moves. The longest
/// jump takes nine pieces: a jumping piece meets at most nine squares that it can jump over, and takes each
/// at most once. Nine directions of two bits fit beside the two ends and the length:
///
/// ```text
/// bits 31 ........ 14 | 13 .. 10 | 9 ... 5 | 4 ... 0
///      directions      jumps      to        from
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckersMove {
    /// The board of the two ends; empty when they are the same square.
    pub(super) flipped: u32,
    /// The board of the captured pieces.
    pub(super) captured: u32,
    path: u32,
}

const SQUARE_MASK: u32 = 31;
const TO_SHIFT: u32 = 5;
const JUMPS_SHIFT: u32 = 10;
const JUMPS_MASK: u32 = 15;
const DIRECTIONS_SHIFT: u32 = 14;

impl CheckersMove {
    /// A step from the square of board `start` to that of board `end`.
    #[inline(always)]
    pub(super) fn step(start: u32, end: u32) -> CheckersMove {
        CheckersMove {
            flipped: start | end,
            captured: 0,
            path: start.trailing_zeros() | end.trailing_zeros() << TO_SHIFT,
        }
    }

    /// The jump from the square of board `start` over one `piece` in `direction` to that of board `end`.
    #[inline(always)]
    pub(super) fn short_jump(
        start: u32,
        piece: u32,
        end: u32,
        direction: Direction,
    ) -> CheckersMove {
        CheckersMove {
            flipped: start | end,
            captured: piece,
            path: start.trailing_zeros()
                | end.trailing_zeros() << TO_SHIFT
                | 1 << JUMPS_SHIFT
                | (direction as u32) << DIRECTIONS_SHIFT,
        }
    }

    /// The beginning of a jump from bit `from`: no move yet.
    #[inline(always)]
    pub(super) fn jump_from(from: u32) -> CheckersMove {
        CheckersMove {
            flipped: 0,
            captured: 0,
            path: from | from << TO_SHIFT,
        }
    }

    /// This jump gone on over one more piece.
    #[inline(always)]
    pub(super) fn and_over(self, piece: u32, direction: Direction) -> CheckersMove {
        let to = direction.advance(self.to(), 2);
        let jumps = self.jumps();
        let path = self.path & !(SQUARE_MASK << TO_SHIFT | JUMPS_MASK << JUMPS_SHIFT)
            | to << TO_SHIFT
            | (jumps + 1) << JUMPS_SHIFT
            | (direction as u32) << (DIRECTIONS_SHIFT + 2 * jumps);
        CheckersMove {
            flipped: 1 << self.from() ^ 1 << to,
            captured: self.captured | piece,
            path,
        }
    }

    /// The bit number of the first square.
    #[inline(always)]
    pub(super) fn from(self) -> u32 {
        self.path & SQUARE_MASK
    }

    /// The bit number of the last square.
    #[inline(always)]
    pub(super) fn to(self) -> u32 {
        self.path >> TO_SHIFT & SQUARE_MASK
    }

    /// How many pieces the move takes: 0 for a step.
    #[inline(always)]
    pub fn jumps(self) -> u32 {
        self.path >> JUMPS_SHIFT & JUMPS_MASK
    }

    /// Whether the move is a jump.
    #[inline(always)]
    pub fn is_jump(self) -> bool {
        self.captured != 0
    }

    /// The squares the piece visits, the one it leaves first.
    ///
    /// ```
    /// use crownhead::position::Position;
    /// use crownhead::games::checkers::{rules, Checkers};
    /// use crownhead::notation::Notation;
    ///
    /// let start = Checkers::start(&rules::CONTEST);
    /// let squares: Vec<String> =
    ///     start.parse_move("c3d4").unwrap().squares().map(|s| s.to_string()).collect();
    /// assert_eq!(squares, ["C3", "D4"]);
    /// ```
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let landings = (0..self.jumps()).scan(self.from(), move |at, jump| {
            *at = self.direction(jump).advance(*at, 2);
            Some(square_of(*at))
        });
        let step = (!self.is_jump()).then(|| square_of(self.to()));
        std::iter::once(square_of(self.from()))
            .chain(landings)
            .chain(step)
    }

    /// The squares of the captured pieces, in the order in which they are jumped.
    pub fn captured_squares(self) -> impl Iterator<Item = Square> {
        (0..self.jumps()).scan(self.from(), move |at, jump| {
            let over = self.direction(jump).advance(*at, 1);
            *at = self.direction(jump).advance(*at, 2);
            Some(square_of(over))
        })
    }

    /// The captured pieces as a set.
    pub fn captured(self) -> Bitboard {
        self.captured_squares().collect()
    }

    fn direction(self, jump: u32) -> Direction {
        Direction::from_index(self.path >> (DIRECTIONS_SHIFT + 2 * jump))
    }
}

impl fmt::Display for CheckersMove {
    /// The name of the move in the contest's notation: the squares it visits, such as `A3C5A7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.squares().try_for_each(|square| write!(f, "{square}"))
    }
}

impl fmt::Debug for CheckersMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
