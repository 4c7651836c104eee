//! Random openings that leave the game about even, as a search of the built-in bot has it.

use super::{Opening, random};
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead::search::{MAX_PLY, NodeLimit, Parameters, Root, TranspositionTable, search};
use crownhead_bots::games::{GameName, GameVisitor, Played};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The highest score of a balanced opening for either side, in hundredths of a man.
const MARGIN: i32 = 50;
/// Positions that are looked at to score an opening.
const NODES: u64 = 20_000;
const TABLE_MEBIBYTES: usize = 1;
/// Openings that are tried before none counts as balanced.
const ATTEMPTS: u32 = 1000;

/// The first balanced one of the [`random`] openings of `plies` moves that follow from `seed`.
///
/// The same seed gives the same opening as long as the built-in search and its evaluation stay the same. `None` when
/// no attempt was balanced, and in a game that has no built-in search.
pub fn balanced<G: Notation>(rules: &RuleBook, plies: u32, seed: u64) -> Option<Opening> {
    GameName::find(G::NAME)?.choose(Balanced { rules, plies, seed })
}

struct Balanced<'a> {
    rules: &'a RuleBook,
    plies: u32,
    seed: u64,
}

impl GameVisitor for Balanced<'_> {
    type Output = Option<Opening>;

    fn run<G: Played>(self) -> Option<Opening> {
        let mut seeds = Pcg64::seed_from_u64(self.seed);
        for _ in 0..ATTEMPTS {
            let opening = random::<G>(self.rules, self.plies, seeds.random())?;
            if is_balanced::<G>(&opening, self.rules) {
                return Some(opening);
            }
        }
        None
    }
}

fn is_balanced<G: Played>(opening: &Opening, rules: &RuleBook) -> bool {
    let game = opening.rebuild::<G>(rules).expect("its moves are legal");
    let evaluation = G::Judge::default();
    let root = Root {
        turns: game.turn() - 1,
        turns_without_capture: game.turns_without_capture(),
        ..Root::new(game.position(), rules, &evaluation)
    };
    let mut table = TranspositionTable::new(TABLE_MEBIBYTES);
    let mut limit = NodeLimit { nodes: NODES };
    search(
        &root,
        &Parameters::default(),
        &mut table,
        MAX_PLY,
        &mut limit,
    )
    .is_some_and(|report| report.score.abs() <= MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::games::everchess::EverChess;

    #[test]
    fn an_opening_follows_from_its_seed_and_is_balanced_in_every_game() {
        let opening = |seed| balanced::<Checkers>(&rules::CONTEST, 8, seed).unwrap();
        assert_eq!(opening(1), opening(1));
        assert_ne!(opening(1), opening(2));
        for seed in 0..4 {
            assert_eq!(opening(seed).moves.len(), 8);
            assert!(is_balanced::<Checkers>(&opening(seed), &rules::CONTEST));
        }
        let book = EverChess::RULE_BOOKS[0];
        assert!(balanced::<EverChess>(&book, 2, 1).is_some());
    }

    #[test]
    fn openings_that_are_lost_already_are_passed_over() {
        let unbalanced = (0..40).filter(|&seed| {
            let opening = random::<Checkers>(&rules::CONTEST, 8, seed).unwrap();
            !is_balanced::<Checkers>(&opening, &rules::CONTEST)
        });
        assert!(unbalanced.count() > 5, "plain random openings are not");
    }
}
