//! The evaluation of checkers: a network trained on games.

use super::layout::turned;
use super::moves::CheckersMove;
use super::position::Checkers;
use super::weights::{NETWORK, ROWS};
use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::network::{Accumulator, Inputs};

/// Positions of up to 3, 6, 9 and so on to 24 pieces.
const PIECES_A_BUCKET: u32 = 3;

impl Inputs<2> for Checkers {
    const BUCKETS: usize = 8;

    /// The men of the side to move by their squares, then its kings; in the second word the other side's.
    #[inline(always)]
    fn inputs(&self) -> [u64; 2] {
        let [black, white] = self.pieces;
        let (own, other, kings) = match self.side_to_move {
            Side::Black => (black, white, self.kings),
            Side::White => (turned(white), turned(black), turned(self.kings)),
        };
        let (own_kings, other_kings) = (own & kings, other & kings);
        [
            (own ^ own_kings) as u64 | (own_kings as u64) << 32,
            (other ^ other_kings) as u64 | (other_kings as u64) << 32,
        ]
    }

    #[inline(always)]
    fn bucket(&self) -> usize {
        let pieces = (self.pieces[0] | self.pieces[1]).count_ones();
        ((pieces.max(1) - 1) / PIECES_A_BUCKET) as usize
    }
}

/// Evaluates positions by a network trained on games of self-play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned;

impl Evaluate<Checkers> for Learned {
    type Accumulator = Accumulator<2, ROWS>;

    fn accumulator(&self) -> Accumulator<2, ROWS> {
        NETWORK.accumulator()
    }

    fn evaluate(&self, position: &Checkers) -> i32 {
        NETWORK.evaluate(position)
    }

    #[inline]
    fn evaluate_near(&self, position: &Checkers, last: &mut Accumulator<2, ROWS>) -> i32 {
        NETWORK.evaluate_near(position, last)
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
    use crate::position::Position;

    #[test]
    fn each_piece_is_one_input_and_the_colours_make_no_difference() {
        random_playouts(100, |position| {
            let there = position.inputs();
            let [black, white] = position.pieces;
            let own = position.pieces[position.side_to_move.index()];
            assert_eq!(there[0].count_ones(), own.count_ones());
            assert_eq!(
                there[1].count_ones(),
                (black | white).count_ones() - own.count_ones()
            );
            let other_way_round = Checkers {
                pieces: [turned(white), turned(black)],
                kings: turned(position.kings),
                side_to_move: position.side_to_move.opponent(),
            };
            assert_eq!(there, other_way_round.inputs(), "{position:?}");
        });
    }

    #[test]
    fn a_position_is_threatened_where_the_side_that_is_not_to_move_could_capture() {
        let mut both = [0, 0];
        random_playouts(100, |position| {
            let passed = Checkers {
                side_to_move: position.side_to_move.opponent(),
                ..*position
            };
            let captures = passed.legal_moves().iter().any(|mv| mv.is_jump());
            assert_eq!(Learned.threatened(position), captures, "{position:?}");
            both[usize::from(captures)] += 1;
        });
        assert!(both[0] > 100 && both[1] > 100, "{both:?}");
    }

    #[test]
    fn what_was_looked_at_before_makes_no_difference() {
        let mut accumulator = Learned.accumulator();
        random_playouts(100, |position| {
            let near = Learned.evaluate_near(position, &mut accumulator);
            assert_eq!(near, Learned.evaluate(position), "{position:?}");
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
            Checkers::from_pieces(pieces, side_to_move)
                .unwrap()
                .inputs()
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
            .map(|pieces: usize| pieces.div_ceil(3) - 1)
            .collect();
        assert_eq!(buckets, expected);
    }
}
