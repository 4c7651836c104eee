//! Legal moves: steps, and complete jumps by every path.
//!
//! Whole sets of pieces are tried at once: a rotation of the empty squares meets the pieces that can step
//! there. Only what can move is then looked at one by one. Everything is compiled once for each side, so
//! that directions are constants.

use super::layout::{Direction, ALL, DOWNWARDS, UPWARDS};
use super::moves::CheckersMove;
use super::position::Checkers;
use crate::board::{bits, Side};

/// The pieces of a position as its side to move sees them. `UP` says that its men move towards row 8.
#[derive(Clone, Copy)]
struct View<const UP: bool> {
    own: u32,
    /// Those of `own` that are kings.
    kings: u32,
    other: u32,
    empty: u32,
}

/// Runs `$body` with `$view` as the view of the side to move.
macro_rules! with_view {
    ($position:expr, |$view:ident| $body:expr) => {
        match $position.side_to_move {
            Side::Black => {
                let $view = View::<true>::of($position);
                $body
            }
            Side::White => {
                let $view = View::<false>::of($position);
                $body
            }
        }
    };
}

impl Checkers {
    /// Whether the side to move can, and therefore must, capture.
    #[inline]
    pub fn must_capture(&self) -> bool {
        with_view!(self, |view| view.jumpers() != 0)
    }

    #[inline(always)]
    pub(super) fn generate(&self, mut visit: impl FnMut(CheckersMove)) {
        with_view!(self, |view| view.generate(&mut visit));
    }

    #[inline(always)]
    pub(super) fn generate_captures(&self, mut visit: impl FnMut(CheckersMove)) -> bool {
        with_view!(self, |view| view.generate_captures(&mut visit))
    }
}

impl<const UP: bool> View<UP> {
    /// Where men go.
    const FORWARD: [Direction; 2] = if UP { UPWARDS } else { DOWNWARDS };
    /// Where only kings go.
    const BACKWARD: [Direction; 2] = if UP { DOWNWARDS } else { UPWARDS };

    #[inline(always)]
    fn of(position: &Checkers) -> View<UP> {
        let [black, white] = position.pieces;
        let (own, other) = if UP { (black, white) } else { (white, black) };
        View {
            own,
            kings: own & position.kings,
            other,
            empty: !(black | white),
        }
    }

