//! Plain iterative deepening: alpha-beta with the best move of the last depth first.
//!
//! Leaves out whatever a strong search adds (a transposition table, reductions, pruning by evaluation). It
//! looks past its depth only while a capture is to be made.

use super::window::as_parent_sees;
use super::{score_of, Handler, Report, MAX_PLY, NODES_BETWEEN_QUESTIONS, WIN};
use crate::evaluate::Evaluate;
use crate::position::Position;
use crate::rules::RuleBook;

/// Searches `position` one ply deeper each time until `max_depth` is completed or `handler` stops it.
///
/// The first depth is always completed. `None` when the game is over in `position`.
pub fn search<G: Position, E: Evaluate<G>>(
    position: &G,
    rules: &RuleBook,
    evaluation: &E,
    max_depth: u32,
    handler: &mut impl Handler<G::Move>,
) -> Option<Report<G::Move>> {
    let first = position.legal_moves().first().copied()?;
    let mut searcher = Searcher {
        rules,
        evaluation,
        handler,
        nodes: 0,
        selective_depth: 0,
        stopped: false,
        armed: false,
    };
    let mut report = Report {
        depth: 0,
        selective_depth: 0,
        score: 0,
        nodes: 0,
        principal_variation: vec![first],
    };
    for depth in 1..=max_depth.clamp(1, MAX_PLY - 1) {
        let guide = std::mem::take(&mut report.principal_variation);
        let mut line = Vec::new();
        let score = searcher.negamax(position, depth, 0, -WIN, WIN, &guide, &mut line);
        if searcher.stopped {
            report.principal_variation = guide;
            break;
        }
        searcher.armed = true;
        report = Report {
            depth,
            selective_depth: searcher.selective_depth,
            score,
            nodes: searcher.nodes,
            principal_variation: line,
        };
        searcher.handler.depth_completed(&report);
        if score.abs() >= WIN - depth as i32 {
            break;
        }
    }
    report.nodes = searcher.nodes;
    Some(report)
}

struct Searcher<'a, E, H> {
    rules: &'a RuleBook,
    evaluation: &'a E,
    handler: &'a mut H,
    nodes: u64,
    selective_depth: u32,
    stopped: bool,
    /// Whether the handler is asked yet: not before there is a move to play.
    armed: bool,
}

impl<E, H> Searcher<'_, E, H> {
    /// The worth of `position` within the window; `line` becomes the best play from it.
    ///
    /// `guide` is the line of an earlier depth, tried first.
    #[allow(clippy::too_many_arguments)]
    fn negamax<G: Position>(
        &mut self,
        position: &G,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        guide: &[G::Move],
        line: &mut Vec<G::Move>,
    ) -> i32
    where
        E: Evaluate<G>,
        H: Handler<G::Move>,
    {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.armed
            && self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS)
            && self.handler.stop(self.nodes)
        {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        line.clear();
        if let Some(outcome) = position.ended() {
            return score_of(outcome, position, ply);
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return score_of(position.without_moves(self.rules), position, ply);
        }
        if ply >= MAX_PLY {
            return self.evaluation.evaluate(position);
        }
        let mut best = i32::MIN;
        if depth == 0 {
            // Below the depth only captures are played. Who may decline them is content with what it has.
            let forced = moves.iter().all(|&mv| position.captures(mv) > 0);
            if !forced {
                best = self.evaluation.evaluate(position);
                alpha = alpha.max(best);
                moves.retain(|&mv| position.captures(mv) > 0);
                if alpha >= beta || moves.is_empty() {
                    return best;
                }
            }
        }
        moves.sort_by_cached_key(|&mv| {
            let guided = guide.first() == Some(&mv);
            std::cmp::Reverse((guided, self.evaluation.move_score(position, mv)))
        });

        let mut child_line = Vec::new();
        for mv in moves {
            let child = position.play_unchecked(mv);
            let child_guide = match guide.split_first() {
                Some((&first, rest)) if first == mv => rest,
                _ => &[],
            };
            let depth = depth.saturating_sub(1);
            let score = as_parent_sees(position, &child, alpha, beta, |alpha, beta| {
                self.negamax(
                    &child,
                    depth,
                    ply + 1,
                    alpha,
                    beta,
                    child_guide,
                    &mut child_line,
                )
            });
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                line.clear();
                line.push(mv);
                line.append(&mut child_line);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
