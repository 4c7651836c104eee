//! Legal moves: steps, and complete jumps by every path.
//!
//! Whole sets of pieces are tried at once: a rotation of the empty squares meets the pieces that can step
//! there. Only what can move is then looked at one by one.

use super::layout::{bits, Direction, ALL, DOWN, UP};
use super::moves::CheckersMove;
use super::position::Checkers;
use crate::board::Side;

/// The pieces of a position as its side to move sees them.
struct View {
    men: u32,
    kings: u32,
    other: u32,
    empty: u32,
    /// Where men go.
    forward: &'static [Direction; 2],
    /// Where only kings go.
    backward: &'static [Direction; 2],
}

impl View {
    /// Those of `pieces` that can step in `direction`.
    #[inline(always)]
    fn steppers(&self, pieces: u32, direction: Direction) -> u32 {
        pieces & direction.room() & direction.back(self.empty)
    }

    /// Those of `pieces` that can jump in `direction`.
    #[inline(always)]
    fn jumpers(&self, pieces: u32, direction: Direction) -> u32 {
        let landing = direction.back(self.empty);
        pieces & direction.room_to_jump() & direction.back(self.other & landing)
    }

    /// The pieces that can jump at all.
    #[inline(always)]
    fn all_jumpers(&self) -> u32 {
        let [left, right] = *self.forward;
        let own = self.men | self.kings;
        let mut jumpers = self.jumpers(own, left) | self.jumpers(own, right);
        if self.kings != 0 {
            let [left, right] = *self.backward;
            jumpers |= self.jumpers(self.kings, left) | self.jumpers(self.kings, right);
        }
        jumpers
    }
}

impl Checkers {
    #[inline(always)]
    fn view(&self) -> View {
        let [black, white] = self.pieces;
        let (own, other, forward, backward) = match self.side_to_move {
            Side::Black => (black, white, &UP, &DOWN),
            Side::White => (white, black, &DOWN, &UP),
        };
        View {
            men: own & !self.kings,
            kings: own & self.kings,
            other,
            empty: !(black | white),
            forward,
            backward,
        }
    }

    /// Whether the side to move can, and therefore must, capture.
    #[inline]
    pub fn must_capture(&self) -> bool {
        self.view().all_jumpers() != 0
    }

    #[inline(always)]
    pub(super) fn generate(&self, mut visit: impl FnMut(CheckersMove)) {
        let view = self.view();
        let jumpers = view.all_jumpers();
        if jumpers != 0 {
            each_jump(&view, jumpers, &mut visit);
            return;
        }
        for &direction in view.forward {
            for from in bits(view.steppers(view.men | view.kings, direction)) {
                visit(CheckersMove::step(from, direction));
            }
        }
        for &direction in view.backward {
            for from in bits(view.steppers(view.kings, direction)) {
                visit(CheckersMove::step(from, direction));
            }
        }
    }

    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        let view = self.view();
        let jumpers = view.all_jumpers();
        let mut count = 0;
        if jumpers != 0 {
            each_jump(&view, jumpers, &mut |_| count += 1);
            return count;
        }
        for &direction in view.forward {
            count += u64::from(view.steppers(view.men | view.kings, direction).count_ones());
        }
        for &direction in view.backward {
            count += u64::from(view.steppers(view.kings, direction).count_ones());
        }
        count
    }
}

fn each_jump(view: &View, jumpers: u32, visit: &mut impl FnMut(CheckersMove)) {
    for from in bits(jumpers) {
        let start = 1 << from;
        // The jumping piece has left its square, and may pass it or land on it.
        let empty = view.empty | start;
        let directions: &[Direction] = if view.kings & start != 0 {
            &ALL
        } else {
            view.forward
        };
        let beginning = CheckersMove::jump_from(from);
        extend(beginning, start, directions, view.other, empty, visit);
    }
}

/// Visits every completion of `jump`, which has arrived at `at`.
///
/// A man never leaves the row where it is crowned: there is no room forward, and its directions stay those
/// of a man until the move is over.
fn extend(
    jump: CheckersMove,
    at: u32,
    directions: &[Direction],
    other: u32,
    empty: u32,
    visit: &mut impl FnMut(CheckersMove),
) {
    let mut complete = true;
    for &direction in directions {
        let over = direction.step(at & direction.room_to_jump()) & other;
        let landing = direction.step(over) & empty;
        if landing != 0 {
            complete = false;
            let longer = jump.and_over(over, direction);
            // A piece is jumped once; it stays in the way of landings, which never meet it.
            extend(longer, landing, directions, other & !over, empty, visit);
        }
    }
    if complete {
        visit(jump);
    }
}
