//! Quiescence search: below the depth, captures are played out before the static evaluation (D. Beal, "A
//! Generalised Quiescence Search Algorithm", Artificial Intelligence 43, 1990).

use super::ordering::{generate_captures, pick};
use super::searcher::{Frame, Searcher};
use super::window::Window;
use super::{score_of, DRAW, MAX_PLY, WIN};
use crate::evaluate::Evaluate;
use crate::position::Position;

impl<G: Position, E: Evaluate<G>> Searcher<'_, G, E> {
    /// The score of `position` within the window once captures are played out.
    ///
    /// Where every move captures, all are searched. Otherwise the side to move may stand pat: its score is
    /// at least the static evaluation.
    pub(super) fn quiesce(&mut self, position: &G, frame: Frame, mut window: Window) -> i32 {
        let ply = frame.ply;
        if self.enter(ply) {
            return 0;
        }
        if let Some(outcome) = position.ended() {
            return score_of(outcome, position, ply);
        }
        let first = self.moves.len();
        let others = generate_captures(position, &mut self.moves);
        let count = self.moves.len() - first;
        if count == 0 && !others {
            return score_of(position.without_moves(self.root.rules), position, ply);
        }
        if ply >= MAX_PLY {
            self.moves.truncate(first);
            return self.evaluate(position);
        }
        if self.drawn_by_length(frame) {
            self.moves.truncate(first);
            return DRAW;
        }
        let mut best = -WIN;
        if others {
            best = self.evaluate(position);
            window.alpha = window.alpha.max(best);
        }
        if window.alpha < window.beta {
            let side = position.side_to_move();
            for number in 0..count {
                let candidate = pick(&mut self.moves[first..], number);
                let child = position.play_unchecked(candidate.mv);
                let next = frame.after(side, &candidate);
                let score = window.search_child(position, &child, |window| {
                    self.quiesce(&child, next, window)
                });
                if self.stopped {
                    break;
                }
                best = best.max(score);
                if score > window.alpha {
                    window.alpha = score;
                    self.extend_line(ply, candidate.mv);
                    if window.alpha >= window.beta {
                        break;
                    }
                }
            }
        }
        self.moves.truncate(first);
        best
    }
}
