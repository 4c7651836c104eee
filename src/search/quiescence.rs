//! Below the depth: captures are played out before a position is judged (D. Beal, "A Generalised Quiescence
//! Search Algorithm", Artificial Intelligence 43, 1990).

use super::negamax::{Frame, Searcher};
use super::ordering::pick;
use super::window::as_parent_sees;
use super::{score_of, Handler, DRAW, MAX_PLY, WIN};
use crate::evaluate::Evaluate;
use crate::position::Position;

impl<G: Position, E: Evaluate<G>, H: Handler<G::Move>> Searcher<'_, G, E, H> {
    /// The worth of `position` within the window once captures are played out.
    ///
    /// Where every move captures, all are searched, for the side cannot be content with what it has.
    /// Otherwise it can, and may capture if it likes.
    pub(super) fn quiesce(&mut self, position: &G, frame: Frame, mut alpha: i32, beta: i32) -> i32 {
        let ply = frame.ply;
        if self.enter(ply) {
            return 0;
        }
        if let Some(outcome) = position.ended() {
            return score_of(outcome, position, ply);
        }
        let first = self.moves.len();
        let others = self.generate_captures(position);
        let count = self.moves.len() - first;
        if count == 0 && !others {
            return score_of(position.without_moves(self.rules), position, ply);
        }
        if ply >= MAX_PLY {
            self.moves.truncate(first);
            return self.evaluation.evaluate(position);
        }
        if self.drawn_by_length(frame) {
            self.moves.truncate(first);
            return DRAW;
        }
        let mut best = -WIN;
        if others {
            best = self.evaluation.evaluate(position);
            alpha = alpha.max(best);
        }
        if alpha < beta {
            let side = position.side_to_move();
            for number in 0..count {
                let candidate = pick(&mut self.moves[first..], number);
                let child = position.play_unchecked(candidate.mv);
                let next = frame.after(side, &candidate);
                let score = as_parent_sees(position, &child, alpha, beta, |alpha, beta| {
                    self.quiesce(&child, next, alpha, beta)
                });
                if self.stopped {
                    break;
                }
                best = best.max(score);
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, candidate.mv);
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        self.moves.truncate(first);
        best
    }
}
