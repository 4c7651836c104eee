//! What a checkers position is worth: men and kings by their squares, and how freely they can act.
//!
//! Every term is counted for both sides alike, each looking up the board from its own first row, so a
//! position is worth to one side exactly what the turned board is worth to the other. The weights
//! and their source are in `weights`.

use super::layout::Direction::{self, DownLeft, DownRight, UpLeft, UpRight};
use super::layout::{bit_of, turned, ALL};
use super::moves::CheckersMove;
use super::position::Checkers;
use super::weights::{Weight, Weights, WEIGHTS};
use crate::board::{Side, Square};
use crate::evaluate::Evaluate;

/// Evaluates by material, piece-square tables, mobility, free men and, in endings, the move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Positional;

impl Evaluate<Checkers> for Positional {
    #[inline]
    fn evaluate(&self, position: &Checkers) -> i32 {
        let weights = &WEIGHTS;
        let [black, white] = position.pieces;
        let occupied = black | white;
        let pieces = occupied.count_ones() as i32;
        let ahead = 2 * black.count_ones() as i32 - pieces;
        let mover = match position.side_to_move {
            Side::Black => 1,
            Side::White => -1,
        };
        let mut sum = worth::<true>(weights, black, white, position.kings)
            - worth::<false>(weights, white, black, position.kings);
        sum += weights.to_move.times(mover);
        if has_the_move(position) {
            sum += weights.the_move.times(mover);
        }
        let mut balance = Weight::taper(sum, pieces);
        // Divided by the pieces left, for each exchange of equals makes an advantage weigh more.
        balance += weights.exchange * ahead / pieces.max(1);
        if ahead != 0 && pieces <= weights.chase_pieces {
            let (strong, weak) = if ahead > 0 {
                (black, white)
            } else {
                (white, black)
            };
            balance +=
                ahead.signum() * chase(weights, strong & position.kings, weak & position.kings);
        }
        mover * balance
    }

    #[inline]
    fn threatened(&self, position: &Checkers) -> bool {
        position.is_threatened()
    }

    /// From and to, five bits each.
    #[inline]
    fn history_index(&self, mv: CheckersMove) -> u16 {
        (mv.from() | mv.to() << 5) as u16
    }
}

/// The weights of all that one side has. `UP` says that its men move towards row 8.
#[inline(always)]
fn worth<const UP: bool>(weights: &Weights, own: u32, other: u32, kings: u32) -> i32 {
    let forward = if UP {
        [UpLeft, UpRight]
    } else {
        [DownLeft, DownRight]
    };
    let backward = if UP {
        [DownLeft, DownRight]
    } else {
        [UpLeft, UpRight]
    };
    let empty = !(own | other);
    let (men, kings) = (own & !kings, own & kings);
    let mut sum = weights.man.sum::<UP>(men)
        + weights.man_step.times(steps(men, empty, forward))
        + weights.supported.times(supported(men, own, backward));
    let bridge = if UP { BRIDGE } else { turned(BRIDGE) };
    if men & bridge == bridge {
        sum += weights.bridge.0;
    }
    let free = men & !reach(other, backward);
    if free != 0 {
        sum += weights.free_man.sum::<UP>(free);
    }
    if kings != 0 {
        sum += weights.king.sum::<UP>(kings)
            + weights
                .king_step
                .times(steps(kings, empty, forward) + steps(kings, empty, backward));
    }
    sum
}

/// How many steps `pieces` can make in two directions.
#[inline(always)]
fn steps(pieces: u32, empty: u32, [left, right]: [Direction; 2]) -> i32 {
    let steppers = |to: Direction| u64::from(pieces & to.room() & to.back(empty));
    (steppers(left) | steppers(right) << 32).count_ones() as i32
}

/// How often one of its own side stands behind one of `men`, so that it cannot be jumped that way: twice for a
/// man with two.
#[inline(always)]
fn supported(men: u32, own: u32, backward: [Direction; 2]) -> i32 {
    let behind = |to: Direction| u64::from(men & to.room() & to.back(own));
    (behind(backward[0]) | behind(backward[1]) << 32).count_ones() as i32
}

/// The squares that men on `pieces` could ever reach if nothing were in the way, their own included.
#[inline(always)]
fn reach(pieces: u32, [left, right]: [Direction; 2]) -> u32 {
    let mut reached = pieces;
    for _ in 0..7 {
        reached |= left.step(reached & left.room()) | right.step(reached & right.room());
    }
    reached
}

/// Whether the side to move has the move: with as many pieces on both sides, and an odd number of them in
/// the columns that begin on its own first row, it will come to face the opponent with the opponent to
/// move. (W. Payne, "An Introduction to the Game of Draughts", 1756.)
#[inline(always)]
fn has_the_move(position: &Checkers) -> bool {
    let [black, white] = position.pieces;
    let columns = match position.side_to_move {
        Side::Black => COLUMNS_FROM_ROW_1,
        Side::White => !COLUMNS_FROM_ROW_1,
    };
    let in_columns = ((black | white) & columns).count_ones();
    in_columns % 2 == 1 && black.count_ones() == white.count_ones()
}

/// What it is worth to the stronger side to have come near the weaker side's kings, and to the weaker to
/// have one in a double corner, where a single king cannot be caught.
#[inline(always)]
fn chase(weights: &Weights, strong: u32, weak: u32) -> i32 {
    let mut near = weak;
    for _ in 0..2 {
        near |= ALL
            .iter()
            .fold(0, |squares, &to| squares | to.step(near & to.room()));
    }
    let chasing = (strong & near).count_ones() as i32;
    let safe = (weak & DOUBLE_CORNERS).count_ones() as i32;
    weights.chasing * chasing - weights.double_corner * safe
}

/// C1 and G1, seen from the side whose first row is row 1.
const BRIDGE: u32 = squares(&[(2, 0), (6, 0)]);
/// The two pairs of squares between which a king goes to and fro: G1 and H2, A7 and B8.
const DOUBLE_CORNERS: u32 = squares(&[(6, 0), (7, 1), (0, 6), (1, 7)]);
/// The columns A, C, E and G.
const COLUMNS_FROM_ROW_1: u32 = squares(&[
    (0, 0),
    (0, 2),
    (0, 4),
    (0, 6),
    (2, 0),
    (2, 2),
    (2, 4),
    (2, 6),
    (4, 0),
    (4, 2),
    (4, 4),
    (4, 6),
    (6, 0),
    (6, 2),
    (6, 4),
    (6, 6),
]);

/// The board of squares given by column and row.
const fn squares(of: &[(u8, u8)]) -> u32 {
    let mut board = 0;
    let mut next = 0;
    while next < of.len() {
        let (column, row) = of[next];
        board |= 1 << bit_of(Square::new(column, row));
        next += 1;
    }
    board
}

#[cfg(test)]
mod tests {
    use super::super::movegen::tests::random_playouts;
    use super::*;

    /// The position with the board turned and the colours swapped.
    fn turned_about(position: &Checkers) -> Checkers {
        let [black, white] = position.pieces;
        Checkers {
            pieces: [turned(white), turned(black)],
            kings: turned(position.kings),
            side_to_move: position.side_to_move.opponent(),
        }
    }

    #[test]
    fn a_position_is_worth_the_same_with_the_colours_swapped() {
        random_playouts(200, |position| {
            assert_eq!(
                Positional.evaluate(position),
                Positional.evaluate(&turned_about(position)),
                "{position:?}"
            );
        });
    }
}
