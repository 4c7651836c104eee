//! What the network sees of a position, and what the way to a lone king is worth beside it.

use super::piece::PieceKind;
use super::position::Chess;
use crate::board::{Side, Square};
use crate::network::Inputs;

impl Inputs for Chess {
    type Words = [u64; 12];

    const BUCKETS: usize = 8;
    const WEIGHTS: &'static str = include_str!("weights.txt");

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

/// For every move of a king between the own king and a lone king, which it takes both to mate. Chosen by hand.
const AWAY_FROM_LONE_KING: i32 = -6;

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

#[cfg(test)]
mod tests {
    use super::super::rules;
    use super::*;
    use crate::board::Bitboard;
    use crate::position::Position;

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
