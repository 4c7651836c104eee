//! The transposition table: results of positions searched before, whichever order of moves led to them.
//!
//! Sixteen-byte entries, four to a line of the processor's cache. (D. Slate and L. Atkin, "CHESS 4.5", 1977;
//! buckets and ageing: D. Breuker, "Memory versus Search in Games", 1998.) The table outlives a search: it
//! is handed from turn to turn.

use super::window::{Bound, Window};
use super::{huge_pages, PROVEN};
use crate::hash::GOLDEN_RATIO;

/// What is known of positions.
#[derive(Clone)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: u8,
}

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// A proven score counts plies from this position, not from the root.
    score: i16,
    /// The static evaluation, if it was taken.
    evaluation: i16,
    /// How deep the score looks. 0 stands for quiescence.
    depth: u8,
    bound: Bound,
    /// The best move's place in the order of generation.
    best: u8,
    /// When it was stored, in searches.
    generation: u8,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    entry: Entry,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const SLOTS: usize = 4;

const NO_MOVE: u8 = u8::MAX;
const NO_EVALUATION: i16 = i16::MIN;
/// The generation of a slot that was never written.
const NEVER: u8 = 0;
const EMPTY: Slot = Slot {
    key: 0,
    entry: Entry {
        score: 0,
        evaluation: NO_EVALUATION,
        depth: 0,
        bound: Bound::Lower,
        best: NO_MOVE,
        generation: NEVER,
    },
};
/// An entry that is older by a generation is worth this many plies less. Chosen by hand, not measured.
const PLIES_A_GENERATION: i32 = 4;

impl TranspositionTable {
    /// A table of `megabytes` (2^20 bytes each).
    pub fn new(megabytes: usize) -> TranspositionTable {
        let count = (megabytes.max(1) << 20) / size_of::<Bucket>();
        TranspositionTable {
            buckets: huge_pages::filled(Bucket([EMPTY; SLOTS]), count),
            generation: NEVER,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([EMPTY; SLOTS]));
        self.generation = NEVER;
    }

    /// Begins a generation: what was stored before may be overwritten sooner.
    pub(super) fn age(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or(NEVER + 1);
    }

    /// What is known of the position with this key.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let Bucket(slots) = &self.buckets[self.index(key)];
        // Where nothing is optimised, `find` is a call for each slot.
        let mut place = 0;
        while slots[place].key != key {
            place += 1;
            if place == SLOTS {
                return None;
            }
        }
        let entry = slots[place].entry;
        (entry.generation != NEVER).then_some(entry)
    }

    /// Asks the processor to fetch what is known of the position with this key, which is probed soon; processors
    /// other than those of x86-64 are not asked.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            let bucket = &self.buckets[self.index(key)];
            // SAFETY: every x86-64 has the instruction, and it reads nothing.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast());
            }
        }
    }

    /// Stores what is known of a position, over the least valuable of its bucket.
    #[inline]
    pub(super) fn store(&mut self, key: u64, mut entry: Entry) {
        entry.generation = self.generation;
        let index = self.index(key);
        let Bucket(slots) = &mut self.buckets[index];
        let (mut place, mut least) = (0, i32::MAX);
        let mut other = 0;
        while other < SLOTS {
            let slot = &slots[other];
            if slot.key == key {
                place = other;
                if entry.best == NO_MOVE {
                    entry.best = slot.entry.best;
                }
                break;
            }
            let age = entry.generation.wrapping_sub(slot.entry.generation) as i32;
            let value = match slot.entry.generation {
                NEVER => i32::MIN,
                _ => slot.entry.depth as i32 - PLIES_A_GENERATION * age,
            };
            if value < least {
                (place, least) = (other, value);
            }
            other += 1;
        }
        slots[place] = Slot { key, entry };
    }

    /// The bucket of a key: its high bits, for any number of buckets.
    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

