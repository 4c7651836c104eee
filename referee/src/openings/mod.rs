//! Where games begin: random legal openings, the same on every machine.

use crownhead::game::Game;
use crownhead::history::History;
use crownhead::rules::RuleBook;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

/// A seed of its own for every purpose within a run: a mix of the run's seed and a few numbers.
///
/// (The mixing step is that of SplitMix64, Steele, Lea and Flood 2014.)
pub fn seed_for(seed: u64, numbers: &[u64]) -> u64 {
    numbers
        .iter()
        .fold(mix(seed), |mixed, &number| mix(mixed ^ mix(number)))
}

fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Attempts at an opening after which the game leaves none of that length.
const ATTEMPTS: u32 = 1000;

/// `plies` random legal moves from the start, after which the game still goes on.
///
/// Follows from `seed` alone. `None` when no such opening was found: the game is over by then.
pub fn random<G: Game>(rules: &RuleBook, plies: u32, seed: u64) -> Option<Vec<G::Move>> {
    let mut chance = Pcg64::seed_from_u64(seed);
    (0..ATTEMPTS).find_map(|_| {
        let mut history = History::<G>::new(*rules);
        for _ in 0..plies {
            let moves = history.position().legal_moves();
            history
                .play(*moves.choose(&mut chance)?)
                .expect("a legal move");
        }
        history
            .result()
            .is_none()
            .then(|| history.moves().collect())
    })
}

#[cfg(test)]
mod tests {
    use super::{random, seed_for};
    use crownhead::games::checkers::{Checkers, rules};

    fn opening(plies: u32, seed: u64) -> Vec<String> {
        let moves = random::<Checkers>(&rules::CONTEST, plies, seed).unwrap();
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_opening_follows_from_its_seed_on_every_machine() {
        assert_eq!(opening(4, 1), opening(4, 1));
        assert_eq!(opening(4, 1), ["C3B4", "H6G5", "D2C3", "D6E5"]);
        let all: std::collections::HashSet<_> = (0..100).map(|seed| opening(4, seed)).collect();
        assert!(
            all.len() > 90,
            "openings differ between seeds: {}",
            all.len()
        );
    }

    #[test]
    fn an_opening_longer_than_any_game_is_not_found() {
        assert_eq!(random::<Checkers>(&rules::CONTEST, 500, 1), None);
        assert_eq!(random::<Checkers>(&rules::CONTEST, 0, 1), Some(vec![]));
    }

    #[test]
    fn every_purpose_has_a_seed_of_its_own() {
        let seeds = [
            seed_for(1, &[]),
            seed_for(1, &[0]),
            seed_for(1, &[0, 0]),
            seed_for(1, &[1, 0]),
            seed_for(1, &[0, 1]),
            seed_for(2, &[0, 1]),
        ];
        let distinct: std::collections::HashSet<_> = seeds.into_iter().collect();
        assert_eq!(distinct.len(), seeds.len());
    }
}
