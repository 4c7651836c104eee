//! The three-move ballots of tournament checkers.
//!
//! In tournaments the first three moves are drawn from a deck; the deck of the American Checker Federation has
//! 156 openings since 2003 (usacheckers.com, "The 156-Opening Three-Move Deck" and "How Opening Rankings Were
//! Computed"). Here they are generated: of the 302 sequences of three moves (OEIS A133046), 216 lead to
//! different positions, and 174 of those lose no man at once. The same 174 are counted where the deck is
//! explained (B. Newell, bobnewell.net, on E. Gilbert's analysis of the "18 lost ballots"). 18 of them are
//! barred as lost all the same.

use super::Opening;
use crownhead::board::Side;
use crownhead::game::Game;
use crownhead::games::checkers::{Checkers, CheckersMove, pdn_of_square};
use crownhead::position::Position;
use crownhead::rules::RuleBook;

/// The moves of a ballot.
const PLIES: usize = 3;

/// The barred ballots that lose no man, in PDN's numbers, each move by its first and last square.
#[rustfmt::skip]
const BARRED: [[(u8, u8); PLIES]; 18] = [
    [(9, 13), (21, 17), (10, 14)], [(9, 13), (23, 18), (10, 14)], [(9, 13), (24, 19), (10, 15)],
    [(9, 13), (24, 20), (12, 16)], [(9, 14), (22, 18), (12, 16)], [(9, 14), (22, 18), (14, 17)],
    [(9, 14), (23, 19), (10, 15)], [(9, 14), (24, 19), (10, 15)], [(10, 14), (24, 19), (11, 15)],
    [(10, 15), (21, 17), (9, 14)], [(10, 15), (22, 17), (9, 14)], [(10, 15), (24, 20), (11, 16)],
    [(11, 15), (21, 17), (10, 14)], [(11, 16), (21, 17), (10, 14)], [(11, 16), (22, 18), (10, 15)],
    [(11, 16), (24, 19), (10, 15)], [(12, 16), (23, 18), (9, 14)], [(12, 16), (23, 19), (16, 23)],
];

/// Turns within which a ballot must not lose a man; a capture that is due then is still played.
const DEPTH: u32 = 4;

/// The 156 accepted ballots, in the order of their moves' numbers.
///
/// If white moves first, the same ballots are seen from its side.
pub fn ballots(rules: &RuleBook) -> Vec<Opening> {
    let (sequences, sound) = sound_ballots(rules);
    // By position: a barred one may have been reached by other moves first.
    let barred = barred(&sequences);
    let accepted = sound
        .iter()
        .filter(|ballot| !barred.contains(ballot.position()));
    accepted.map(opening).collect()
}

/// The moves of a ballot, by their names.
fn opening(ballot: &Game<Checkers>) -> Opening {
    Opening {
        moves: ballot.moves().map(|mv| mv.to_string()).collect(),
        ..Opening::default()
    }
}

/// The positions of the barred ballots.
fn barred(sequences: &[Sequence]) -> Vec<Checkers> {
    let barred = sequences
        .iter()
        .filter(|(numbers, _)| BARRED.contains(numbers));
    barred.map(|(_, game)| *game.position()).collect()
}

type Numbers = [(u8, u8); PLIES];
type Sequence = (Numbers, Game<Checkers>);

/// All sequences of three moves, and of those that lose no man at once the first for each position.
fn sound_ballots(rules: &RuleBook) -> (Vec<Sequence>, Vec<Game<Checkers>>) {
    let mut all = Vec::new();
    each_sequence(&mut Game::new(*rules), &mut Vec::new(), &mut all);
    all.sort_by_key(|&(numbers, _)| numbers);
    let mut sound: Vec<Game<Checkers>> = Vec::new();
    for (_, game) in &all {
        let position = game.position();
        let known = sound.iter().any(|other| other.position() == position);
        if !known && gain(position, DEPTH, -MOST_MEN, MOST_MEN) == 0 {
            sound.push(game.clone());
        }
    }
    (all, sound)
}

fn each_sequence(
    game: &mut Game<Checkers>,
    numbers: &mut Vec<(u8, u8)>,
    found: &mut Vec<Sequence>,
) {
    if let Ok(numbers) = Numbers::try_from(numbers.as_slice()) {
        found.push((numbers, game.clone()));
        return;
    }
    for mv in game.position().legal_moves() {
        numbers.push(ends(mv, game.rules().moves_first));
        game.play(mv).expect("a legal move");
        each_sequence(game, numbers, found);
        game.undo();
        numbers.pop();
    }
}

/// The first and the last square of a move by PDN's numbers, seen from the side that moves first.
fn ends(mv: CheckersMove, moves_first: Side) -> (u8, u8) {
    let number = |square| {
        let number = pdn_of_square(square).expect("pieces stand on playing squares");
        match moves_first {
            Side::Black => number,
            Side::White => 33 - number,
        }
    };
    let mut squares = mv.squares().map(number);
    let first = squares.next().expect("a move has squares");
    (first, squares.last().expect("and more than one"))
}

const MOST_MEN: i32 = 100;

/// How many men the mover is ahead after `depth` turns and all captures that are then due.
fn gain(position: &Checkers, depth: u32, mut low: i32, high: i32) -> i32 {
    let moves = position.legal_moves();
    let Some(first) = moves.first() else {
        return -MOST_MEN;
    };
    if depth == 0 && !first.is_jump() {
        let men = |side| position.pieces(side).count() as i32;
        let mover = position.side_to_move();
        return men(mover) - men(mover.opponent());
    }
    for mv in moves {
        let after = position.play_unchecked(mv);
        low = low.max(-gain(&after, depth.saturating_sub(1), -high, -low));
        if low >= high {
            break;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::{ballots, barred, sound_ballots};
    use crownhead::games::checkers::rules;
    use std::collections::HashSet;

    #[test]
    fn there_are_as_many_ballots_as_the_published_deck_has() {
        for rules in [rules::CONTEST, rules::CLASSROOM] {
            let (sequences, sound) = sound_ballots(&rules);
            assert_eq!((sequences.len(), sound.len()), (302, 174));
            assert_eq!(barred(&sequences).len(), 18);
            assert_eq!(ballots(&rules).len(), 156);
        }
    }

    #[test]
    fn ballots_are_distinct_and_in_order() {
        let ballots = ballots(&rules::CONTEST);
        let distinct: HashSet<_> = ballots.iter().collect();
        assert_eq!(distinct.len(), 156);
        // 9-13 21-17 5-9.
        assert_eq!(ballots[0].moves, ["G3H4", "H6G5", "H2G3"]);
    }

    /// 9-14 23-18 14x23 ends in a capture that is retaken: even, and in the deck.
    #[test]
    fn a_man_that_is_won_back_is_not_lost() {
        let ballots = ballots(&rules::CONTEST);
        let exchange = ["G3F4", "D6E5", "F4D6"];
        assert!(ballots.iter().any(|ballot| ballot.moves == exchange));
    }

    #[test]
    fn a_man_given_away_is_no_ballot() {
        // 9-14 21-17: the man on 17 is taken for nothing.
        let ballots = ballots(&rules::CONTEST);
        let begins = ["G3F4".to_string(), "H6G5".to_string()];
        assert!(
            ballots
                .iter()
                .all(|ballot| !ballot.moves.starts_with(&begins))
        );
    }
}
