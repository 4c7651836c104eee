//! The evaluation of checkers: a network trained on games.

use super::moves::CheckersMove;
use super::position::Checkers;
use super::weights::{NETWORK, ROWS};
use crate::evaluate::Evaluate;
use crate::network::Accumulator;

/// Evaluates positions by a network trained on games of self-play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned;

impl Evaluate<Checkers> for Learned {
    type Accumulator = Accumulator<4, ROWS>;

    fn accumulator(&self) -> Accumulator<4, ROWS> {
        NETWORK.accumulator()
    }

    fn evaluate(&self, position: &Checkers) -> i32 {
        NETWORK.evaluate(position)
    }

    #[inline]
    fn evaluate_near(&self, position: &Checkers, last: &mut Accumulator<4, ROWS>) -> i32 {
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
    use crate::board::Side;
    use crate::position::Position;

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
}
