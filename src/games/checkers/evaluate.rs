//! What a checkers position is worth: material, and how far the men have come.

use super::layout::{bits, square_of};
use super::moves::CheckersMove;
use super::position::Checkers;
use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::position::Position;

/// Counts men and kings, and likes men that advance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

const MAN: i32 = 100;
const KING: i32 = 140;
/// For each row a man has moved towards the row where it is crowned.
const ADVANCE: i32 = 2;

impl Evaluate<Checkers> for Material {
    fn evaluate(&self, position: &Checkers) -> i32 {
        let balance = worth(position, Side::Black) - worth(position, Side::White);
        match position.side_to_move() {
            Side::Black => balance,
            Side::White => -balance,
        }
    }

    fn threatened(&self, position: &Checkers) -> bool {
        position.is_threatened()
    }

    /// Where from and where to.
    fn history_index(&self, mv: CheckersMove) -> u16 {
        (mv.from() | mv.to() << 5) as u16
    }
}

fn worth(position: &Checkers, side: Side) -> i32 {
    let pieces = position.pieces[side.index()];
    let kings = (pieces & position.kings).count_ones() as i32;
    let advance: i32 = bits(pieces & !position.kings)
        .map(|bit| match side {
            Side::Black => i32::from(square_of(bit).row()),
            Side::White => 7 - i32::from(square_of(bit).row()),
        })
        .sum();
    let men = pieces.count_ones() as i32 - kings;
    KING * kings + MAN * men + ADVANCE * advance
}
