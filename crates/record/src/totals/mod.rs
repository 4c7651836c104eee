//! What many games come to: the totals of a match, quantiles of answer times, and what bots said of themselves.
//!
//! Pure functions of the records; nothing here counts along while games are played.

mod summary;
mod turns;

pub use summary::{
    BotSummary, GivenBack, MatchSummary, Tally, clusters, place_by_points, summarise, unconnected,
};
pub use turns::{SaidSummary, Times, times};

use crate::GameRecord;
use crownhead_stats::sprt::SprtPair;
use std::cmp::Ordering;

/// A pair of games, or a round, as the sequential test counts it: the result between two bots of these names, in all games of a pair or round.
pub fn sprt_pair(games: &[GameRecord], [first, second]: [&str; 2]) -> SprtPair {
    let half_points = |game: &GameRecord| {
        let points = |name: &str| game.score_of(name).unwrap_or_default();
        match points(first).total_cmp(&points(second)) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        }
    };
    let half_points = games.iter().map(half_points).sum();
    let loser = match games.len().cmp(&half_points) {
        Ordering::Greater => Some(first),
        Ordering::Equal => None,
        Ordering::Less => Some(second),
    };
    let has_failed = |name: &str| {
        let is_fault = |game: &GameRecord| {
            let place = game.place_of(name);
            place.is_some_and(|place| game.fault_of(place).is_some())
        };
        games.iter().any(is_fault)
    };
    SprtPair {
        half_points,
        by_fault: loser.is_some_and(has_failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{faulty, game};

    #[test]
    fn a_round_of_three_is_what_two_bots_did_against_each_other() {
        let of = |games: &[GameRecord]| sprt_pair(games, ["anna", "bert"]);
        let games = [
            game(1, &["anna", "bert", "carl"], &[0.5, 0.0, 1.0]),
            game(2, &["carl", "anna", "bert"], &[0.5, 1.0, 0.0]),
            game(3, &["bert", "carl", "anna"], &[0.25, 1.0, 0.25]),
        ];
        let expected = |half_points, by_fault| SprtPair {
            half_points,
            by_fault,
        };
        assert_eq!(of(&games), expected(5, false));
        let [one, two, three] = games;
        // It is carl who fails.
        let third = faulty(3, &["bert", "carl", "anna"], &[0.75, 0.0, 0.75], &[1]);
        assert_eq!(of(&[one.clone(), two.clone(), third]), expected(5, false));
        let bert = faulty(2, &["carl", "anna", "bert"], &[0.5, 1.0, 0.0], &[2]);
        assert_eq!(of(&[one.clone(), bert, three.clone()]), expected(5, true));
        // Both bert and carl fail, and are tied.
        let both = faulty(2, &["carl", "anna", "bert"], &[0.25, 1.0, 0.25], &[0, 2]);
        assert_eq!(of(&[one.clone(), both, three.clone()]), expected(5, true));
        // A bot that loses a game by a fault and wins the round has not won it by a fault.
        let anna = faulty(3, &["bert", "carl", "anna"], &[1.0, 0.5, 0.0], &[2]);
        assert_eq!(of(&[one, two, anna]), expected(4, false));
    }

    #[test]
    fn a_pair_counts_as_it_did_when_only_two_can_play() {
        let of = |points: [f64; 2]| {
            let games = [
                game(1, &["anna", "bert"], &[points[0], 1.0 - points[0]]),
                game(2, &["bert", "anna"], &[1.0 - points[1], points[1]]),
            ];
            sprt_pair(&games, ["anna", "bert"]).half_points
        };
        let results = [[0.0, 0.0], [0.0, 0.5], [1.0, 0.0], [0.5, 1.0], [1.0, 1.0]];
        assert_eq!(results.map(of), [0, 1, 2, 3, 4]);
    }
}
