//! The recursion: principal variation search with a table, reductions, pruning and extensions.

use super::ordering::{pick, Candidate, Memory};
use super::repetition::Past;
use super::transposition::{Bound, Entry};
use super::window::as_parent_sees;
use super::{
    score_of, Handler, Parameters, Root, TranspositionTable, DRAW, MAX_PLY,
    NODES_BETWEEN_QUESTIONS, PROVEN, WIN,
};
use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::position::Position;
use crate::rules::RuleBook;

/// A search under way.
pub(super) struct Searcher<'a, G: Position, E, H> {
    pub(super) rules: &'a RuleBook,
    pub(super) evaluation: &'a E,
    pub(super) parameters: &'a Parameters,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) handler: &'a mut H,
    /// The moves of the root; all if there is none.
    only: &'a [G::Move],
    pub(super) memory: Memory<G::Move>,
    pub(super) past: Past,
    /// The moves of all nodes from the root to the current one, each node's after its parent's.
    pub(super) moves: Vec<Candidate<G::Move>>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Move>>,
    /// Turns played before the root, and how many of the latest went by without a capture.
    turns: (u32, u32),
    pub(super) nodes: u64,
    pub(super) selective_depth: u32,
    pub(super) stopped: bool,
    /// Whether the handler is asked yet: not before there is a move to play.
    pub(super) armed: bool,
    /// By how many plies a move is reduced, by depth and place.
    reductions: Vec<[u8; REDUCTION_PLACES]>,
}

const REDUCTION_DEPTHS: usize = 64;
const REDUCTION_PLACES: usize = 64;
/// Room for the moves of all nodes on a line; a game with more makes the list grow.
const MOVES_A_PLY: usize = 32;

/// What a node knows of how it came about.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) ply: u32,
    without_capture: u32,
    /// The pattern of the move that led here, and who made it.
    previous: Option<(Side, u16)>,
    previous_captured: bool,
}

impl Frame {
    pub(super) fn root<G: Position, E, H>(searcher: &Searcher<'_, G, E, H>) -> Frame {
        Frame {
            ply: 0,
            without_capture: searcher.turns.1,
            previous: None,
            previous_captured: false,
        }
    }

    #[inline(always)]
    pub(super) fn after<M>(self, side: Side, candidate: &Candidate<M>) -> Frame {
        Frame {
            ply: self.ply + 1,
            without_capture: if candidate.captures {
                0
            } else {
                self.without_capture + 1
            },
            previous: Some((side, candidate.pattern)),
            previous_captured: candidate.captures,
        }
    }
}

