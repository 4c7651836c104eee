//! Random legal openings, and those of them that leave the game about even by a search of the built-in bot.

use super::Opening;
use crownhead::rules::RuleBook;
use crownhead::search::MAX_PLY;
use crownhead_bots::{BoardGame, Searcher, Subject};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Attempts at an opening before its length counts as too long for the game, or none as balanced.
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

/// The highest score of a balanced opening for either side, in hundredths of a man.
const MARGIN: i32 = 50;
/// Positions that are searched to score an opening.
const NODES: u64 = 20_000;
const TABLE_MEBIBYTES: usize = 1;

/// The first balanced one of the random openings of `plies` moves that follow from `seed`.
///
/// The same seed gives the same opening as long as the built-in search and its evaluation stay the same. `None` if no
/// attempt was balanced.
pub(super) fn balanced(
    game: &'static dyn BoardGame,
    rules: &RuleBook,
    plies: u32,
    seed: u64,
) -> Option<Opening> {
    let mut seeds = Pcg64::seed_from_u64(seed);
    let mut searcher = game.searcher(TABLE_MEBIBYTES);
    for _ in 0..ATTEMPTS {
        let opening = random(game, rules, plies, seeds.random())?;
        if is_balanced(&opening, game, rules, searcher.as_mut()) {
            return Some(opening);
        }
    }
    None
}

fn is_balanced(
    opening: &Opening,
    game: &'static dyn BoardGame,
    rules: &RuleBook,
    searcher: &mut dyn Searcher,
) -> bool {
    let board = opening.rebuild(game, rules).expect("its moves are legal");
    searcher.clear();
    let mut stop = |nodes| nodes >= NODES;
    let subject = Subject::new(board.as_ref());
    let found = searcher.search(&subject, MAX_PLY, &mut stop);
    found.is_some_and(|found| found.score.abs() <= MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::rules;
    use crownhead_bots::{CHECKERS, EVERCHESS};

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

    fn is_even(opening: &Opening) -> bool {
        let mut searcher = CHECKERS.searcher(TABLE_MEBIBYTES);
        is_balanced(opening, CHECKERS, &rules::CONTEST, searcher.as_mut())
    }

    #[test]
    fn an_opening_follows_from_its_seed_and_is_balanced_in_every_game() {
        let opening = |seed| balanced(CHECKERS, &rules::CONTEST, 8, seed).unwrap();
        assert_eq!(opening(1), opening(1));
        assert_ne!(opening(1), opening(2));
        for seed in 0..4 {
            assert_eq!(opening(seed).moves.len(), 8);
            assert!(is_even(&opening(seed)));
        }
        let book = EVERCHESS.rule_books()[0];
        assert!(balanced(EVERCHESS, &book, 2, 1).is_some());
    }

    #[test]
    fn openings_that_are_lost_already_are_passed_over() {
        let unbalanced = (0..40).filter(|&seed| {
            let opening = random(CHECKERS, &rules::CONTEST, 8, seed).unwrap();
            !is_even(&opening)
        });
        assert!(unbalanced.count() > 5, "plain random openings are not");
    }
}
