//! The evaluations of chess: a network trained on games, and piece-square tables.

use super::piece::PieceKind::{self, King, Queen};
use super::position::Chess;
use super::weights::{NETWORK, ROWS};
use crate::board::{CoordinateMove, Side, Square};
use crate::evaluate::Evaluate;
use crate::network::{Accumulator, Inputs};
use crate::position::Position;

impl Inputs<12> for Chess {
    const BUCKETS: usize = 8;

    /// The pieces of the side to move by their squares, a word for each [`PieceKind`]; then the other side's.
    fn inputs(&self) -> [u64; 12] {
        let side = self.side_to_move;
        let mut words = [0; 12];
        for kind in PieceKind::ALL {
            for (first, owner) in [(0, side), (6, side.opponent())] {
                let pieces = self.pieces_of_kind(owner, kind).0;
                words[first + kind as usize] = match side {
                    Side::White => pieces,
                    Side::Black => pieces.swap_bytes(),
                };
            }
        }
        words
    }

    /// By the number of pieces: up to 4, 8, 12 and so on to 32.
    fn bucket(&self) -> usize {
        let [black, white] = Side::BOTH.map(|side| self.pieces(side).count());
        ((black + white).max(1) - 1) as usize / 4
    }

    /// The way of the king to a lone king: few games last until that is the question.
    #[inline]
    fn beside_network(&self) -> i32 {
        to_lone_king(self, self.side_to_move) - to_lone_king(self, self.side_to_move.opponent())
    }
}

/// Evaluates positions by a network trained on games of self-play, and leads the king to a lone king.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned;

impl Evaluate<Chess> for Learned {
    type Accumulator = Accumulator<12, ROWS>;

    fn accumulator(&self) -> Self::Accumulator {
        NETWORK.accumulator()
    }

    fn evaluate(&self, position: &Chess) -> i32 {
        self.evaluate_near(position, &mut self.accumulator())
    }

    #[inline]
    fn evaluate_near(&self, position: &Chess, last: &mut Self::Accumulator) -> i32 {
        NETWORK.evaluate_near(position, last) + position.beside_network()
    }

    /// As [`PieceSquares`] does.
    fn move_score(&self, position: &Chess, mv: CoordinateMove) -> i32 {
        PieceSquares.move_score(position, mv)
    }
}

/// Counts the pieces, each by its kind, its row and its column, and leads the king to a lone king.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceSquares;

/// What a piece is worth, in hundredths of a pawn.
struct Weights {
    worth: i32,
    /// Added by row, the first being its side's own back row.
    rows: [i32; 8],
    /// Added by column from the edge: a and h, b and g, c and f, d and e.
    columns: [i32; 4],
}

/// By [`PieceKind`]. The worth of a piece is that of T. Michniewski, "Simplified Evaluation Function" (Chess
/// Programming Wiki); rows and columns are chosen by hand, not measured.
///
/// Pawns are not promoted here: they gain by taking room in the centre, and are all but lost on the far row.
#[rustfmt::skip]
const WEIGHTS: [Weights; 6] = [
    Weights { worth: 100, rows: [0, 0, 4, 12, 18, 20, 5, -70],        columns: [-6, 0, 4, 12] },
    Weights { worth: 320, rows: [-20, -5, 5, 12, 16, 14, 4, -10],     columns: [-24, -6, 6, 12] },
    Weights { worth: 330, rows: [-12, 4, 6, 8, 8, 6, 2, -6],          columns: [-8, 2, 4, 6] },
    Weights { worth: 500, rows: [0, 0, 0, 0, 2, 6, 16, 8],            columns: [-4, 0, 3, 6] },
    Weights { worth: 900, rows: [-6, 0, 3, 5, 6, 6, 6, 4],            columns: [-6, 0, 3, 4] },
    Weights { worth: 0,   rows: [20, 5, -15, -30, -40, -45, -50, -50], columns: [8, 12, -4, -10] },
];