impl Entry {
    #[inline(always)]
    pub(super) fn new(
        score: i32,
        bound: Bound,
        depth: i32,
        ply: u32,
        best: Option<u8>,
        evaluation: Option<i32>,
    ) -> Entry {
        let from_here = match score {
            PROVEN.. => score + ply as i32,
            ..=PROVEN_LOSS => score - ply as i32,
            _ => score,
        };
        Entry {
            score: from_here as i16,
            evaluation: evaluation.map_or(NO_EVALUATION, |evaluation| evaluation as i16),
            depth: depth.clamp(0, i32::from(u8::MAX)) as u8,
            bound,
            best: best.unwrap_or(NO_MOVE),
            generation: NEVER,
        }
    }

    /// The score as seen from the root, with this position at `ply`.
    #[inline(always)]
    pub(super) fn score(self, ply: u32) -> i32 {
        let score = i32::from(self.score);
        match score {
            PROVEN.. => score - ply as i32,
            ..=PROVEN_LOSS => score + ply as i32,
            _ => score,
        }
    }

    /// The score, if it makes a search of this many plies with this window unnecessary.
    #[inline(always)]
    pub(super) fn cutoff(self, depth: i32, ply: u32, window: Window) -> Option<i32> {
        let score = self.score(ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        (enough && self.depth() >= depth).then_some(score)
    }

    #[inline(always)]
    pub(super) fn depth(self) -> i32 {
        i32::from(self.depth)
    }

    #[inline(always)]
    pub(super) fn bound(self) -> Bound {
        self.bound
    }

    /// The best move's place in the order of generation.
    #[inline(always)]
    pub(super) fn best(self) -> Option<u8> {
        (self.best != NO_MOVE).then_some(self.best)
    }

    #[inline(always)]
    pub(super) fn evaluation(self) -> Option<i32> {
        (self.evaluation != NO_EVALUATION).then_some(i32::from(self.evaluation))
    }
}

const PROVEN_LOSS: i32 = -PROVEN;

/// This many turns before the end the table begins to distinguish the turns: more than the plies that a turn of
/// the contest is searched (`docs/dev/experiments.md`: a median of 26).
const NEAR_THE_END: u32 = 40;

/// The key of a position in the table, given the turns that each length rule still allows. Near the end by one
/// of them these are part of the key, for there the same board is worth less the later it comes.
#[inline(always)]
pub(super) fn key(hash: u64, [turns, without_capture]: [u32; 2]) -> u64 {
    if turns.min(without_capture) > NEAR_THE_END {
        return hash;
    }
    let near = |left: u32| u64::from(left.min(NEAR_THE_END + 1));
    let left = near(turns) << 32 | near(without_capture);
    hash ^ (left + 1).wrapping_mul(GOLDEN_RATIO)
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_PLY, WIN};
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry::new(10, Bound::Exact, depth, 0, Some(3), Some(7))
    }

    #[test]
    fn an_entry_takes_sixteen_bytes_and_a_bucket_one_cache_line() {
        assert_eq!(size_of::<Slot>(), 16);
        assert_eq!((size_of::<Bucket>(), align_of::<Bucket>()), (64, 64));
    }

    #[test]
    fn exactly_the_stored_entries_are_found() {
        let mut table = TranspositionTable::new(1);
        table.age();
        assert_eq!(table.probe(0), None);
        table.store(1, entry(5));
        let found = table.probe(1).unwrap();
        assert_eq!((found.score(0), found.depth()), (10, 5));
        assert_eq!((found.best(), found.evaluation()), (Some(3), Some(7)));
        assert_eq!(table.probe(2), None);
        table.clear();
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let mut table = TranspositionTable::new(1);
        table.age();
        for (number, depth) in [(1, 9), (2, 4), (3, 8), (4, 7), (5, 1)] {
            table.store(number, entry(depth));
        }
        assert_eq!(table.probe(2), None);
        assert!([1, 3, 4, 5].iter().all(|&n| table.probe(n).is_some()));
    }

    #[test]
    fn an_old_entry_gives_way_before_a_shallower_new_one() {
        let mut table = TranspositionTable::new(1);
        table.age();
        table.store(1, entry(10));
        table.age();
        table.age();
        for number in 2..=5 {
            table.store(number, entry(3));
        }
        assert_eq!(table.probe(1), None);
        assert!((2..=5).all(|n| table.probe(n).is_some()));
    }

    #[test]
    fn however_many_searches_there_were_what_is_stored_is_found_and_fills_empty_slots_first() {
        let mut table = TranspositionTable::new(1);
        for search in 1..=1_000 {
            table.age();
            table.store(search, entry(1));
            assert!(table.probe(search).is_some(), "search {search}");
        }
        table.clear();
        (0..250).for_each(|_| table.age());
        table.store(1, entry(3));
        (0..7).for_each(|_| table.age());
        table.store(2, entry(3));
        assert!(table.probe(1).is_some() && table.probe(2).is_some());
    }

    #[test]
    fn keys_are_spread_over_all_buckets_by_their_high_bits() {
        let table = TranspositionTable::new(1);
        let count = table.buckets.len();
        let places = [0, 1 << 62, 1 << 63, 3 << 62, u64::MAX].map(|key| table.index(key));
        assert_eq!(
            places,
            [0, count / 4, count / 2, count / 4 * 3, count - 1],
            "of {count}"
        );
    }

    #[test]
    fn a_new_result_without_a_move_keeps_the_move_that_was_known() {
        let mut table = TranspositionTable::new(1);
        table.age();
        table.store(1, entry(5));
        table.store(1, Entry::new(0, Bound::Upper, 6, 0, None, None));
        assert_eq!(table.probe(1).and_then(Entry::best), Some(3));
        table.store(1, Entry::new(0, Bound::Upper, 6, 0, Some(5), None));
        assert_eq!(table.probe(1).and_then(Entry::best), Some(5));
        // Another position's move is none of its own.
        (2..=5).for_each(|number| table.store(number, entry(9)));
        table.store(6, Entry::new(0, Bound::Upper, 6, 0, None, None));
        assert_eq!(table.probe(6).map(Entry::best), Some(None));
    }

    #[test]
    fn a_win_is_as_far_from_the_position_wherever_that_is_met() {
        let found_at_ply_4 = Entry::new(WIN - 10, Bound::Exact, 9, 4, None, None);
        assert_eq!(found_at_ply_4.score(2), WIN - 8);
        let lost = Entry::new(10 - WIN, Bound::Exact, 9, 4, None, None);
        assert_eq!(lost.score(2), 8 - WIN);
        // One that is as far off as a search reaches, found where that is as deep as it goes.
        let far = 2 * MAX_PLY as i32;
        let furthest = Entry::new(WIN - far, Bound::Exact, 9, MAX_PLY, None, None);
        assert_eq!(furthest.score(0), WIN - far + MAX_PLY as i32);
        let ordinary = Entry::new(300, Bound::Exact, 9, 4, None, None);
        assert_eq!((ordinary.score(2), ordinary.score(9)), (300, 300));
    }

    #[test]
    fn a_bound_cuts_off_only_a_window_that_lies_beyond_it() {
        let window = |alpha, beta| Window { alpha, beta };
        let at_least = Entry::new(50, Bound::Lower, 5, 0, None, None);
        assert_eq!(at_least.cutoff(5, 0, window(10, 50)), Some(50));
        assert_eq!(at_least.cutoff(5, 0, window(10, 51)), None);
        assert_eq!(at_least.cutoff(6, 0, window(10, 50)), None);
        let at_most = Entry::new(50, Bound::Upper, 5, 0, None, None);
        assert_eq!(at_most.cutoff(5, 0, window(50, 60)), Some(50));
        assert_eq!(at_most.cutoff(5, 0, window(49, 60)), None);
    }

    #[test]
    fn near_the_end_by_a_length_rule_a_key_tells_the_turns_left() {
        let far = key(7, [u32::MAX, 41]);
        assert_eq!((far, key(7, [50, u32::MAX])), (7, 7));
        let few = [
            [40, u32::MAX],
            [39, u32::MAX],
            [u32::MAX, 40],
            [40, 40],
            [0, 0],
            [0, 1],
            [1, 0],
        ];
        let near = few.map(|left| key(7, left));
        for (index, one) in near.iter().enumerate() {
            assert!(*one != far && !near[..index].contains(one), "{near:?}");
        }
    }
}
