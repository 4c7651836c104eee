//! What a checkers position is worth: the judgement of a network that has learnt from games.

use super::layout::turned;
use super::moves::CheckersMove;
use super::position::Checkers;
use super::weights::NETWORK;
use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::network::Inputs;

/// Each square, for a man and a king of the side to move and of the other side.
const INPUTS: usize = 4 * 32;
/// Positions of up to 6, 12, 18 and 24 pieces.
const BUCKETS: usize = 4;
const PIECES_A_BUCKET: u32 = 6;

impl Inputs for Checkers {
    const INPUTS: usize = INPUTS;
    const BUCKETS: usize = BUCKETS;

    #[inline(always)]
    fn each_input(&self, mut visit: impl FnMut(usize)) {
        let [black, white] = self.pieces;
        let (own, other, kings) = match self.side_to_move {
            Side::Black => (black, white, self.kings),
            Side::White => (turned(white), turned(black), turned(self.kings)),
        };
        // Two loops rather than four: the end of each is hard to foresee for a processor.
        let mut own = u64::from(own & !kings) | u64::from(own & kings) << 32;
        let mut other = u64::from(other & !kings) | u64::from(other & kings) << 32;
        while own != 0 {
            visit(own.trailing_zeros() as usize);
            own &= own - 1;
        }
        while other != 0 {
            visit(64 + other.trailing_zeros() as usize);
            other &= other - 1;
        }
    }

    #[inline(always)]
    fn bucket(&self) -> usize {
        let pieces = (self.pieces[0] | self.pieces[1]).count_ones();
        ((pieces.max(1) - 1) / PIECES_A_BUCKET) as usize
    }
}

/// A judge of positions by a network that has learnt from games of the search with itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned;

impl Evaluate<Checkers> for Learned {
    #[inline]
    fn evaluate(&self, position: &Checkers) -> i32 {
        NETWORK.evaluate(position)
    }

    #[inline]
    fn threatened(&self, position: &Checkers) -> bool {
        position.is_threatened()
    }

    /// Where from and where to.
    #[inline]
    fn history_index(&self, mv: CheckersMove) -> u16 {
        (mv.from() | mv.to() << 5) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::super::movegen::tests::random_playouts;
    use super::*;
    use crate::board::Square;
    use crate::games::checkers::Piece;

    fn inputs(position: &Checkers) -> Vec<usize> {
        let mut inputs = Vec::new();
        position.each_input(|input| inputs.push(input));
        inputs
    }

    #[test]
    fn each_piece_is_one_input_and_the_colours_make_no_difference() {
        random_playouts(100, |position| {
            let there = inputs(position);
            let [black, white] = position.pieces;
            assert_eq!(there.len() as u32, (black | white).count_ones());
            assert!(there.iter().all(|&input| input < INPUTS));
            let other_way_round = Checkers {
                pieces: [turned(white), turned(black)],
                kings: turned(position.kings),
                side_to_move: position.side_to_move.opponent(),
            };
            assert_eq!(there, inputs(&other_way_round), "{position:?}");
        });
    }

    #[test]
    fn a_man_more_is_worth_about_a_hundred_on_average() {
        let (mut sum, mut count) = (0, 0);
        random_playouts(300, |position| {
            let [own, other] = position.pieces;
            let even = own.count_ones() == other.count_ones() && own.count_ones() > 6;
            if position.side_to_move == Side::Black && position.kings == 0 && even {
                let mut without = *position;
                without.pieces[1] &= other - 1;
                sum += Learned.evaluate(&without) - Learned.evaluate(position);
                count += 1;
            }
        });
        let man = sum / count;
        assert!(count > 500 && (70..160).contains(&man), "{man} of {count}");
    }

    #[test]
    fn men_kings_and_sides_are_told_apart() {
        let at = |side, king, side_to_move| {
            let [square, elsewhere] = [Square::new(2, 2), Square::new(6, 4)];
            let piece = |side, king| Piece { side, king };
            let pieces = [
                (square, piece(side, king)),
                (elsewhere, piece(side.opponent(), true)),
            ];
            inputs(&Checkers::from_pieces(pieces, side_to_move).unwrap())
        };
        let all = Side::BOTH.map(|side| [true, false].map(|king| at(side, king, Side::Black)));
        let [[king, man], [their_king, their_man]] = &all;
        assert!(king != man && their_king != their_man && king != their_king);
    }

    #[test]
    fn every_number_of_pieces_has_a_bucket() {
        let bucket = |pieces: u32| {
            Checkers {
                pieces: [(1 << (pieces / 2)) - 1, !0 << (32 - pieces.div_ceil(2))],
                kings: 0,
                side_to_move: Side::Black,
            }
            .bucket()
        };
        let buckets: Vec<usize> = (2..=24).map(bucket).collect();
        let expected: Vec<usize> = (2..=24)
            .map(|pieces: usize| pieces.div_ceil(6) - 1)
            .collect();
        assert_eq!(buckets, expected);
    }
}
