//! Pruning by the static evaluation, enhanced transposition cutoffs, late move reductions, and draws by the
//! length rules.
//!
//! [`Parameters`] switch the techniques off one by one; what each is worth is measured in `docs/dev/experiments.md`.

use super::ordering::Candidate;
use super::searcher::{Frame, Node, Searcher};
use super::{transposition, Parameters, PROVEN};
use crate::evaluate::Evaluate;
use crate::position::Position;

impl<G: Position, E: Evaluate<G>> Searcher<'_, G, E> {
    /// The score of a node that the static evaluation prunes. On `None` the search may have been stopped.
    #[inline]
    pub(super) fn prune(&mut self, node: &Node<'_, G>, evaluation: i32) -> Option<i32> {
        let &Node { depth, window, .. } = node;
        if !window.is_null() || window.beta.abs() >= PROVEN || node.frame.ply == 0 {
            return None;
        }
        let parameters = self.parameters;
        // Reverse futility pruning, far above the window (E. Heinz, "Extended Futility Pruning", 1998).
        if depth <= parameters.reverse_futility_depth
            && evaluation - parameters.reverse_futility_margin * depth >= window.beta
            && !node.position.is_threatened()
        {
            return Some(evaluation);
        }
        // Razoring, far below it (J. Birmingham and P. Kent, "Tree-searching and Tree-pruning Techniques",
        // 1977).
        if depth <= parameters.razoring_depth
            && evaluation + parameters.razoring_margin * depth <= window.alpha
        {
            let score = self.quiesce(node.position, node.frame, window);
            if score <= window.alpha && !self.stopped {
                return Some(score);
            }
        }
        None
    }

    /// Enhanced transposition cutoff: the score and the place of a move whose child is known to be good
    /// enough for a beta cutoff (J. Schaeffer and A. Plaat, "New Advances in Alpha-Beta Searching", 1996).
    pub(super) fn enhanced_transposition_cutoff(
        &mut self,
        node: &Node<'_, G>,
    ) -> Option<(i32, Option<u8>)> {
        let &Node {
            position,
            depth,
            window,
            ..
        } = node;
        let side = position.side_to_move();
        let count = self.moves.len() - node.first_move;
        self.keys.clear();
        // Memory is waited for once, not once a move.
        for candidate in &self.moves[node.first_move..] {
            let hash = position.play_unchecked(candidate.mv).hash();
            let key = self.key(hash, node.frame.after(side, candidate));
            self.table.prefetch(key);
            self.keys.push(key);
        }
        for number in 0..count {
            let Some(entry) = self.table.probe(self.keys[number]) else {
                continue;
            };
            let candidate = &self.moves[node.first_move + number];
            let child = position.play_unchecked(candidate.mv);
            let ply = node.frame.ply + 1;
            let mut known = false;
            let score = window.search_child(position, &child, |window| {
                let score = entry.cutoff(depth - 1, ply, window);
                known = score.is_some();
                score.unwrap_or(0)
            });
            if known && score >= window.beta && !self.repetitions.contains(child.hash()) {
                return Some((score, Some(candidate.place)));
            }
        }
        None
    }

    /// Whether the length rules end the game here, for a side that has moves.
    #[inline(always)]
    pub(super) fn drawn_by_length(&self, frame: Frame) -> bool {
        let [turns, without_capture] = self.turns_left(frame);
        turns == 0 || without_capture == 0
    }

    /// The key of a position in the table.
    #[inline(always)]
    pub(super) fn key(&self, hash: u64, frame: Frame) -> u64 {
        transposition::key(hash, self.turns_left(frame))
    }

    /// How many turns, and how many without a capture, the length rules still allow; `u32::MAX` for a rule
    /// that is not in force.
    #[inline(always)]
    fn turns_left(&self, frame: Frame) -> [u32; 2] {
        let left = |limit: Option<u32>, count: u32| match limit {
            Some(limit) => limit.saturating_sub(count),
            None => u32::MAX,
        };
        let length = &self.root.rules.length;
        let turns = left(length.max_turns, self.root.turns + frame.ply);
        let without_capture = length.max_turns_without_capture;
        [turns, left(without_capture, frame.turns_without_capture)]
    }

    /// By how many plies the `number`th move of a node is reduced (late move reductions: T. Romstad, 2006).
    #[inline(always)]
    pub(super) fn reduction(
        &self,
        depth: i32,
        number: usize,
        principal: bool,
        candidate: &Candidate<G::Move>,
    ) -> i32 {
        if depth < self.parameters.reduction_depth || candidate.captures {
            return 0;
        }
        let less = self.reductions.plies(depth, number) - i32::from(principal);
        less.clamp(0, depth - 1)
    }
}

/// By how many plies late moves are reduced, by depth and by the place in the order of moves; filled when a search begins.
pub(super) struct Reductions(Vec<[u8; PLACES]>);

const DEPTHS: usize = 64;
const PLACES: usize = 64;

impl Reductions {
    /// Grows with the logarithms of both (Chess Programming Wiki, "Late Move Reductions").
    pub(super) fn new(parameters: &Parameters) -> Reductions {
        let base = f64::from(parameters.reduction_base) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor) / 100.0;
        let mut table = vec![[0; PLACES]; DEPTHS];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (place, less) in row.iter_mut().enumerate().skip(1) {
                let plies = base + (depth as f64).ln() * (place as f64).ln() / divisor;
                *less = plies.max(0.0) as u8;
            }
        }
        Reductions(table)
    }

    #[inline(always)]
    fn plies(&self, depth: i32, place: usize) -> i32 {
        let row = (depth as usize).min(DEPTHS - 1);
        i32::from(self.0[row][place.min(PLACES - 1)])
    }
}