/// The king's once the opponent has no queen: it comes out, and is to be driven to the edge.
const KING_AMONG_FEW: Weights = Weights {
    worth: 0,
    rows: [-30, -10, 8, 20, 20, 8, -10, -30],
    columns: [-30, -6, 10, 20],
};

/// For every move of a king between the own king and a lone king, which it takes both to mate. Chosen by hand.
const AWAY_FROM_LONE_KING: i32 = -6;

impl Evaluate<Chess> for PieceSquares {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &Chess) -> i32 {
        let side = position.side_to_move();
        worth(position, side) - worth(position, side.opponent())
    }

    /// Captures first: the most valuable victim, and of its attackers the least valuable (MVV-LVA, Chess
    /// Programming Wiki).
    fn move_score(&self, position: &Chess, mv: CoordinateMove) -> i32 {
        let worth = |square| Some(WEIGHTS[position.kind_at(square)? as usize].worth);
        match (worth(mv.to), worth(mv.from)) {
            (Some(victim), Some(attacker)) => 16 * victim - attacker,
            _ => 0,
        }
    }
}

fn worth(position: &Chess, side: Side) -> i32 {
    let no_queen = position.pieces_of_kind(side.opponent(), Queen).is_empty();
    let mut total = 0;
    for kind in PieceKind::ALL {
        let weights = if kind == King && no_queen {
            &KING_AMONG_FEW
        } else {
            &WEIGHTS[kind as usize]
        };
        for square in position.pieces_of_kind(side, kind).squares() {
            total += weights.worth + placement(weights, square, side);
        }
    }
    total + to_lone_king(position, side)
}

/// What the way of the king of `side` to a lone king is worth.
fn to_lone_king(position: &Chess, side: Side) -> i32 {
    let other = side.opponent();
    match position.pieces(other).count() {
        1 => AWAY_FROM_LONE_KING * distance(position.king(side), position.king(other)),
        _ => 0,
    }
}

/// In moves of a king.
fn distance(from: Square, to: Square) -> i32 {
    let columns = from.column().abs_diff(to.column());
    i32::from(columns.max(from.row().abs_diff(to.row())))
}

fn placement(weights: &Weights, square: Square, side: Side) -> i32 {
    let row = match side {
        Side::Black => 7 - square.row(),
        Side::White => square.row(),
    };
    let from_edge = square.column().min(7 - square.column());
    weights.rows[usize::from(row)] + weights.columns[usize::from(from_edge)]
}

#[cfg(test)]
mod tests {
    use super::super::rules;
    use super::*;
    use crate::board::Bitboard;

    #[test]
    fn each_piece_is_one_input_and_the_colours_make_no_difference() {
        let mut position = Chess::start(&rules::TWO_PLAYER);
        for turn in 0..60 {
            let words = position.inputs();
            for (word, kind) in words.iter().zip(PieceKind::ALL) {
                let pieces = position.pieces_of_kind(position.side_to_move(), kind);
                assert_eq!(word.count_ones(), pieces.count());
            }
            let there: u32 = words.iter().map(|word| word.count_ones()).sum();
            let [black, white] = Side::BOTH.map(|side| position.pieces(side));
            assert_eq!(there, black.count() + white.count());
            assert_eq!(position.bucket(), (there as usize - 1) / 4);

            let turned = |squares: Bitboard| Bitboard(squares.0.swap_bytes());
            let other_way_round = Chess {
                kinds: position.kinds.map(turned),
                sides: [turned(white), turned(black)],
                side_to_move: position.side_to_move.opponent(),
            };
            assert_eq!(words, other_way_round.inputs(), "{position:?}");

            let moves = position.legal_moves();
            let captures = moves.iter().find(|&&mv| position.captures(mv) > 0);
            let any = moves.get(turn % moves.len().max(1));
            let Some(&mv) = captures.or(any) else { break };
            position = position.play_unchecked(mv);
        }
    }
}