    #[inline(always)]
    fn generate(self, visit: &mut impl FnMut(CheckersMove)) {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            self.each_jump(jumpers, visit);
            return;
        }
        let forward = self.steppers(self.own, Self::FORWARD);
        Self::each_step(forward, Self::FORWARD, visit);
        if self.kings != 0 {
            let backward = self.steppers(self.kings, Self::BACKWARD);
            Self::each_step(backward, Self::BACKWARD, visit);
        }
    }

    /// Visits every jump; where there is none, whether a piece can step.
    #[inline(always)]
    fn generate_captures(self, visit: &mut impl FnMut(CheckersMove)) -> bool {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            self.each_jump(jumpers, visit);
            return false;
        }
        self.steppers(self.own, Self::FORWARD) | self.steppers(self.kings, Self::BACKWARD) != 0
    }

    /// Those of `pieces` that can step left, in the lower half, and right, in the upper half.
    #[inline(always)]
    fn steppers(self, pieces: u32, [left, right]: [Direction; 2]) -> u64 {
        let steppers = |to: Direction| pieces & to.room() & to.back(self.empty);
        pair(steppers(left), steppers(right))
    }

    /// One loop for both directions: the exit of a loop mispredicts.
    #[inline(always)]
    fn each_step(
        mut steppers: u64,
        [left, right]: [Direction; 2],
        visit: &mut impl FnMut(CheckersMove),
    ) {
        while steppers != 0 {
            let lowest = steppers & steppers.wrapping_neg();
            steppers ^= lowest;
            let (to_left, to_right) = (lowest as u32, (lowest >> 32) as u32);
            visit(CheckersMove::step(
                to_left | to_right,
                left.step(to_left) | right.step(to_right),
            ));
        }
    }

    /// The squares, occupied or not, from which a piece could jump in `direction`.
    #[inline(always)]
    fn jump_starts(self, direction: Direction) -> u32 {
        let before_landing = direction.back(self.empty);
        direction.room_to_jump() & direction.back(self.other & before_landing)
    }

    /// Those of `pieces` that can jump in `direction`.
    #[inline(always)]
    fn jumpers_to(self, pieces: u32, direction: Direction) -> u32 {
        pieces & self.jump_starts(direction)
    }

    /// The pieces that can jump at all.
    #[inline(always)]
    fn jumpers(self) -> u32 {
        let [left, right] = Self::FORWARD;
        let mut jumpers = self.jumpers_to(self.own, left) | self.jumpers_to(self.own, right);
        if self.kings != 0 {
            let [left, right] = Self::BACKWARD;
            jumpers |= self.jumpers_to(self.kings, left) | self.jumpers_to(self.kings, right);
        }
        jumpers
    }

    #[inline(always)]
    fn each_jump(self, jumpers: u32, visit: &mut impl FnMut(CheckersMove)) {
        let (jumps, goes_on) = self.forward_jumps();
        if goes_on || jumpers & self.kings != 0 {
            self.each_long_jump(jumpers, visit);
        } else {
            Self::each_short_jump(jumps, visit);
        }
    }

    /// The pieces that can jump forward, to the left in the lower half and to the right in the upper half,
    /// and whether any of these jumps goes on forward. Most do not.
    #[inline(always)]
    fn forward_jumps(self) -> (u64, bool) {
        let [left, right] = Self::FORWARD;
        let to_left = self.jumpers_to(self.own, left);
        let to_right = self.jumpers_to(self.own, right);
        let landings = landings(to_left, left) | landings(to_right, right);
        let goes_on = self.jumpers_to(landings, left) | self.jumpers_to(landings, right);
        (pair(to_left, to_right), goes_on != 0)
    }

    #[inline(always)]
    fn each_short_jump(mut jumps: u64, visit: &mut impl FnMut(CheckersMove)) {
        let [left, right] = Self::FORWARD;
        while jumps != 0 {
            let lowest = jumps & jumps.wrapping_neg();
            jumps ^= lowest;
            let (to_left, to_right) = (lowest as u32, (lowest >> 32) as u32);
            let direction = if to_left != 0 { left } else { right };
            let (over_left, over_right) = (left.step(to_left), right.step(to_right));
            visit(CheckersMove::short_jump(
                to_left | to_right,
                over_left | over_right,
                left.step(over_left) | right.step(over_right),
                direction,
            ));
        }
    }

    fn each_long_jump(self, jumpers: u32, visit: &mut impl FnMut(CheckersMove)) {
        for from in bits(jumpers.into()) {
            let start = 1 << from;
            let beginning = CheckersMove::jump_from(from);
            if self.kings & start != 0 {
                self.lifted(start).extend(beginning, start, &ALL, visit);
            } else {
                self.extend(beginning, start, &Self::FORWARD, visit);
            }
        }
    }

    /// The view while the piece on `start` is jumping: it has left its square, and may pass it or land on
    /// it. (A man never comes back.)
    #[inline(always)]
    fn lifted(self, start: u32) -> View<UP> {
        View {
            empty: self.empty | start,
            ..self
        }
    }

    /// The piece jumped over, and the square landed on, going on from `at`; `None` when it cannot.
    #[inline(always)]
    fn jump(self, at: u32, direction: Direction) -> Option<(u32, u32)> {
        let over = direction.step(at & direction.room_to_jump()) & self.other;
        let landing = direction.step(over) & self.empty;
        (landing != 0).then_some((over, landing))
    }

    /// A piece is jumped once; it stays in the way of landings, which never meet it.
    #[inline(always)]
    fn without(self, over: u32) -> View<UP> {
        View {
            other: self.other & !over,
            ..self
        }
    }

    /// Visits every completion of `jump`, which has arrived at `at`.
    ///
    /// A man never leaves the row where it is crowned: there is no room forward, and its directions stay
    /// those of a man until the move is over.
    fn extend<const N: usize>(
        self,
        jump: CheckersMove,
        at: u32,
        directions: &[Direction; N],
        visit: &mut impl FnMut(CheckersMove),
    ) {
        let mut complete = true;
        for &direction in directions {
            if let Some((over, landing)) = self.jump(at, direction) {
                complete = false;
                let longer = jump.and_over(over, direction);
                self.without(over)
                    .extend(longer, landing, directions, visit);
            }
        }
        if complete {
            visit(jump);
        }
    }
}

/// What goes left in the lower half, what goes right in the upper half.
#[inline(always)]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

/// Where jumps in `direction` from the squares of `starts` land.
#[inline(always)]
fn landings(starts: u32, direction: Direction) -> u32 {
    direction.step(direction.step(starts))
}

#[cfg(test)]
pub(super) mod tests {
    use crate::games::checkers::{rules, Checkers};
    use crate::position::Position;

    /// Visits the positions of games in which every move is chosen at random.
    pub(in super::super) fn random_playouts(games: u64, mut visit: impl FnMut(&Checkers)) {
        // The generator of Knuth's MMIX.
        let mut rng = 1u64;
        for _ in 0..games {
            let mut position = Checkers::start(&rules::CONTEST);
            for _ in 0..200 {
                visit(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                rng = rng
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                position = position.play_unchecked(moves[(rng >> 33) as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn short_jumps_are_spelt_like_long_ones() {
        random_playouts(300, |position| {
            for mv in position.legal_moves() {
                let squares: Vec<_> = mv.squares().collect();
                assert_eq!(mv.captured_squares().count() as u32, mv.jumps());
                assert_eq!(mv.captured().count(), mv.captured.count_ones());
                let ends = [squares[0], squares[squares.len() - 1]];
                assert_eq!(ends.map(super::super::layout::bit_of), [mv.from(), mv.to()]);
                assert_eq!(mv.flipped, 1 << mv.from() ^ 1 << mv.to());
            }
        });
    }
}
