//! A chess position: what stands where, and whose move it is.

use super::attacks;
use super::piece::Piece;
use super::piece::PieceKind::{self, Bishop, King, Knight, Pawn, Queen, Rook};
use super::rules;
use crate::board::{Bitboard, CoordinateMove, Side, Square};
use crate::hash::fold;
use crate::notation::{ensure, PositionError};
use crate::position::{Outcome, Position};
use crate::rules::{RuleBook, Stuck};

/// The pieces that a side begins with: the most it can have.
const PIECES_A_SIDE: u32 = 16;

/// A position of two-player chess: a board for each kind of piece, and one for each side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Chess {
    /// By [`PieceKind`], of both sides.
    pub(super) kinds: [Bitboard; 6],
    /// By [`Side::index`].
    pub(super) sides: [Bitboard; 2],
    pub(super) side_to_move: Side,
}

impl Chess {
    /// What stands on `square`.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|side| self.pieces(*side).contains(square))?;
        let kind = self.kind_at(square)?;
        Some(Piece { side, kind })
    }

    /// All pieces of `side`.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The pieces of one kind and side.
    #[inline(always)]
    pub fn pieces_of_kind(&self, side: Side, kind: PieceKind) -> Bitboard {
        self.sides[side.index()] & self.kinds[kind as usize]
    }

    /// Where the king of `side` stands.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Square {
        let king = self.pieces_of_kind(side, King);
        Square::from_index(king.0.trailing_zeros() as u8)
    }

    /// Whether the king of the side to move is under attack.
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The opponent's pieces that attack the king of the side to move.
    pub fn checkers(&self) -> Bitboard {
        let side = self.side_to_move;
        self.attackers(side.opponent(), self.king(side), self.occupied())
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    #[inline(always)]
    pub(super) fn kind_at(&self, square: Square) -> Option<PieceKind> {
        let mut kinds = PieceKind::ALL.into_iter();
        kinds.find(|&kind| self.kinds[kind as usize].contains(square))
    }

    /// The pieces of `side` that attack `square` on a board occupied so.
    ///
    /// A piece attacks a square when the same piece standing there would attack it back; only pawns look
    /// the other way.
    #[inline]
    pub(super) fn attackers(&self, side: Side, square: Square, occupied: Bitboard) -> Bitboard {
        let of = |kind: PieceKind| self.kinds[kind as usize];
        let diagonal = of(Bishop) | of(Queen);
        let straight = of(Rook) | of(Queen);
        let attackers = attacks::pawn(side.opponent(), square) & of(Pawn)
            | attacks::knight(square) & of(Knight)
            | attacks::king(square) & of(King)
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & straight;
        attackers & self.pieces(side)
    }

    #[inline(always)]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        let (side, kind) = (piece.side.index(), piece.kind as usize);
        self.sides[side] = self.sides[side].with(square);
        self.kinds[kind] = self.kinds[kind].with(square);
    }

    /// A position set up piece by piece.
    ///
    /// # Errors
    /// When two pieces stand on a square, a side has too many pieces or not one king, or has left its king under attack.
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        side_to_move: Side,
    ) -> Result<Chess, PositionError> {
        let mut position = Chess {
            kinds: [Bitboard::EMPTY; 6],
            sides: [Bitboard::EMPTY; 2],
            side_to_move,
        };
        for (square, piece) in pieces {
            ensure(!position.occupied().contains(square), || {
                format!("two pieces on {square:#}")
            })?;
            position.put(square, piece);
        }
        for side in Side::BOTH {
            let (name, count) = (name(side), position.pieces(side).count());
            ensure(count <= PIECES_A_SIDE, || {
                format!("{name} has {count} pieces; a side never has more than {PIECES_A_SIDE}")
            })?;
            let kings = position.pieces_of_kind(side, PieceKind::King).count();
            ensure(kings == 1, || {
                format!("{name} has {kings} kings; a side has exactly one")
            })?;
        }
        let (mover, moved) = (side_to_move, side_to_move.opponent());
        let attackers = position.attackers(mover, position.king(moved), position.occupied());
        ensure(attackers.is_empty(), || {
            let (mover, moved) = (name(mover), name(moved));
            format!("{mover} is to move, but the king of {moved} is under attack; no move ends so")
        })?;
        Ok(position)
    }
}

fn name(side: Side) -> &'static str {
    rules::TWO_PLAYER.side_name(side)
}

/// What a piece is worth, by [`PieceKind`], in hundredths of a pawn (T. Michniewski, "Simplified Evaluation Function",
/// Chess Programming Wiki).
const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 0];

impl Position for Chess {
    type Move = CoordinateMove;

    fn start(rules: &RuleBook) -> Chess {
        // On the row behind the pawns, by kind: knights on columns b and g, for example.
        let back_row = [0, 0x42, 0x24, 0x81, 0x08, 0x10];
        let mut kinds = back_row.map(|row: u64| Bitboard(row | row << 56));
        kinds[Pawn as usize] = Bitboard(0xff << 8 | 0xff << 48);
        Chess {
            kinds,
            sides: [Bitboard(0xffff << 48), Bitboard(0xffff)],
            side_to_move: rules.moves_first,
        }
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// Kind by kind from pawns to the king, each from a1 to h8, its targets likewise.
    #[inline]
    fn each_move(&self, mut visit: impl FnMut(CoordinateMove)) {
        self.each_piece(|from, targets| {
            for to in targets.squares() {
                visit(CoordinateMove { from, to });
            }
        });
    }

    #[inline(always)]
    fn play_unchecked(&self, mv: CoordinateMove) -> Chess {
        let (from, to) = (Bitboard::of(mv.from), Bitboard::of(mv.to));
        let both = from | to;
        // The target square gets the kind of the moving piece, even after a capture.
        let kinds = self.kinds.map(|kind| {
            let moves = !(kind & from).is_empty();
            let rest = kind & !both;
            if moves {
                rest | to
            } else {
                rest
            }
        });
        let mut sides = self.sides.map(|side| side & !both);
        sides[self.side_to_move.index()] = sides[self.side_to_move.index()] | to;
        Chess {
            kinds,
            sides,
            side_to_move: self.side_to_move.opponent(),
        }
    }

    #[inline(always)]
    fn captures(&self, mv: CoordinateMove) -> u32 {
        u32::from(self.occupied().contains(mv.to))
    }

    fn is_zeroing(&self, mv: CoordinateMove) -> bool {
        self.captures(mv) > 0 || self.kind_at(mv.from) == Some(Pawn)
    }

    /// Rotations keep equal pairs of boards from cancelling each other out.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds.map(|kind| kind.0);
        // All pieces that are not white are black.
        let white = self.pieces(Side::White).0;
        let side = self.side_to_move.index() as u64;
        fold(pawns, knights)
            ^ fold(bishops, rooks).rotate_left(21)
            ^ fold(queens, kings).rotate_left(42)
            ^ fold(white, side).rotate_left(11)
    }

    fn without_moves(&self, rules: &RuleBook) -> Outcome {
        if self.in_check() || rules.stuck == Stuck::Loses {
            Outcome::Win(self.side_to_move.opponent())
        } else {
            Outcome::Draw
        }
    }

    /// Captures first: the most valuable victim, and of its attackers the least valuable (MVV-LVA, Chess
    /// Programming Wiki).
    fn move_score(&self, mv: CoordinateMove) -> i32 {
        match (self.kind_at(mv.to), self.kind_at(mv.from)) {
            (Some(victim), Some(attacker)) => {
                16 * WORTH[victim as usize] - WORTH[attacker as usize]
            }
            _ => 0,
        }
    }
}
