//! Random legal openings.

use super::Opening;
use crownhead::rules::RuleBook;
use crownhead_bots::BoardGame;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

/// Attempts at an opening before its length counts as too long for the game.
const ATTEMPTS: u32 = 1000;

/// `plies` random legal moves from the start that do not end the game.
///
/// Follows only from `seed`. `None` if every attempt ended the game.
pub fn random(
    game: &'static dyn BoardGame,
    rules: &RuleBook,
    plies: u32,
    seed: u64,
) -> Option<Opening> {
    let mut rng = Pcg64::seed_from_u64(seed);
    (0..ATTEMPTS).find_map(|_| {
        let mut board = game.start(*rules);
        for _ in 0..plies {
            let moves = board.legal_moves();
            board.play(moves.choose(&mut rng)?);
        }
        board
            .result()
            .is_none()
            .then(|| Opening::of(board.as_ref()))
    })
}

#[cfg(test)]
mod tests {
    use super::random;
    use crate::openings::Opening;
    use crownhead::games::checkers::rules;
    use crownhead_bots::CHECKERS;

    fn opening(plies: u32, seed: u64) -> Vec<String> {
        random(CHECKERS, &rules::CONTEST, plies, seed)
            .unwrap()
            .moves
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
        assert_eq!(random(CHECKERS, &rules::CONTEST, 500, 1), None);
        let none = random(CHECKERS, &rules::CONTEST, 0, 1);
        assert_eq!(none, Some(Opening::default()));
    }
}
