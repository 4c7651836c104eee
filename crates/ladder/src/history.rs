//! The history of ratings while a ladder was played.

use crate::store::StoredPair;
use crate::{Config, LadderTally, Roster};
use serde::Serialize;

/// The rating of each bot after numbers of pairs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingHistory {
    /// The bots' names.
    pub bots: Vec<String>,
    /// Pairs finished, and the ratings of all bots then.
    pub points: Vec<(u64, Vec<f64>)>,
}

/// The number of points of a history; a plot shows no more.
const POINTS: usize = 100;

/// The ratings after each of up to a hundred equal steps of these pairs, in the order of storing. A version that comes
/// later has the rating of a bot without games until then.
pub fn ratings_over_pairs(config: &Config, roster: &Roster, pairs: &[StoredPair]) -> RatingHistory {
    let step = pairs.len().div_ceil(POINTS).max(1);
    // Assign all numbers first, so that every point has the same number of ratings.
    let mut roster = roster.clone();
    for pair in pairs {
        let _ = (
            roster.number_of(&pair.key.first),
            roster.number_of(&pair.key.second),
        );
    }
    let mut tally = LadderTally::new(roster);
    let mut points = Vec::new();
    for chunk in pairs.chunks(step) {
        for pair in chunk {
            tally.add(pair);
        }
        points.push((tally.pairs(), tally.ratings(config).ratings));
    }
    RatingHistory {
        bots: (0..tally.roster.len())
            .map(|number| tally.roster.label(number))
            .collect(),
        points,
    }
}
