//! The recursion: principal variation search with a table and extensions.
//!
//! What it keeps is in `searcher`; pruning, table cutoffs and reductions are in `prune`; the search below the depth is in
//! `quiescence`.

use super::ordering::{generate, pick};
use super::searcher::{Frame, Node, Searcher};
use super::transposition::Entry;
use super::window::Window;
use super::{score_of, DRAW, MAX_PLY, WIN};
use crate::evaluate::Evaluate;
use crate::position::Position;

impl<G: Position, E: Evaluate<G>> Searcher<'_, G, E> {
    /// The score of the root within the window, looking `depth` plies ahead.
    pub(super) fn search_root(&mut self, depth: i32, window: Window) -> i32 {
        let frame = Frame {
            turns_without_capture: self.root.turns_without_capture,
            ..Frame::default()
        };
        self.negamax(self.root.position, frame, depth, window)
    }

    /// The score of `position` within the window, looking `depth` plies ahead.
    fn negamax(&mut self, position: &G, frame: Frame, depth: i32, mut window: Window) -> i32 {
        let ply = frame.ply;
        if depth <= 0 {
            return self.quiesce(position, frame, window);
        }
        if self.enter(ply) {
            return 0;
        }
        if let Some(outcome) = position.ended() {
            return score_of(outcome, position, ply);
        }
        let hash = position.hash();
        // A principal node is searched even if its score is known, for its line of play.
        let principal = !window.is_null();
        if ply > 0 {
            if self.repetitions.contains(hash) {
                return DRAW;
            }
            match window.within_mate_distance(ply) {
                Ok(reachable) => window = reachable,
                Err(score) => return score,
            }
        }
        let key = self.key(hash, frame);
        let entry = self.table.probe(key);
        if let (false, Some(entry)) = (principal, entry) {
            if let Some(score) = entry.cutoff(depth, ply, window) {
                return score;
            }
        }
        let first_move = self.moves.len();
        let score = self.search_node(Node {
            position,
            frame,
            depth,
            window,
            first_move,
            hash,
            key,
            entry,
            excluded: None,
        });
        self.moves.truncate(first_move);
        score
    }

    /// Generates the moves of a node without a table cutoff, and searches them unless it is pruned.
    #[inline(always)]
    fn search_node(&mut self, mut node: Node<'_, G>) -> i32 {
        let (position, frame) = (node.position, node.frame);
        let must_capture = generate(position, &mut self.moves);
        if frame.ply == 0 && !self.root.root_moves.is_empty() {
            let root_moves = self.root.root_moves;
            self.moves
                .retain(|candidate| root_moves.contains(&candidate.mv));
        }
        let count = self.moves.len() - node.first_move;
        if count == 0 {
            return score_of(position.without_moves(self.root.rules), position, frame.ply);
        }
        if self.drawn_by_length(frame) && frame.ply > 0 {
            return DRAW;
        }
        if frame.ply >= MAX_PLY {
            return self.evaluate(position);
        }
        let mut evaluation = None;
        if !must_capture {
            let known = node.entry.and_then(Entry::evaluation);
            let value = known.unwrap_or_else(|| self.evaluate(position));
            if let Some(score) = self.prune(&node, value) {
                return score;
            }
            if self.stopped {
                return 0;
            }
            evaluation = Some(value);
        }
        // Forced replies and recaptures are cheap to look behind (Chess Programming Wiki, "One Reply
        // Extensions" and "Recapture Extensions").
        if count == 1 {
            node.depth += self.parameters.single_reply;
        } else if must_capture && frame.previous_captured {
            node.depth += self.parameters.recapture;
        }
        // Without a move from the table the order is poor (internal iterative reduction: E. Schröder, 2020).
        let table_move = node.entry.and_then(Entry::best);
        if table_move.is_none()
            && node.depth >= self.parameters.internal_reduction_depth
            && count > 1
        {
            node.depth -= 1;
        }
        self.repetitions.push(node.hash);
        let found = self
            .singular_extension(&node)
            .map(|extension| self.search_moves(&node, extension));
        self.repetitions.pop();
        let (score, best) = match found {
            Ok(found) => found,
            Err(score) => return score,
        };
        if !self.stopped {
            let bound = node.window.bound(score);
            let entry = Entry::new(score, bound, node.depth, frame.ply, best, evaluation);
            self.table.store(node.key, entry);
        }
        score
    }

    /// Searches the moves of a node except one, the table's move this many plies deeper. Gives the score, and the
    /// place of the best move if one was above alpha.
    pub(super) fn search_moves(
        &mut self,
        node: &Node<'_, G>,
        table_move_extension: i32,
    ) -> (i32, Option<u8>) {
        let &Node {
            position,
            frame,
            depth,
            mut window,
            first_move,
            ..
        } = node;
        let ply = frame.ply;
        let side = position.side_to_move();
        let principal = !window.is_null();
        let excluded = node.excluded.is_some();
        if !(principal || excluded) && depth >= self.parameters.transposition_cutoff_depth {
            if let Some(found) = self.enhanced_transposition_cutoff(node) {
                return found;
            }
        }
        self.ordering.rank(
            position,
            &mut self.moves[first_move..],
            node.entry.and_then(Entry::best),
            ply,
            frame.previous,
        );
        let count = self.moves.len() - first_move;
        let (mut best, mut best_place) = (-WIN, None);
        for place in 0..count {
            let candidate = pick(&mut self.moves[first_move..], place);
            // A move that is left out is that of the table: it comes first.
            if node.excluded == Some(candidate.place) {
                continue;
            }
            let number = place - usize::from(excluded);
            let child = position.play_unchecked(candidate.mv);
            let next = frame.after(side, &candidate);
            let score = if number == 0 {
                let deeper = depth - 1 + table_move_extension;
                self.search_child(position, &child, next, deeper, window)
            } else {
                // Principal variation search (T. Marsland and M. Campbell, 1982): later moves are only
                // shown to be worse, at first with less depth.
                let less = self.reduction(depth, number, principal, &candidate);
                let null = window.null();
                let mut score = self.search_child(position, &child, next, depth - 1 - less, null);
                if less > 0 && score > window.alpha && !self.stopped {
                    score = self.search_child(position, &child, next, depth - 1, null);
                }
                if window.contains(score) && !self.stopped {
                    score = self.search_child(position, &child, next, depth - 1, window);
                }
                score
            };
            if self.stopped {
                return (0, None);
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    best_place = Some(candidate.place);
                    if principal {
                        self.extend_line(ply, candidate.mv);
                    }
                }
                if score >= window.beta {
                    let tried = &self.moves[first_move + place - number..=first_move + place];
                    self.ordering
                        .learn_cutoff(side, tried, depth, ply, frame.previous);
                    break;
                }
            }
        }
        (best, best_place)
    }

    /// The score of a child for the side to move of its parent.
    #[inline(always)]
    fn search_child(
        &mut self,
        parent: &G,
        child: &G,
        frame: Frame,
        depth: i32,
        window: Window,
    ) -> i32 {
        window.search_child(parent, child, |window| {
            self.negamax(child, frame, depth, window)
        })
    }
}
