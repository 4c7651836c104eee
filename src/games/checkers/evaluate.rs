//! What the network sees of a position: what stands where, and where each side could step.
//!
//! A step is told apart by whether the other side could capture the piece that made it: of pieces alone a small network
//! learns that badly, for it hangs on three or four squares at once. Captures are not among the inputs; where there are
//! any, the search plays them out before it evaluates.

use super::layout::{turned, Direction, DOWNWARDS, UPWARDS};
use super::position::Checkers;
use crate::board::Side;
use crate::network::Inputs;

/// Positions of up to 3, 6, 9 and so on to 24 pieces.
const PIECES_A_BUCKET: u32 = 3;

impl Inputs for Checkers {
    type Words = [u64; 4];

    const BUCKETS: usize = 8;
    const WEIGHTS: &'static str = include_str!("weights.txt");

    /// The men of the side to move by their squares, then its kings; in the second word the other side's. In the third
    /// the squares to which the side to move has a safe step, then those to which it has one that loses the piece; in
    /// the fourth the other side's, as if it were to move.
    #[inline(always)]
    fn inputs(&self) -> [u64; 4] {
        let [black, white] = self.pieces;
        let (own, other, kings) = match self.side_to_move {
            Side::Black => (black, white, self.kings),
            Side::White => (turned(white), turned(black), turned(self.kings)),
        };
        [
            men_and_kings(own, kings),
            men_and_kings(other, kings),
            steps(own, other, kings, [UPWARDS, DOWNWARDS]),
            steps(other, own, kings, [DOWNWARDS, UPWARDS]),
        ]
    }

    #[inline(always)]
    fn bucket(&self) -> usize {
        let pieces = (self.pieces[0] | self.pieces[1]).count_ones();
        ((pieces.max(1) - 1) / PIECES_A_BUCKET) as usize
    }
}

#[inline(always)]
fn men_and_kings(pieces: u32, kings: u32) -> u64 {
    ((pieces & !kings) as u64) | ((pieces & kings) as u64) << 32
}

/// The squares to which `own` has a safe step, then those to which it has one after which `other` could capture the
/// piece. The men of `own` go in the first two directions, its kings in the others too.
#[inline(always)]
fn steps(own: u32, other: u32, kings: u32, [forward, back]: [[Direction; 2]; 2]) -> u64 {
    let empty = !(own | other);
    let (own_kings, other_kings) = (own & kings, other & kings);
    // Where a piece would be jumped over, whichever way it came.
    let jumped = |by: u32, direction: Direction| {
        direction.step(by & direction.room_to_jump()) & direction.back(empty)
    };
    let mut captured = jumped(other, back[0]) | jumped(other, back[1]);
    if other_kings != 0 {
        captured |= jumped(other_kings, forward[0]) | jumped(other_kings, forward[1]);
    }
    let (mut safe, mut lost) = (0, 0);
    // A piece that `ahead` of it would jump over it to the square that it has just left.
    let mut step = |by: u32, ahead: u32, direction: Direction| {
        let to = direction.step(by & direction.room()) & empty;
        let left = direction.back(ahead) & direction.room();
        safe |= to & !(captured | left);
        lost |= to & (captured | left);
    };
    step(own, other, forward[0]);
    step(own, other, forward[1]);
    if own_kings != 0 {
        step(own_kings, other_kings, back[0]);
        step(own_kings, other_kings, back[1]);
    }
    (safe as u64) | (lost as u64) << 32
}

