//! Derives seeds. All random choices of a run follow from one number through this module.
//!
//! The numbers that go into a seed never change: with the seed of an old record, its games repeat.

use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// The purpose of a seed within a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose<'a> {
    /// A random opening, or the order of one round through a list of openings.
    Opening {
        /// Which one, from 0.
        number: u64,
    },
    /// A bot in a game of a match.
    MatchBot {
        /// The number of the game, from 1.
        game: u64,
        /// Which of the two bots, 0 or 1.
        bot: u64,
    },
    /// A bot in a game of a ladder.
    LadderBot {
        /// The names of the bots.
        bots: &'a [&'a str],
        /// The number of the pair between them, from 0.
        round: u64,
        /// The game within the pair, from 0.
        game: u64,
        /// Which of the bots, from 0.
        bot: u64,
    },
    /// The order of a round of a schedule, or the choice of its next pair.
    Schedule {
        /// Which one, from 0.
        number: u64,
    },
    /// The openings of two bots that also play others.
    Pairing {
        /// Their names; their order tells nothing.
        bots: [&'a str; 2],
    },
    /// The openings of three bots or more that also play others.
    Field {
        /// Their names; their order tells nothing.
        bots: &'a [&'a str],
    },
    /// The seats in a round of three players or more.
    Seats {
        /// Which round, from 0.
        round: u64,
    },
    /// A turn of a built-in bot in the referee's own process.
    Turn {
        /// The index of its side.
        side: u64,
        /// The number of the turn, from 1.
        turn: u64,
    },
    /// An answer of the opening of an external referee's game, whose seed is the run's.
    OpeningAnswer {
        /// The number of the turn, from 0.
        turn: u64,
    },
    /// A game of a search against itself, for training.
    TrainingGame {
        /// Which one, from 0.
        number: u64,
    },
}

impl Purpose<'_> {
    /// The seed for this purpose in a run with this seed.
    pub fn seed(self, run: u64) -> u64 {
        match self {
            Purpose::Opening { number } => mix_in(run, &[1, number]),
            Purpose::MatchBot { game, bot } => mix_in(run, &[2, game, bot]),
            Purpose::LadderBot {
                bots,
                round,
                game,
                bot,
            } => {
                let names: Vec<u64> = bots.iter().map(stable_hash).collect();
                mix_in(run, &[&[2][..], &names, &[round, game, bot]].concat())
            }
            Purpose::Schedule { number } => mix_in(run, &[3, number]),
            Purpose::Pairing { mut bots } => {
                bots.sort_unstable();
                let [one, other] = bots.map(stable_hash);
                mix_in(run, &[4, one, other])
            }
            Purpose::Field { bots } => {
                let mut names: Vec<u64> = bots.iter().map(stable_hash).collect();
                names.sort_unstable();
                mix_in(run, &[&[5][..], &names].concat())
            }
            Purpose::Seats { round } => mix_in(run, &[6, round]),
            Purpose::OpeningAnswer { turn } => mix_in(run, &[7, turn]),
            // Nothing else is drawn from the seed of such a table or bot, so turns need no number of their own.
            Purpose::Turn { side, turn } => mix_in(run, &[side, turn]),
            // Nor is anything else of such a run.
            Purpose::TrainingGame { number } => mix_in(run, &[number]),
        }
    }
}

/// The numbers below `count` in random order.
pub fn shuffled(seed: u64, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(&mut Pcg64::seed_from_u64(seed));
    order
}

/// One of these at random, each equally likely; `None` if there are none.
pub fn one_of<T>(seed: u64, all: &[T]) -> Option<&T> {
    all.choose(&mut Pcg64::seed_from_u64(seed))
}

/// A seed for a run without one. It is below 2⁵³, so that programs with only floating-point numbers read it back
/// exactly.
pub fn by_chance() -> u64 {
    UnwrapErr(SysRng).next_u64() >> 11
}

