//! How a bot came in: its wins, draws and losses by the seat that it had, and among more than two players its places.

use serde::Serialize;
use std::collections::BTreeMap;

/// Results of one bot. Among more than two players a win is the first place alone, a draw the first place shared, and all
/// else a loss.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// How often a bot came in at a place.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PlaceCount {
    /// The place: 1 is the first, 1.5 the first two shared.
    pub place: f64,
    /// In how many games.
    pub games: u64,
}

/// What is counted of a bot's games.
#[derive(Clone, Debug)]
pub(super) struct SeatTallies {
    pub(super) by_seat: Vec<Tally>,
    /// How often it had how many half places before its own.
    places: BTreeMap<usize, u64>,
}

impl SeatTallies {
    /// Nothing counted yet, in games of so many players.
    pub(super) fn new(players: usize) -> SeatTallies {
        SeatTallies {
            by_seat: vec![Tally::default(); players],
            places: BTreeMap::new(),
        }
    }

    /// Counts a game by the scores of its players.
    pub(super) fn add(&mut self, scores: &[f64], seat: usize) {
        let own = scores[seat];
        let ahead = scores.iter().filter(|&&score| score > own).count();
        let level = scores.iter().filter(|&&score| score == own).count() - 1;
        let tally = &mut self.by_seat[seat];
        match (ahead, level) {
            (0, 0) => tally.wins += 1,
            (0, _) => tally.draws += 1,
            _ => tally.losses += 1,
        }
        *self.places.entry(2 * ahead + level).or_default() += 1;
    }

    /// Its places, the best first: those that are level share the mean of theirs.
    pub(super) fn places(&self) -> Vec<PlaceCount> {
        let count = |(&half_places, &games): (&usize, &u64)| PlaceCount {
            place: 1.0 + half_places as f64 / 2.0,
            games,
        };
        self.places.iter().map(count).collect()
    }
}

/// The mean of these places; `None` where there are none.
pub(super) fn mean_place(places: &[PlaceCount]) -> Option<f64> {
    let games: u64 = places.iter().map(|count| count.games).sum();
    let sum: f64 = places
        .iter()
        .map(|count| count.place * count.games as f64)
        .sum();
    (games > 0).then(|| sum / games as f64)
}
