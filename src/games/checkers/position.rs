//! A checkers position: what stands where, and whose move it is.

use super::layout::{bit_of, is_playing_square, square_of, ROW_1, ROW_8};
use super::moves::CheckersMove;
use crate::board::{bits, Bitboard, Side, Square};
use crate::hash::fold;
use crate::notation::{ensure, refuse, PositionError};
use crate::position::{Outcome, Position};
use crate::rules::{RuleBook, Stuck};

/// A position on three 32-bit boards, in the order that the `layout` module draws.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Checkers {
    /// Men and kings of each side, by [`Side::index`].
    pub(super) pieces: [u32; 2],
    /// Kings of both sides.
    pub(super) kings: u32,
    pub(super) side_to_move: Side,
}

/// What may stand on a playing square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Whether it has been crowned.
    pub king: bool,
}

/// Pieces a side begins with: the most it can have.
const PIECES_A_SIDE: u32 = 12;

/// The row on which the men of `side` are crowned.
#[inline(always)]
pub(super) const fn far_row(side: Side) -> u32 {
    match side {
        Side::Black => ROW_8,
        Side::White => ROW_1,
    }
}

impl Checkers {
    /// What stands on `square`.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        if !is_playing_square(square) {
            return None;
        }
        let bit = 1 << bit_of(square);
        let side = Side::BOTH
            .into_iter()
            .find(|side| self.pieces[side.index()] & bit != 0)?;
        Some(Piece {
            side,
            king: self.kings & bit != 0,
        })
    }

    /// The men and kings of `side`.
    pub fn pieces(&self, side: Side) -> Bitboard {
        bits(self.pieces[side.index()].into())
            .map(square_of)
            .collect()
    }

    /// The kings of both sides.
    pub fn kings(&self) -> Bitboard {
        bits(self.kings.into()).map(square_of).collect()
    }

    /// A position set up piece by piece.
    ///
    /// # Errors
    /// When a piece stands on a square that is not played on, two stand on one, a side has more than twelve, or a man
    /// stands on the row where it would have been crowned.
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        side_to_move: Side,
    ) -> Result<Checkers, PositionError> {
        let mut position = Checkers {
            pieces: [0; 2],
            kings: 0,
            side_to_move,
        };
        for (square, piece) in pieces {
            ensure(is_playing_square(square), || {
                format!(
                    "a piece on {square}, where none can stand: \
                     pieces move on the squares of A1's colour"
                )
            })?;
            let bit = 1 << bit_of(square);
            let occupied = (position.pieces[0] | position.pieces[1]) & bit != 0;
            ensure(!occupied, || format!("two pieces on {square}"))?;
            position.pieces[piece.side.index()] |= bit;
            if piece.king {
                position.kings |= bit;
            }
        }
        for side in Side::BOTH {
            let (name, pieces) = (side_word(side), position.pieces[side.index()]);
            let count = pieces.count_ones();
            ensure(count <= PIECES_A_SIDE, || {
                format!("{name} has {count} pieces; a side never has more than {PIECES_A_SIDE}")
            })?;
            let uncrowned = pieces & !position.kings & far_row(side);
            if let Some(square) = bits(uncrowned.into()).map(square_of).min() {
                let reason =
                    format!("a man of {name} on {square}, where it would have been crowned");
                return refuse(reason);
            }
        }
        Ok(position)
    }
}

/// Where the men of `side` begin.
fn home(side: Side) -> u32 {
    let rows = match side {
        Side::Black => 0..3,
        Side::White => 5..8,
    };
    (0..32)
        .filter(|&bit| rows.contains(&square_of(bit).row()))
        .fold(0, |board, bit| board | 1 << bit)
}

/// A side's name where no rule book is at hand.
fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "red (PDN's white)",
    }
}

impl Position for Checkers {
    type Move = CheckersMove;

    fn start(rules: &RuleBook) -> Checkers {
        Checkers {
            pieces: Side::BOTH.map(home),
            kings: 0,
            side_to_move: rules.moves_first,
        }
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    #[inline]
    fn each_move(&self, visit: impl FnMut(CheckersMove)) {
        self.generate(visit);
    }

    #[inline(always)]
    fn play_unchecked(&self, mv: CheckersMove) -> Checkers {
        let (flipped, captured) = (mv.flipped, mv.captured);
        let side = self.side_to_move;
        let mut pieces = self.pieces;
        pieces[side.index()] ^= flipped;
        pieces[side.opponent().index()] ^= captured;
        // A king takes its crown along; of a man, only an end on the far row shows among the kings.
        let moved_king = self.kings & flipped != 0;
        let crowns = if moved_king { u32::MAX } else { far_row(side) };
        Checkers {
            pieces,
            kings: self.kings & !captured ^ flipped & crowns,
            side_to_move: side.opponent(),
        }
    }

    #[inline(always)]
    fn captures(&self, mv: CheckersMove) -> u32 {
        mv.jumps()
    }

    fn is_zeroing(&self, mv: CheckersMove) -> bool {
        mv.jumps() > 0 || self.kings & 1 << mv.from() == 0
    }

    /// The three boards and the side in two words.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let [black, white] = self.pieces;
        let sides = black as u64 | (white as u64) << 32;
        let rest = self.kings as u64 | (self.side_to_move.index() as u64) << 32;
        fold(sides, rest)
    }

    fn without_moves(&self, rules: &RuleBook) -> Outcome {
        let no_pieces = self.pieces[self.side_to_move.index()] == 0;
        if no_pieces || rules.stuck == Stuck::Loses {
            Outcome::Win(self.side_to_move.opponent())
        } else {
            Outcome::Draw
        }
    }

    #[inline(always)]
    fn each_capture(&self, visit: impl FnMut(CheckersMove)) -> bool {
        self.generate_captures(visit)
    }

    /// Whether the side that is not to move could capture if it were.
    #[inline]
    fn is_threatened(&self) -> bool {
        let passed = Checkers {
            side_to_move: self.side_to_move.opponent(),
            ..*self
        };
        passed.must_capture()
    }

    /// Where from and where to.
    #[inline]
    fn history_index(mv: CheckersMove) -> u16 {
        (mv.from() | mv.to() << 5) as u16
    }
}