/// A hash of a text or a file, the same on every machine and in every version (FNV-1a in 64 bits: G. Fowler, L. C. Noll
/// and K.-P. Vo).
pub fn stable_hash(text: impl AsRef<[u8]>) -> u64 {
    let bytes = text.as_ref().iter();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn mix_in(seed: u64, numbers: &[u64]) -> u64 {
    let mix_one = |mixed, &number| mix(mixed ^ mix(number));
    numbers.iter().fold(mix(seed), mix_one)
}

/// The mixing step of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTS: [&str; 2] = ["anna", "bert"];

    #[test]
    fn seeds_are_those_of_the_first_version_so_that_old_records_repeat() {
        let cases = [
            (Purpose::Opening { number: 7 }, 0xaeda_ff66_1eb9_3d54),
            (Purpose::MatchBot { game: 3, bot: 1 }, 0x19dc_41a7_c326_cc0d),
            (
                Purpose::LadderBot {
                    bots: &BOTS,
                    round: 5,
                    game: 1,
                    bot: 0,
                },
                0x12d8_c648_5292_52b7,
            ),
            (Purpose::Schedule { number: 2 }, 0xadd8_159c_8f61_4d3c),
            (Purpose::Turn { side: 1, turn: 9 }, 0x0420_a38b_dfc4_e737),
        ];
        for (purpose, seed) in cases {
            assert_eq!(purpose.seed(42), seed, "{purpose:?}");
        }
    }

    #[test]
    fn every_purpose_has_a_seed_of_its_own() {
        let ladder_bot = |bots, game, bot| Purpose::LadderBot {
            bots,
            round: 0,
            game,
            bot,
        };
        let purposes = [
            Purpose::Opening { number: 0 },
            Purpose::Opening { number: 1 },
            Purpose::MatchBot { game: 1, bot: 0 },
            Purpose::MatchBot { game: 1, bot: 1 },
            ladder_bot(&BOTS, 0, 0),
            ladder_bot(&BOTS, 0, 1),
            ladder_bot(&BOTS, 1, 0),
            ladder_bot(&["bert", "anna"], 0, 0),
            ladder_bot(&["anna", "bert", "carl"], 0, 0),
            Purpose::Schedule { number: 0 },
            Purpose::Pairing { bots: BOTS },
            Purpose::OpeningAnswer { turn: 0 },
            Purpose::OpeningAnswer { turn: 1 },
        ];
        let seeds = [1, 2].map(|run| purposes.map(|purpose| purpose.seed(run)));
        let distinct: std::collections::HashSet<_> = seeds.as_flattened().iter().collect();
        assert_eq!(distinct.len(), 2 * purposes.len());
    }

    #[test]
    fn a_seed_by_chance_is_a_whole_number_in_floating_point_too() {
        for _ in 0..100 {
            let seed = by_chance();
            assert_eq!(seed as f64 as u64, seed);
            assert!(seed < 1 << 53);
        }
        assert_ne!(by_chance(), by_chance());
    }

    #[test]
    fn each_is_chosen_as_its_seed_has_it() {
        let all = ["a", "b", "c"];
        let chosen: Vec<_> = (0..100).map(|seed| one_of(seed, &all)).collect();
        assert!(all.iter().all(|one| chosen.contains(&Some(one))));
        assert_eq!(one_of(5, &all), chosen[5]);
        assert_eq!(one_of::<&str>(5, &[]), None);
    }

    #[test]
    fn the_order_of_two_names_tells_nothing_of_their_openings() {
        let [one, other] = BOTS;
        let seed = |bots| Purpose::Pairing { bots }.seed(1);
        assert_eq!(seed([one, other]), seed([other, one]));
    }

    #[test]
    fn a_text_has_the_hash_that_the_authors_of_fnv_publish() {
        assert_eq!(stable_hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(stable_hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(stable_hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn an_order_by_chance_has_every_number_once_and_follows_from_its_seed() {
        let mut order = shuffled(3, 20);
        assert_eq!(order, shuffled(3, 20));
        assert_ne!(order, shuffled(4, 20));
        order.sort_unstable();
        assert_eq!(order, (0..20).collect::<Vec<_>>());
    }
}
