//! Which move is tried first: the stored one, captures, then what proved good elsewhere.

use super::MAX_PLY;
use crate::board::Side;
use crate::evaluate::{Evaluate, HISTORY_INDEXES};
use crate::position::Position;

/// A move on the list of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Its place in the order of generation.
    pub(super) place: u8,
    pub(super) pattern: u16,
    pub(super) captures: bool,
    /// The highest is tried first.
    pub(super) priority: i32,
}

/// What is remembered of moves that proved good.
pub(super) struct Memory<M> {
    /// Moves that refuted something at each ply (S. Akl and M. Newborn, "The Principal Continuation and
    /// the Killer Heuristic", 1977).
    killers: Vec<[Option<M>; 2]>,
    /// How often each kind of move refuted something (J. Schaeffer, "The History Heuristic", 1983).
    history: Vec<i16>,
    /// What refuted each kind of move (J. Uiterwijk, "The Countermove Heuristic", 1992).
    counters: Vec<Option<M>>,
}

const STORED: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 20;
const FIRST_KILLER: i32 = 1 << 18;
const SECOND_KILLER: i32 = FIRST_KILLER - 1;
const COUNTER: i32 = FIRST_KILLER - 2;
/// A promise is worth so much history.
const PROMISE: i32 = 64;
/// No history grows beyond this.
const HISTORY_LIMIT: i32 = 1 << 14;

impl<M: Copy + Eq> Memory<M> {
    pub(super) fn new() -> Memory<M> {
        Memory {
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            history: vec![0; 2 * HISTORY_INDEXES],
            counters: vec![None; 2 * HISTORY_INDEXES],
        }
    }

    /// Sets the priority of each of `moves` but the stored one's, which comes first.
    #[inline]
    pub(super) fn rank<G: Position<Move = M>>(
        &self,
        position: &G,
        evaluation: &impl Evaluate<G>,
        moves: &mut [Candidate<M>],
        stored: Option<u8>,
        ply: u32,
        previous: Option<(Side, u16)>,
    ) {
        let side = position.side_to_move();
        let killers = self.killers[ply as usize];
        let counter = previous.and_then(|(side, pattern)| self.counters[slot(side, pattern)]);
        for candidate in moves {
            let mv = Some(candidate.mv);
            candidate.priority = if Some(candidate.place) == stored {
                STORED
            } else if mv == killers[0] {
                FIRST_KILLER
            } else if mv == killers[1] {
                SECOND_KILLER
            } else if mv == counter {
                COUNTER
            } else {
                i32::from(self.history[slot(side, candidate.pattern)])
                    + PROMISE * evaluation.move_score(position, candidate.mv)
            };
            if candidate.captures {
                candidate.priority += CAPTURE;
            }
        }
    }

    /// Remembers that the last of `tried` refuted the position, and that those before it did not.
    pub(super) fn refuted(
        &mut self,
        side: Side,
        tried: &[Candidate<M>],
        depth: i32,
        ply: u32,
        previous: Option<(Side, u16)>,
    ) {
        let Some((best, others)) = tried.split_last() else {
            return;
        };
        let bonus = (depth * depth).min(HISTORY_LIMIT / 16);
        self.learn(side, best.pattern, bonus);
        for other in others {
            self.learn(side, other.pattern, -bonus);
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(best.mv) {
            *killers = [Some(best.mv), killers[0]];
        }
        if let Some((side, pattern)) = previous {
            self.counters[slot(side, pattern)] = Some(best.mv);
        }
    }

    /// The closer to its limit, the less a history still moves.
    fn learn(&mut self, side: Side, pattern: u16, bonus: i32) {
        let history = &mut self.history[slot(side, pattern)];
        let value = i32::from(*history);
        *history = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

/// Moves the best of `moves` from `next` on to `next`.
#[inline(always)]
pub(super) fn pick<M: Copy>(moves: &mut [Candidate<M>], next: usize) -> Candidate<M> {
    let mut best = next;
    for index in next + 1..moves.len() {
        if moves[index].priority > moves[best].priority {
            best = index;
        }
    }
    moves.swap(next, best);
    moves[next]
}

#[inline(always)]
fn slot(side: Side, pattern: u16) -> usize {
    side.index() * HISTORY_INDEXES + usize::from(pattern) % HISTORY_INDEXES
}
