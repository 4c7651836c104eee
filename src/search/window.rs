//! The window of a search, and how a child's score becomes its parent's: the one place that decides whether
//! to negate.

use super::WIN;
use crate::position::Position;
use std::ops::Neg;

/// The scores that matter to a node, strictly between two bounds, as its side to move sees them.
///
/// A score of `alpha` or less does not improve on what that side has elsewhere; at `beta` or more the opponent
/// avoids the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

/// What a score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
    /// It is the true score.
    Exact,
}

impl Window {
    /// Every score is in it.
    pub(super) const FULL: Window = Window {
        alpha: -WIN,
        beta: WIN,
    };

    /// The window that reaches `width` to either side of `score`.
    pub(super) fn around(score: i32, width: i32) -> Window {
        Window {
            alpha: score.saturating_sub(width),
            beta: score.saturating_add(width),
        }
    }

    /// The window at the lower bound, which holds no score: a search only shows whether it is above `alpha`.
    #[inline(always)]
    pub(super) fn null(self) -> Window {
        Window {
            alpha: self.alpha,
            beta: self.alpha + 1,
        }
    }

    /// Whether no score is in it.
    #[inline(always)]
    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    /// Whether `score` is in it, so that it is the true score.
    #[inline(always)]
    pub(super) fn contains(self, score: i32) -> bool {
        self.alpha < score && score < self.beta
    }

    /// What `score`, found with this window, says about the true one.
    #[inline(always)]
    pub(super) fn bound(self, score: i32) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// The part of it that can be reached at `ply`: the best score is a win with the next move, the worst a game
    /// already lost (Chess Programming Wiki, "Mate Distance Pruning"). `Err` holds the score when that part is
    /// empty.
    #[inline(always)]
    pub(super) fn within_mate_distance(self, ply: u32) -> Result<Window, i32> {
        let alpha = self.alpha.max(ply as i32 - WIN);
        let beta = self.beta.min(WIN - ply as i32 - 1);
        if alpha < beta {
            Ok(Window { alpha, beta })
        } else {
            Err(alpha)
        }
    }

    /// Searches a child: `search` is given the window as the child's side to move sees it, and its score is
    /// returned as the parent's side to move sees it.
    ///
    /// Both are negated only when the move gave the turn away: in some games a side moves twice.
    #[inline(always)]
    pub(super) fn search_child<G: Position>(
        self,
        parent: &G,
        child: &G,
        search: impl FnOnce(Window) -> i32,
    ) -> i32 {
        if child.side_to_move() == parent.side_to_move() {
            search(self)
        } else {
            -search(-self)
        }
    }
}

impl Neg for Window {
    type Output = Window;

    /// The same window as the opponent sees it.
    #[inline(always)]
    fn neg(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::everchess::{rules, EverChess};

    const WINDOW: Window = Window {
        alpha: -30,
        beta: 100,
    };

    #[test]
    fn a_null_window_holds_no_score_and_tells_only_which_side_of_alpha_one_lies() {
        let null = WINDOW.null();
        assert!(null.is_null() && !WINDOW.is_null());
        assert_eq!(null.alpha, WINDOW.alpha);
        assert!(!(-WIN..=WIN).any(|score| null.contains(score)));
        assert_eq!(null.bound(-30), Bound::Upper);
        assert_eq!(null.bound(-29), Bound::Lower);
        assert!((-null).is_null());
    }

    #[test]
    fn the_narrowest_window_that_is_not_null_holds_one_score() {
        let window = Window::around(7, 1);
        assert!(!window.is_null());
        let inside: Vec<i32> = (-WIN..=WIN).filter(|&s| window.contains(s)).collect();
        assert_eq!(inside, [7]);
    }

    #[test]
    fn a_negated_window_holds_the_negated_scores() {
        for score in [-WIN, -31, -30, -29, 0, 99, 100, 101, WIN] {
            assert_eq!((-WINDOW).contains(-score), WINDOW.contains(score));
        }
        assert_eq!(-(-WINDOW), WINDOW);
        assert_eq!(-Window::FULL, Window::FULL);
    }

    #[test]
    fn a_score_outside_the_window_is_a_bound() {
        let bounds = [-30, -29, 99, 100].map(|score| WINDOW.bound(score));
        assert_eq!(
            bounds,
            [Bound::Upper, Bound::Exact, Bound::Exact, Bound::Lower]
        );
    }

    /// What a child is searched with, and what becomes of the score 25, after a move of EverChess that gives
    /// the turn away or, capturing, keeps it.
    fn search_after(keeps_turn: bool) -> (Window, i32) {
        let mut parent = EverChess::start(&rules::STANDARD);
        loop {
            let moves = parent.legal_moves();
            let mut children = moves.iter().map(|&mv| parent.play_unchecked(mv));
            let same_side = |child: &EverChess| child.side_to_move() == parent.side_to_move();
            if let Some(child) = children.find(|child| same_side(child) == keeps_turn) {
                let mut given = None;
                let score = WINDOW.search_child(&parent, &child, |window| {
                    given = Some(window);
                    25
                });
                return (given.expect("the child is searched"), score);
            }
            parent = parent.play_unchecked(moves[0]);
        }
    }

    #[test]
    fn window_and_score_are_negated_for_a_child_whose_mover_changed() {
        assert_eq!(search_after(false), (-WINDOW, -25));
    }

    #[test]
    fn window_and_score_stay_as_they_are_for_a_child_whose_mover_did_not_change() {
        assert_eq!(search_after(true), (WINDOW, 25));
    }

    #[test]
    fn mate_distance_narrows_the_window_to_a_win_next_and_a_game_already_lost() {
        let whole = Window::FULL.within_mate_distance(4).unwrap();
        assert_eq!((whole.alpha, whole.beta), (4 - WIN, WIN - 5));
        assert_eq!(WINDOW.within_mate_distance(4), Ok(WINDOW));
        let a_sooner_win_is_known = Window {
            alpha: WIN - 3,
            beta: WIN,
        };
        assert_eq!(a_sooner_win_is_known.within_mate_distance(4), Err(WIN - 3));
        let the_soonest_from_there_is_known = Window {
            alpha: WIN - 5,
            beta: WIN,
        };
        let score = the_soonest_from_there_is_known.within_mate_distance(4);
        assert_eq!(score, Err(WIN - 5));
    }
}
