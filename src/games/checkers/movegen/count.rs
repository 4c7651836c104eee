//! Counting moves without visiting them: those of a position, and the replies to all of its moves.

use super::super::layout::{Direction, ALL};
use super::{landings, pair, View};
use crate::board::{bits, Side};
use crate::games::checkers::Checkers;
use crate::position::Position;

impl Checkers {
    #[inline]
    pub(in super::super) fn replies(&self) -> u64 {
        match self.side_to_move {
            Side::Black => View::<true>::of(self).count_all_replies::<false>(self),
            Side::White => View::<false>::of(self).count_all_replies::<true>(self),
        }
    }
}

impl<const UP: bool> View<UP> {
    /// The branch on captures mispredicts; without kings, computing both cases is faster.
    #[inline(always)]
    pub(super) fn count(self) -> u64 {
        if self.kings != 0 {
            return self.count_with_kings();
        }
        let [to_left, to_right] = Self::FORWARD.map(|direction| self.jump_starts(direction));
        let jumps = pair(self.own & to_left, self.own & to_right);
        // There are more paths than first jumps only where a jump lands before two more. One branch on both
        // conditions predicts well, two branches do not.
        let branching = self.empty & to_left & to_right;
        if (jumps != 0) & (branching != 0) {
            return self.count_jumps_of_men(self.own);
        }
        let steps = self.steppers(self.own, Self::FORWARD);
        let moves = if jumps == 0 { steps } else { jumps };
        u64::from(moves.count_ones())
    }

    fn count_with_kings(self) -> u64 {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            return self.count_jumps_of_men(jumpers & !self.kings)
                + self.count_jumps_of_kings(jumpers & self.kings);
        }
        let forward = self.steppers(self.own, Self::FORWARD).count_ones();
        let backward = self.steppers(self.kings, Self::BACKWARD).count_ones();
        u64::from(forward + backward)
    }

    /// The number of moves after each of these, `OTHER_UP` being the way of the other side's men.
    ///
    /// Most steps change so little for the other side that their replies are counted all at once; the rest
    /// are made one by one.
    #[inline(always)]
    fn count_all_replies<const OTHER_UP: bool>(self, position: &Checkers) -> u64 {
        let replies = |mv| View::<OTHER_UP>::of(&position.play_unchecked(mv)).count();
        let mut count = 0;
        let jumpers = self.jumpers();
        if jumpers != 0 {
            self.each_jump(jumpers, &mut |mv| count += replies(mv));
            return count;
        }
        let mut steppers = self.steppers(self.own, Self::FORWARD);
        let other = View::<OTHER_UP>::of(position);
        if (other.kings == 0) & (other.jumpers() == 0) {
            let quiet = steppers & !self.tactical();
            count += self.count_quiet_replies(quiet, other);
            steppers ^= quiet;
        }
        Self::each_step(steppers, Self::FORWARD, &mut |mv| count += replies(mv));
        if self.kings != 0 {
            let backward = self.steppers(self.kings, Self::BACKWARD);
            Self::each_step(backward, Self::BACKWARD, &mut |mv| count += replies(mv));
        }
        count
    }

    /// The squares from which a step forward lets men of the other side capture that could not before: to
    /// the left in the lower half, to the right in the upper half.
    ///
    /// There are three ways, drawn for a step to the left by `m`, which arrives at `+`; the man `o` captures
    /// and lands where `m` was, or on the empty square `_`:
    ///
    /// ```text
    /// meets         exposed       uncovers
    /// o . . .       . . o .       . . . . o
    /// . + . .       . + . .       . + . x .
    /// . . m .       _ . m .       . . m . .
    /// ```
    #[inline(always)]
    fn tactical(self) -> u64 {
        let [left, right] = Self::FORWARD;
        let tactical = |along: Direction, across: Direction| {
            let meets = along.back(self.facing(along));
            let room_behind = across.step(across.room() & self.empty);
            let exposed = along.back(self.facing(across) & room_behind);
            let uncovers = across.room() & across.back(self.own & self.facing(across));
            meets | exposed | uncovers
        };
        pair(tactical(left, right), tactical(right, left))
    }

    /// The number of replies to the steps forward of `quiet`, which allow `other` no capture.
    ///
    /// To each there are the same replies as if it had not been made, but that the man across from where it
    /// arrives no longer steps there, and the man across from where it was now does.
    #[inline(always)]
    fn count_quiet_replies<const OTHER_UP: bool>(self, quiet: u64, other: View<OTHER_UP>) -> u64 {
        let [left, right] = Self::FORWARD;
        let (to_left, to_right) = (self.facing(left), self.facing(right));
        let blocked = quiet & pair(left.back(to_right), right.back(to_left));
        let opened = quiet & pair(to_right, to_left);
        let steps = other.steppers(other.own, View::<OTHER_UP>::FORWARD);
        let replies =
            quiet.count_ones() * steps.count_ones() + opened.count_ones() - blocked.count_ones();
        u64::from(replies)
    }

    /// The squares, occupied or not, that face a piece of the other side in `direction`.
    #[inline(always)]
    fn facing(self, direction: Direction) -> u32 {
        direction.room() & direction.back(self.other)
    }

    /// The number of complete jumps of `men`, by every path: one for each first jump, and one more for each
    /// branch.
    fn count_jumps_of_men(self, men: u32) -> u64 {
        let [left, right] = Self::FORWARD;
        let (to_left, to_right) = (self.jumpers_to(men, left), self.jumpers_to(men, right));
        let jumps = pair(to_left, to_right).count_ones()
            + self.branches(landings(to_left, left))
            + self.branches(landings(to_right, right));
        u64::from(jumps)
    }

    /// How often the jumps of men that have arrived at `squares` branch in two as they go on.
    ///
    /// Men only go forward: the pieces they have taken lie behind them, so they can be followed as a set.
    fn branches(self, squares: u32) -> u32 {
        let [left, right] = Self::FORWARD;
        let onward_left = self.jumpers_to(squares, left);
        let onward_right = self.jumpers_to(squares, right);
        if onward_left | onward_right == 0 {
            return 0;
        }
        (onward_left & onward_right).count_ones()
            + self.branches(landings(onward_left, left))
            + self.branches(landings(onward_right, right))
    }

    /// The number of complete jumps of `kings`, by every path.
    fn count_jumps_of_kings(self, kings: u32) -> u64 {
        let starts = bits(kings.into()).map(|from| 1 << from);
        starts
            .map(|start| self.lifted(start).count_paths(start))
            .sum()
    }

    /// The number of ways a king's jump goes on from `at`; 1 when it is complete there.
    fn count_paths(self, at: u32) -> u64 {
        let onward = ALL.iter().filter_map(|&to| self.jump(at, to));
        let paths = onward.map(|(over, landing)| self.without(over).count_paths(landing));
        paths.sum::<u64>().max(1)
    }
}
