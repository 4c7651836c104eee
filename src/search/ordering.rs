//! Move ordering: the move of the transposition table, captures, killers, the counter-move, then by history.

use super::MAX_PLY;
use crate::board::Side;
use crate::position::{Position, HISTORY_INDEXES};

/// A move on the list of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Its place in the order of generation.
    pub(super) place: u8,
    /// See [`Position::history_index`].
    pub(super) history_index: u16,
    pub(super) captures: bool,
    /// The highest is tried first.
    pub(super) priority: i32,
}

/// Puts the legal moves of `position` on the list. Whether all of them capture.
#[inline(always)]
pub(super) fn generate<G: Position>(position: &G, moves: &mut Vec<Candidate<G::Move>>) -> bool {
    let mut all_capture = true;
    let mut place = 0u8;
    position.each_move(|mv| {
        let captures = position.captures(mv) > 0;
        all_capture &= captures;
        moves.push(Candidate {
            mv,
            place,
            history_index: G::history_index(mv),
            captures,
            priority: 0,
        });
        place = place.saturating_add(1);
    });
    all_capture
}

/// Puts the legal captures of `position` on the list, ranked by [`Position::move_score`]. Whether there are
/// other moves.
#[inline(always)]
pub(super) fn generate_captures<G: Position>(
    position: &G,
    moves: &mut Vec<Candidate<G::Move>>,
) -> bool {
    position.each_capture(|mv| {
        moves.push(Candidate {
            mv,
            place: 0,
            history_index: G::history_index(mv),
            captures: true,
            priority: position.move_score(mv),
        });
    })
}

/// Moves the best of `moves` from `next` on to `next`.
#[inline(always)]
pub(super) fn pick<M: Copy>(moves: &mut [Candidate<M>], next: usize) -> Candidate<M> {
    // A range is a call for each number where nothing is optimised.
    let (mut best, mut index) = (next, next + 1);
    while index < moves.len() {
        if moves[index].priority > moves[best].priority {
            best = index;
        }
        index += 1;
    }
    // `swap` without its calls where nothing is optimised.
    (moves[next], moves[best]) = (moves[best], moves[next]);
    moves[next]
}

/// Moves that caused a beta cutoff, in this search.
pub(super) struct OrderingTables<M> {
    /// The last two at each ply (S. Akl and M. Newborn, "The Principal Continuation and the Killer
    /// Heuristic", 1977).
    killers: Vec<[Option<M>; 2]>,
    /// How often each side's moves of one history index did (J. Schaeffer, "The History Heuristic", 1983).
    history: Vec<i16>,
    /// The last one in reply to moves of one side and history index (J. Uiterwijk, "The Countermove
    /// Heuristic", 1992).
    counter_moves: Vec<Option<M>>,
}

// The classes of moves lie so far apart that history, which HISTORY_LIMIT bounds, lifts no move into the next.
const TABLE_MOVE: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 20;
const FIRST_KILLER: i32 = 1 << 18;
const SECOND_KILLER: i32 = FIRST_KILLER - 1;
const COUNTER_MOVE: i32 = FIRST_KILLER - 2;
/// How much history one point of a static move score outweighs; matters only in games that override
/// [`Position::move_score`]. Chosen by hand, not measured.
const MOVE_SCORE_WEIGHT: i32 = 64;
/// No history grows beyond this; a power of two that an `i16` holds.
const HISTORY_LIMIT: i32 = 1 << 14;

impl<M: Copy + Eq> OrderingTables<M> {
    pub(super) fn new() -> OrderingTables<M> {
        OrderingTables {
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            history: vec![0; 2 * HISTORY_INDEXES],
            counter_moves: vec![None; 2 * HISTORY_INDEXES],
        }
    }

    /// Sets the priority of each of `moves`. `table_move` is a place in the order of generation; `previous` is
    /// who made the move that led here, and its history index.
    #[inline]
    pub(super) fn rank<G: Position<Move = M>>(
        &self,
        position: &G,
        moves: &mut [Candidate<M>],
        table_move: Option<u8>,
        ply: u32,
        previous: Option<(Side, u16)>,
    ) {
        let side = position.side_to_move();
        let killers = self.killers[ply as usize];
        let counter_move = previous.and_then(|(side, index)| self.counter_moves[slot(side, index)]);
        for candidate in moves {
            let mv = Some(candidate.mv);
            candidate.priority = if Some(candidate.place) == table_move {
                TABLE_MOVE
            } else if mv == killers[0] {
                FIRST_KILLER
            } else if mv == killers[1] {
                SECOND_KILLER
            } else if mv == counter_move {
                COUNTER_MOVE
            } else {
                i32::from(self.history[slot(side, candidate.history_index)])
                    + MOVE_SCORE_WEIGHT * position.move_score(candidate.mv)
            };
            if candidate.captures {
                candidate.priority += CAPTURE;
            }
        }
    }

    /// Learns that the last of `tried` caused a beta cutoff, and that those before it did not.
    pub(super) fn learn_cutoff(
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
        self.add_history(side, best.history_index, bonus);
        for other in others {
            self.add_history(side, other.history_index, -bonus);
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(best.mv) {
            *killers = [Some(best.mv), killers[0]];
        }
        if let Some((side, index)) = previous {
            self.counter_moves[slot(side, index)] = Some(best.mv);
        }
    }

    /// The closer a history is to its limit, the less a bonus changes it (Chess Programming Wiki, "History Heuristic":
    /// history bonuses).
    fn add_history(&mut self, side: Side, index: u16, bonus: i32) {
        let history = &mut self.history[slot(side, index)];
        let value = i32::from(*history);
        *history = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

#[inline(always)]
fn slot(side: Side, history_index: u16) -> usize {
    side.index() * HISTORY_INDEXES + usize::from(history_index) % HISTORY_INDEXES
}