#[cfg(test)]
mod tests {
    use super::super::layout::bit_of;
    use super::super::movegen::tests::random_playouts;
    use super::*;
    use crate::board::Square;
    use crate::evaluate::Evaluate;
    use crate::games::checkers::Piece;
    use crate::network::Network;
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
    fn men_kings_and_sides_are_distinguished() {
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

    /// The squares to which `side` has a step after which nothing captures the piece, then those to which it has another,
    /// found piece by piece; as `side` sees the board.
    fn steps_by_squares(position: &Checkers, side: Side) -> u64 {
        let may_go =
            |piece: Piece, rows: i8| piece.king || (rows > 0) == (piece.side == Side::Black);
        let is_empty = |square| position.piece_at(square).is_none();
        let (mut safe, mut lost) = (0, 0);
        for from in position.pieces(side).squares() {
            let piece = position.piece_at(from).unwrap();
            for (columns, rows) in [(-1, 1), (1, 1), (-1, -1), (1, -1)] {
                let to = from.offset(columns, rows);
                let Some(to) = to.filter(|&to| may_go(piece, rows) && is_empty(to)) else {
                    continue;
                };
                let captured = [(-1, 1), (1, 1), (-1, -1), (1, -1)].iter().any(|&(x, y)| {
                    let beside = to
                        .offset(-x, -y)
                        .and_then(|square| position.piece_at(square));
                    let beyond = to.offset(x, y);
                    beside.is_some_and(|other| other.side != side && may_go(other, y))
                        && beyond.is_some_and(|square| square == from || is_empty(square))
                });
                *(if captured { &mut lost } else { &mut safe }) |= 1 << bit_of(to);
            }
        }
        let seen = |board: u32| {
            if side == Side::Black {
                board
            } else {
                turned(board)
            }
        };
        u64::from(seen(safe)) | u64::from(seen(lost)) << 32
    }

    #[test]
    fn steps_are_distinguished_by_whether_the_piece_could_be_captured() {
        let mut kinds = [0; 4];
        random_playouts(100, |position| {
            let mover = position.side_to_move;
            let there = position.inputs();
            assert_eq!(there[2], steps_by_squares(position, mover), "{position:?}");
            // The other side's, as the side to move sees the board.
            let theirs = steps_by_squares(position, mover.opponent());
            let [safe, lost] = [theirs as u32, (theirs >> 32) as u32].map(turned);
            let theirs = u64::from(safe) | u64::from(lost) << 32;
            assert_eq!(there[3], theirs, "{position:?}");
            let boards = [there[2], there[3]].map(|word| [word as u32, (word >> 32) as u32]);
            for (kind, board) in kinds.iter_mut().zip(boards.concat()) {
                *kind += board.count_ones();
            }
        });
        assert!(kinds.iter().all(|&count| count > 1000), "{kinds:?}");
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

    #[test]
    fn a_position_is_threatened_where_the_side_that_is_not_to_move_could_capture() {
        let mut both = [0, 0];
        random_playouts(100, |position| {
            let passed = Checkers {
                side_to_move: position.side_to_move.opponent(),
                ..*position
            };
            let captures = passed.legal_moves().iter().any(|mv| mv.is_jump());
            assert_eq!(position.is_threatened(), captures, "{position:?}");
            both[usize::from(captures)] += 1;
        });
        assert!(both[0] > 100 && both[1] > 100, "{both:?}");
    }

    #[test]
    fn earlier_lookups_make_no_difference() {
        let network = Network::default();
        let mut accumulator = network.accumulator();
        random_playouts(100, |position| {
            let near = network.evaluate_near(position, &mut accumulator);
            assert_eq!(near, network.evaluate(position), "{position:?}");
        });
    }

    #[test]
    fn a_man_more_is_worth_about_a_hundred_on_average() {
        let network = Network::default();
        let (mut sum, mut count) = (0, 0);
        random_playouts(300, |position| {
            let [own, other] = position.pieces;
            let even = own.count_ones() == other.count_ones() && own.count_ones() > 6;
            if position.side_to_move == Side::Black && position.kings == 0 && even {
                let mut without = *position;
                without.pieces[1] &= other - 1;
                sum += network.evaluate(&without) - network.evaluate(position);
                count += 1;
            }
        });
        let man = sum / count;
        assert!(count > 500 && (70..160).contains(&man), "{man} of {count}");
    }
}
