//! The three-move ballots of tournament checkers.
//!
//! In tournaments the first three moves are drawn from a deck; the deck of the American Checker Federation has
//! 156 openings since 2003 (usacheckers.com, "The 156-Opening Three-Move Deck" and "How Opening Rankings Were
//! Computed"). `ballots.txt` has them in PDN's numbers, each move by its first and last square. Of the 302 sequences of
//! three moves (OEIS A133046), 216 lead to different positions; 174 of those lose no man at once, and 18 of them are
//! barred as lost all the same (B. Newell, bobnewell.net, on E. Gilbert's analysis of the "18 lost ballots").

use super::Opening;
use crownhead::board::Side;
use crownhead::game::Game;
use crownhead::games::checkers::{Checkers, CheckersMove, square_of_pdn};
use crownhead::position::Position;
use crownhead::rules::RuleBook;

const DECK: &str = include_str!("ballots.txt");

/// The 156 accepted ballots, in the order of their moves' numbers.
///
/// If white moves first, the same ballots are seen from its side.
pub fn ballots(rules: &RuleBook) -> Vec<Opening> {
    DECK.lines().map(|line| ballot(line, rules)).collect()
}

fn ballot(line: &str, rules: &RuleBook) -> Opening {
    let square = |number: &str| {
        let number: u8 = number.parse().expect("a number of a square");
        let seen = match rules.moves_first {
            Side::Black => number,
            Side::White => 33 - number,
        };
        square_of_pdn(seen)
    };
    let mut game = Game::<Checkers>::new(*rules);
    let moves = line.split(' ').map(|word| {
        let (from, to) = word.split_once('-').expect("two squares");
        let moves = game.position().legal_moves();
        let ends = [from, to].map(square);
        let is_meant = |mv: &&CheckersMove| ends == [mv.squares().next(), mv.squares().last()];
        let mv = *moves.iter().find(is_meant).expect("a legal move");
        game.play(mv).expect("a legal move");
        mv.to_string()
    });
    Opening {
        moves: moves.collect(),
        ..Opening::default()
    }
}

#[cfg(test)]
mod tests {
    use super::ballots;
    use crownhead::games::checkers::rules;
    use crownhead_bots::CHECKERS;
    use std::collections::HashSet;

    #[test]
    fn the_deck_has_156_positions_in_both_rule_books() {
        for rules in [rules::CONTEST, rules::CLASSROOM] {
            let ballots = ballots(&rules);
            let position = |opening: &crate::openings::Opening| {
                let board = opening.rebuild(CHECKERS, &rules).unwrap();
                (board.rows(), board.mover())
            };
            let distinct: HashSet<_> = ballots.iter().map(position).collect();
            assert_eq!((ballots.len(), distinct.len()), (156, 156));
        }
        // 9-13 21-17 5-9.
        assert_eq!(ballots(&rules::CONTEST)[0].moves, ["G3H4", "H6G5", "H2G3"]);
    }
}
