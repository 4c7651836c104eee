//! A match summed up from its records.

use super::interval::{Cluster, Interval, score_interval};
use super::quantile::{Times, times};
use super::said::{SaidSummary, nodes_per_second, sum_up};
use crate::record::{GameRecord, RecordedResult};
use crate::table::Termination;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// A match between two bots.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchSummary {
    /// Games that count.
    pub games: u64,
    /// Games that do not, for the referee failed or was stopped.
    pub unrated: u64,
    /// The two bots.
    pub bots: [BotSummary; 2],
    /// How the games that count ended.
    pub terminations: BTreeMap<Termination, u64>,
}

/// One bot's part in a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BotSummary {
    /// Its name.
    pub name: String,
    /// Points a game with a 95 % interval; `null` before the first game.
    pub score: Option<Interval>,
    /// Its games as black.
    pub as_black: Tally,
    /// Its games as white (red).
    pub as_white: Tally,
    /// The games it lost by a fault of its own, by kind.
    pub faults: BTreeMap<Termination, u64>,
    /// How long its answers took; `null` before the first.
    pub times: Option<Times>,
    /// The numbers that it said about itself on its standard error, by name.
    pub said: BTreeMap<String, SaidSummary>,
    /// Its speed, if it said how many nodes it searched.
    pub nodes_per_second: Option<f64>,
}

/// Results of one bot.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl BotSummary {
    /// Its games with either colour.
    pub fn total(&self) -> Tally {
        Tally {
            wins: self.as_black.wins + self.as_white.wins,
            draws: self.as_black.draws + self.as_white.draws,
            losses: self.as_black.losses + self.as_white.losses,
        }
    }
}

/// Sums up the games that the two named bots have played.
pub fn summarise(games: &[GameRecord], names: [&str; 2]) -> MatchSummary {
    let rated: Vec<(&GameRecord, RecordedResult)> = games
        .iter()
        .filter_map(|game| Some((game, game.rated()?)))
        .collect();
    let mut terminations = BTreeMap::new();
    for (game, _) in &rated {
        *terminations.entry(game.termination).or_default() += 1;
    }
    MatchSummary {
        games: rated.len() as u64,
        unrated: (games.len() - rated.len()) as u64,
        bots: names.map(|name| bot_summary(name, games, &rated)),
        terminations,
    }
}

fn bot_summary(
    name: &str,
    games: &[GameRecord],
    rated: &[(&GameRecord, RecordedResult)],
) -> BotSummary {
    let mut tallies = [Tally::default(); 2];
    let mut faults = BTreeMap::new();
    for &(game, result) in rated {
        let side = game.side_of(name);
        let points = result.points(side);
        let tally = &mut tallies[side.index()];
        match points {
            1.0 => tally.wins += 1,
            0.0 => tally.losses += 1,
            _ => tally.draws += 1,
        }
        if !game.termination.is_regular() && points == 0.0 {
            *faults.entry(game.termination).or_default() += 1;
        }
    }
    let turns = || {
        games.iter().flat_map(|game| {
            let side = game.side_of(name);
            game.turns.iter().filter(move |turn| turn.side == side)
        })
    };
    let answer_times: Vec<Duration> = turns()
        .filter(|turn| turn.reply.is_some())
        .map(|turn| turn.time)
        .collect();
    let [as_black, as_white] = tallies;
    BotSummary {
        name: name.into(),
        score: score_interval(&clusters(games, name)),
        as_black,
        as_white,
        faults,
        times: times(answer_times),
        said: sum_up(turns()),
        nodes_per_second: nodes_per_second(turns()),
    }
}

/// The points of the named bot in the games that count, pair by pair. Games `2n - 1` and `2n` are a pair.
pub fn clusters(games: &[GameRecord], name: &str) -> Vec<Cluster> {
    let mut pairs: BTreeMap<u64, Cluster> = BTreeMap::new();
    for game in games {
        let Some(result) = game.rated() else { continue };
        let pair = pairs.entry((game.number - 1) / 2).or_insert(Cluster {
            points: 0.0,
            games: 0.0,
        });
        pair.points += result.points(game.side_of(name));
        pair.games += 1.0;
    }
    pairs.into_values().collect()
}