impl<'a, G: Position, E: Evaluate<G>, H: Handler<G::Move>> Searcher<'a, G, E, H> {
    pub(super) fn new(
        root: &Root<'a, G, E>,
        parameters: &'a Parameters,
        table: &'a mut TranspositionTable,
        handler: &'a mut H,
    ) -> Searcher<'a, G, E, H> {
        let plies = MAX_PLY as usize + 2;
        Searcher {
            rules: root.rules,
            evaluation: root.evaluation,
            parameters,
            table,
            handler,
            only: root.only,
            memory: Memory::new(),
            past: Past::new(root.past, plies),
            moves: Vec::with_capacity(plies * MOVES_A_PLY),
            lines: (0..plies).map(|_| Vec::with_capacity(plies)).collect(),
            turns: (root.turns, root.turns_without_capture),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
            armed: false,
            reductions: reductions(parameters),
        }
    }

    /// The best line that the last search of the root found.
    pub(super) fn best_line(&self) -> &[G::Move] {
        &self.lines[0]
    }

    /// The worth of `position` within the window, looking `depth` plies ahead.
    pub(super) fn negamax(
        &mut self,
        position: &G,
        frame: Frame,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let ply = frame.ply;
        if depth <= 0 {
            return self.quiesce(position, frame, alpha, beta);
        }
        if self.enter(ply) {
            return 0;
        }
        if let Some(outcome) = position.ended() {
            return score_of(outcome, position, ply);
        }
        let hash = position.hash();
        let principal = beta - alpha > 1;
        if ply > 0 {
            if self.past.contains(hash) {
                return DRAW;
            }
            // Nothing here is better than winning at once or worse than having lost (Chess Programming Wiki,
            // "Mate Distance Pruning").
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        let key = self.key(hash, frame);
        let known = self.table.probe(key);
        if let (false, Some(known)) = (principal, known) {
            if let Some(score) = known.settles(depth, ply, alpha, beta) {
                return score;
            }
        }

        let first = self.moves.len();
        let all_capture = self.generate(position);
        if ply == 0 && !self.only.is_empty() {
            let only = self.only;
            self.moves.retain(|candidate| only.contains(&candidate.mv));
        }
        let count = self.moves.len() - first;
        if count == 0 {
            return score_of(position.without_moves(self.rules), position, ply);
        }
        let score = if self.drawn_by_length(frame) && ply > 0 {
            DRAW
        } else if ply >= MAX_PLY {
            self.evaluation.evaluate(position)
        } else {
            let evaluation = (!all_capture).then(|| {
                known
                    .and_then(Entry::evaluation)
                    .unwrap_or_else(|| self.evaluation.evaluate(position))
            });
            if let Some(score) =
                self.prune(position, frame, depth, alpha, beta, principal, evaluation)
            {
                self.moves.truncate(first);
                return score;
            }
            if self.stopped {
                self.moves.truncate(first);
                return 0;
            }
            // Forced replies and recaptures are cheap to look behind (Chess Programming Wiki, "One Reply
            // Extensions" and "Recapture Extensions").
            if count == 1 {
                depth += self.parameters.single_reply;
            } else if all_capture && frame.previous_captured {
                depth += self.parameters.recapture;
            }
            let stored = known.and_then(Entry::best);
            // Without a stored move the order is poor (internal iterative reduction: E. Schröder, 2020).
            if stored.is_none() && depth >= self.parameters.internal_depth && count > 1 {
                depth -= 1;
            }
            self.past.push(hash);
            let (score, best) = self.best_of(position, frame, depth, alpha, beta, first, stored);
            self.past.pop();
            if !self.stopped {
                let bound = if score >= beta {
                    Bound::Lower
                } else if score <= alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
                let entry = Entry::new(score, bound, depth, ply, best, evaluation);
                self.table.store(key, entry);
            }
            score
        };
        self.moves.truncate(first);
        score
    }

    /// Searches the moves from `first` on: the score, and the best one's place if any was good.
    #[allow(clippy::too_many_arguments)]
    fn best_of(
        &mut self,
        position: &G,
        frame: Frame,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        first: usize,
        stored: Option<u8>,
    ) -> (i32, Option<u8>) {
        let ply = frame.ply;
        let side = position.side_to_move();
        let principal = beta - alpha > 1;
        if !principal && depth >= self.parameters.lookahead_depth {
            if let Some(found) = self.look_up_children(position, frame, depth, beta, first) {
                return found;
            }
        }
        self.memory.rank(
            position,
            self.evaluation,
            &mut self.moves[first..],
            stored,
            ply,
            frame.previous,
        );
        let count = self.moves.len() - first;
        let (mut best, mut best_place) = (-WIN, None);
        for number in 0..count {
            let candidate = pick(&mut self.moves[first..], number);
            let child = position.play_unchecked(candidate.mv);
            let next = frame.after(side, &candidate);
            let score = if number == 0 {
                self.child(position, &child, next, depth - 1, alpha, beta)
            } else {
                // Principal variation search (T. Marsland and M. Campbell, 1982): later moves are only
                // shown to be worse, and first, at less depth, to be not worth a look (late move
                // reductions: T. Romstad, 2006).
                let less = self.reduction(depth, number, principal, &candidate);
                let mut score =
                    self.child(position, &child, next, depth - 1 - less, alpha, alpha + 1);
                if less > 0 && score > alpha && !self.stopped {
                    score = self.child(position, &child, next, depth - 1, alpha, alpha + 1);
                }
                if score > alpha && score < beta && !self.stopped {
                    score = self.child(position, &child, next, depth - 1, alpha, beta);
                }
                score
            };
            if self.stopped {
                return (0, None);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_place = Some(candidate.place);
                    if principal {
                        self.extend_line(ply, candidate.mv);
                    }
                }
                if score >= beta {
                    let tried = &self.moves[first..=first + number];
                    self.memory.refuted(side, tried, depth, ply, frame.previous);
                    break;
                }
            }
        }
        (best, best_place)
    }

    /// The score of a child for the side to move of its parent.
    #[inline(always)]
    fn child(
        &mut self,
        parent: &G,
        child: &G,
        frame: Frame,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        as_parent_sees(parent, child, alpha, beta, |alpha, beta| {
            self.negamax(child, frame, depth, alpha, beta)
        })
    }

    #[inline(always)]
    fn reduction(
        &self,
        depth: i32,
        number: usize,
        principal: bool,
        candidate: &Candidate<G::Move>,
    ) -> i32 {
        if depth < self.parameters.reduction_depth || candidate.captures {
            return 0;
        }
        let row = (depth as usize).min(REDUCTION_DEPTHS - 1);
        let less = i32::from(self.reductions[row][number.min(REDUCTION_PLACES - 1)]);
        (less - i32::from(principal)).clamp(0, depth - 1)
    }

    /// A score that can be told without searching every move, if there is one.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn prune(
        &mut self,
        position: &G,
        frame: Frame,
        depth: i32,
        alpha: i32,
        beta: i32,
        principal: bool,
        evaluation: Option<i32>,
    ) -> Option<i32> {
        let evaluation = evaluation?;
        if principal || beta.abs() >= PROVEN || frame.ply == 0 {
            return None;
        }
        let parameters = self.parameters;
        // Truncation far above the window (reverse futility: E. Heinz, "Extended Futility Pruning", 1998).
        if depth <= parameters.truncation_depth
            && evaluation - parameters.truncation_margin * depth >= beta
            && !self.evaluation.threatened(position)
        {
            return Some(evaluation);
        }
        // Truncation far below it (razoring: J. Birmingham and P. Kent, 1977).
        if depth <= parameters.razoring_depth
            && evaluation + parameters.razoring_margin * depth <= alpha
        {
            let score = self.quiesce(position, frame, alpha, beta);
            if score <= alpha && !self.stopped {
                return Some(score);
            }
        }
        None
    }

    /// A child that is known to refute the position (enhanced transposition cutoffs: J. Schaeffer and
    /// A. Plaat, "New Advances in Alpha-Beta Searching", 1996).
    fn look_up_children(
        &mut self,
        position: &G,
        frame: Frame,
        depth: i32,
        beta: i32,
        first: usize,
    ) -> Option<(i32, Option<u8>)> {
        let side = position.side_to_move();
        for index in first..self.moves.len() {
            let candidate = self.moves[index];
            let child = position.play_unchecked(candidate.mv);
            let next = frame.after(side, &candidate);
            let hash = child.hash();
            let Some(known) = self.table.probe(self.key(hash, next)) else {
                continue;
            };
            let mut settled = false;
            let score = as_parent_sees(position, &child, beta - 1, beta, |alpha, beta| {
                let score = known.settles(depth - 1, next.ply, alpha, beta);
                settled = score.is_some();
                score.unwrap_or(alpha)
            });
            if settled && score >= beta && !self.past.contains(hash) {
                return Some((score, Some(candidate.place)));
            }
        }
        None
    }

    /// Counts a node. Whether the search is to stop.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: u32) -> bool {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        self.lines[ply as usize].clear();
        if self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS)
            && self.armed
            && self.handler.stop(self.nodes)
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// Puts the legal moves on the list. Whether all of them capture.
    #[inline(always)]
    pub(super) fn generate(&mut self, position: &G) -> bool {
        let mut all_capture = true;
        let mut place = 0u8;
        let (moves, evaluation) = (&mut self.moves, self.evaluation);
        position.each_move(|mv| {
            let captures = position.captures(mv) > 0;
            all_capture &= captures;
            moves.push(Candidate {
                mv,
                place,
                pattern: evaluation.history_index(mv),
                captures,
                priority: 0,
            });
            place = place.saturating_add(1);
        });
        all_capture
    }

    /// Puts the legal captures on the list, each with its promise. Whether there are other moves.
    #[inline(always)]
    pub(super) fn generate_captures(&mut self, position: &G) -> bool {
        let (moves, evaluation) = (&mut self.moves, self.evaluation);
        position.each_capture(|mv| {
            moves.push(Candidate {
                mv,
                place: 0,
                pattern: evaluation.history_index(mv),
                captures: true,
                priority: evaluation.move_score(position, mv),
            });
        })
    }

    /// `mv` followed by the best line of the next ply is the best line of this one.
    pub(super) fn extend_line(&mut self, ply: u32, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// Whether the length rules end the game here, for a side that has moves.
    #[inline(always)]
    pub(super) fn drawn_by_length(&self, frame: Frame) -> bool {
        let (turns, quiet) = self.turns_left(frame);
        turns == 0 || quiet == 0
    }

    #[inline(always)]
    fn turns_left(&self, frame: Frame) -> (u32, u32) {
        let left = |limit: Option<u32>, count: u32| {
            limit.map_or(u32::MAX, |limit| limit.saturating_sub(count))
        };
        let length = &self.rules.length;
        (
            left(length.max_turns, self.turns.0 + frame.ply),
            left(length.max_turns_without_capture, frame.without_capture),
        )
    }

    /// The key of a position in the table. Near the end by a length rule the turns left are part of it, for
    /// there the same board is worth less the later it comes.
    #[inline(always)]
    pub(super) fn key(&self, hash: u64, frame: Frame) -> u64 {
        let (turns, quiet) = self.turns_left(frame);
        if turns.min(quiet) > NEAR_THE_END {
            return hash;
        }
        let near = |left: u32| u64::from(left.min(NEAR_THE_END + 1));
        let left = near(turns) << 32 | near(quiet);
        hash ^ (left + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// So many turns before the end the table begins to tell the turns apart.
const NEAR_THE_END: u32 = 40;

fn reductions(parameters: &Parameters) -> Vec<[u8; REDUCTION_PLACES]> {
    let base = f64::from(parameters.reduction_base) / 100.0;
    let divisor = f64::from(parameters.reduction_divisor) / 100.0;
    let mut table = vec![[0; REDUCTION_PLACES]; REDUCTION_DEPTHS];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (place, less) in row.iter_mut().enumerate().skip(1) {
            let plies = base + (depth as f64).ln() * (place as f64).ln() / divisor;
            *less = plies.max(0.0) as u8;
        }
    }
    table
}
