//! Legal moves, without trying them out.
//!
//! A look from the king along the eight rays finds both what gives check and what is pinned: a ray that
//! meets an opponent's piece which slides that way is a check, and one that meets an own piece first pins
//! it to the ray. A move is legal when it answers the check, if there is one, and keeps a pinned piece on
//! its ray.

use super::attacks::{self, Direction};
use super::piece::PieceKind::{self, Bishop, Knight, Pawn, Queen, Rook};
use super::position::Chess;
use crate::board::{Bitboard, Side, Square};

/// What the safety of the king of the side to move asks of its other pieces.
struct KingSafety {
    /// The squares they may go to: all without a check; with one, the checker's and those between; none
    /// with two checks, which only the king itself escapes.
    answers: Bitboard,
    /// The pieces that may not leave their ray.
    pinned: Bitboard,
    /// The rays that hold a pinned piece, by direction.
    pins: [Bitboard; 8],
}

impl KingSafety {
    /// The squares that a piece on `from` may go to without exposing the king.
    #[inline(always)]
    fn allowed(&self, from: Square) -> Bitboard {
        if !self.pinned.contains(from) {
            return self.answers;
        }
        let mut pins = self.pins.into_iter();
        let ray = pins.find(|ray| ray.contains(from));
        self.answers & ray.unwrap_or(Bitboard::EMPTY)
    }
}

impl Chess {
    /// The squares that the piece on `square` may legally go to: none when it is not the mover's.
    pub fn moves_from(&self, square: Square) -> Bitboard {
        let mut targets = Bitboard::EMPTY;
        self.each_piece(|from, to| {
            if from == square {
                targets = to;
            }
        });
        targets
    }

    /// Visits every piece of the side to move with the squares it may legally go to.
    #[inline(always)]
    pub(super) fn each_piece(&self, mut visit: impl FnMut(Square, Bitboard)) {
        let side = self.side_to_move;
        let (own, occupied) = (self.pieces(side), self.occupied());
        let safety = self.king_safety();
        for from in self.pieces_of_kind(side, Pawn).squares() {
            visit(from, self.pawn_targets(from) & safety.allowed(from));
        }
        for kind in [Knight, Bishop, Rook, Queen] {
            for from in self.pieces_of_kind(side, kind).squares() {
                let attacked = attacks::of_piece(kind, side, from, occupied);
                visit(from, attacked & !own & safety.allowed(from));
            }
        }
        let king = self.king(side);
        // The king does not hide the squares behind it from what attacks it.
        let without_king = occupied & !Bitboard::of(king);
        let safe = (attacks::king(king) & !own)
            .squares()
            .filter(|&to| self.attackers(side.opponent(), to, without_king).is_empty())
            .collect();
        visit(king, safe);
    }

    /// The squares that a pawn of the side to move on `from` may go to, except for the king's safety.
    #[inline(always)]
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let side = self.side_to_move;
        let empty = !self.occupied();
        let step = |squares: Bitboard| match side {
            Side::White => Bitboard(squares.0 << 8) & empty,
            Side::Black => Bitboard(squares.0 >> 8) & empty,
        };
        let one = step(Bitboard::of(from));
        let two = if from.row() == pawn_row(side) {
            step(one)
        } else {
            Bitboard::EMPTY
        };
        one | two | attacks::pawn(side, from) & self.pieces(side.opponent())
    }

    #[inline(always)]
    fn king_safety(&self) -> KingSafety {
        let side = self.side_to_move;
        let king = self.king(side);
        let of = |kind: PieceKind| self.pieces_of_kind(side.opponent(), kind);
        let leapers = attacks::pawn(side, king) & of(Pawn) | attacks::knight(king) & of(Knight);
        let straight = of(Rook) | of(Queen);
        let diagonal = of(Bishop) | of(Queen);

        let mut checks = leapers.count();
        let mut answers = leapers;
        let mut pinned = Bitboard::EMPTY;
        let mut pins = [Bitboard::EMPTY; 8];
        for direction in Direction::ALL {
            let sliders = if direction.is_straight() {
                straight
            } else {
                diagonal
            };
            let Some(slider) = attacks::first_on_ray(direction, king, sliders) else {
                continue;
            };
            let ray = attacks::ray(direction, king);
            let up_to_slider = ray & !attacks::ray(direction, slider);
            let between = up_to_slider & self.occupied() & !Bitboard::of(slider);
            match between.count() {
                0 => {
                    checks += 1;
                    answers = answers | up_to_slider;
                }
                1 if !(between & self.pieces(side)).is_empty() => {
                    pinned = pinned | between;
                    pins[direction as usize] = up_to_slider;
                }
                _ => {}
            }
        }
        KingSafety {
            answers: match checks {
                0 => Bitboard(u64::MAX),
                1 => answers,
                _ => Bitboard::EMPTY,
            },
            pinned,
            pins,
        }
    }
}

/// The row on which the pawns of `side` start.
pub(super) const fn pawn_row(side: Side) -> u8 {
    match side {
        Side::Black => 6,
        Side::White => 1,
    }
}
