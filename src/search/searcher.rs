//! A search under way: its state, and the nodes of its tree.
//!
//! The recursion over them is in `negamax`, what spares it nodes in `prune`, and what lies below its depth in
//! `quiescence`.

use super::ordering::{Candidate, OrderingTables};
use super::prune::Reductions;
use super::repetition::RepetitionTable;
use super::transposition::Entry;
use super::window::Window;
use super::{Parameters, Root, TranspositionTable, MAX_PLY, NODES_BETWEEN_QUESTIONS};
use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::position::Position;

/// A search under way.
pub(super) struct Searcher<'a, G: Position, E: Evaluate<G>> {
    pub(super) root: &'a Root<'a, G, E>,
    pub(super) evaluation: &'a E,
    accumulator: E::Accumulator,
    pub(super) parameters: &'a Parameters,
    pub(super) table: &'a mut TranspositionTable,
    /// Whether to stop, asked at intervals with the number of nodes: seldom enough that a virtual call costs nothing.
    stop: &'a mut dyn FnMut(u64) -> bool,
    pub(super) ordering: OrderingTables<G::Move>,
    pub(super) repetitions: RepetitionTable,
    pub(super) reductions: Reductions,
    /// The moves of all nodes from the root to the current one, each node's after its parent's.
    pub(super) moves: Vec<Candidate<G::Move>>,
    /// The keys of a node's children in the table.
    pub(super) keys: Vec<u64>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Move>>,
    pub(super) nodes: u64,
    pub(super) selective_depth: u32,
    pub(super) stopped: bool,
    /// Whether to stop is asked yet: not before there is a move to play.
    pub(super) may_stop: bool,
}

/// Capacity for the moves of all nodes on a line; the list grows in a game with more.
const MOVES_PER_PLY: usize = 32;

/// Where a node is in the tree, and how it came about; by default, a root where nothing has been moved.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) ply: u32,
    pub(super) turns_without_capture: u32,
    /// Who made the move that led here, and its history index.
    pub(super) previous: Option<(Side, u16)>,
    pub(super) previous_captured: bool,
}

impl Frame {
    /// The frame of a child: the one after `side` has made the move of `candidate`.
    #[inline(always)]
    pub(super) fn after<M>(self, side: Side, candidate: &Candidate<M>) -> Frame {
        Frame {
            ply: self.ply + 1,
            turns_without_capture: if candidate.captures {
                0
            } else {
                self.turns_without_capture + 1
            },
            previous: Some((side, candidate.history_index)),
            previous_captured: candidate.captures,
        }
    }
}

/// A node whose moves are searched, if it is not pruned first.
pub(super) struct Node<'p, G> {
    pub(super) position: &'p G,
    pub(super) frame: Frame,
    pub(super) depth: i32,
    pub(super) window: Window,
    /// Where its moves begin on the list.
    pub(super) first_move: usize,
    pub(super) hash: u64,
    /// The key of the position in the table, and what is known there.
    pub(super) key: u64,
    pub(super) entry: Option<Entry>,
    /// The place of a move that is left out.
    pub(super) excluded: Option<u8>,
}

#[cfg(test)]
impl<G: Position> Node<'_, G> {
    /// A node at `ply` of which the table knows nothing.
    pub(super) fn at_ply(ply: u32, position: &G, depth: i32, window: Window) -> Node<'_, G> {
        let hash = position.hash();
        Node {
            position,
            frame: Frame {
                ply,
                ..Frame::default()
            },
            depth,
            window,
            first_move: 0,
            hash,
            key: hash,
            entry: None,
            excluded: None,
        }
    }
}

impl<'a, G: Position, E: Evaluate<G>> Searcher<'a, G, E> {
    pub(super) fn new(
        root: &'a Root<'a, G, E>,
        parameters: &'a Parameters,
        table: &'a mut TranspositionTable,
        stop: &'a mut dyn FnMut(u64) -> bool,
    ) -> Searcher<'a, G, E> {
        let plies = MAX_PLY as usize + 2;
        Searcher {
            root,
            evaluation: root.evaluation,
            accumulator: root.evaluation.accumulator(),
            parameters,
            table,
            stop,
            ordering: OrderingTables::new(),
            repetitions: RepetitionTable::new(root.past, plies),
            reductions: Reductions::new(parameters),
            moves: Vec::with_capacity(plies * MOVES_PER_PLY),
            keys: Vec::with_capacity(MOVES_PER_PLY),
            lines: (0..plies).map(|_| Vec::with_capacity(plies)).collect(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
            may_stop: false,
        }
    }

    /// The best line that the last search of the root found.
    pub(super) fn best_line(&self) -> &[G::Move] {
        &self.lines[0]
    }

    /// The static evaluation of a position.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &G) -> i32 {
        self.evaluation
            .evaluate_near(position, &mut self.accumulator)
    }

    /// Counts a node. Whether the search is to stop.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: u32) -> bool {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        self.lines[ply as usize].clear();
        if self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS)
            && self.may_stop
            && (self.stop)(self.nodes)
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// `mv` followed by the best line of the next ply is the best line of this one.
    pub(super) fn extend_line(&mut self, ply: u32, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }
}
