//! The table of a ladder and its history, from stored pairs alone.

use super::config::Config;
use super::roster::Roster;
use crate::store::StoredPair;
use crownhead_record::totals::{place_by_points, unconnected};
use crownhead_record::{GameSummary, Termination};
use crownhead_stats::rating::{Prior, Ratings, Results, fit};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// A ladder's table, the strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// How many players a game has.
    #[serde(skip_serializing_if = "is_two")]
    pub players: usize,
    /// Finished pairs of games; rounds, if games have more than two players.
    pub pairs: u64,
    /// The bots by rank.
    pub rows: Vec<StandingsRow>,
    /// Remarks about it, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// One bot's line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StandingsRow {
    /// From 1.
    pub rank: usize,
    /// Its name.
    pub bot: String,
    /// Its version; earlier versions are rated apart. `None` if no version was ever known.
    pub version: Option<String>,
    /// Whether this is the version that plays.
    pub current: bool,
    /// Its rating; `null` before its first pair.
    pub rating: Option<f64>,
    /// The margin of the rating's 95 % interval.
    pub margin: Option<f64>,
    /// Its group. Ratings compare only within a group, because no games connect it with the others. Group 1 has the
    /// anchor, or else is the largest; `null` before its first pair.
    pub group: Option<usize>,
    /// The chance that it is stronger than the next bot below; `null` for the last of its group.
    pub superiority: Option<f64>,
    /// Pairs of games, or rounds.
    pub pairs: u64,
    /// Void pairs, which are not among those.
    pub void: u64,
    /// Points a game; `null` before the first.
    pub score: Option<f64>,
    /// Among more than two players, its mean place, 1 for the first. Those that are level share the mean of theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_place: Option<f64>,
    /// The share of its games that were drawn; `null` if games have more than two players.
    pub draws: Option<f64>,
    /// Its total thinking time.
    #[serde(rename = "time_us", with = "crownhead_record::judge::microseconds")]
    pub time: Duration,
    /// The games that it lost by its own faults, by kind.
    pub faults: BTreeMap<Termination, u64>,
    /// Whether it is retired.
    pub retired: bool,
    /// Why it is disabled, if it is.
    pub disabled: Option<String>,
    /// Its name in tables.
    #[serde(skip)]
    pub label: String,
    /// Its number in the results.
    #[serde(skip)]
    pub number: usize,
    /// Its rated games.
    #[serde(skip)]
    pub games: u64,
}

fn is_two(players: &usize) -> bool {
    *players == 2
}

impl StandingsRow {
    /// How long it thought in a game, on average; `None` before the first.
    pub fn time_per_game(&self) -> Option<Duration> {
        let games = u32::try_from(self.games).ok().filter(|&games| games > 0);
        games.map(|games| self.time / games)
    }
}

/// The counts that ratings need, added up pair by pair.
#[derive(Clone, Default, Debug)]
pub struct LadderTally {
    /// The pairs' results between bots.
    pub results: Results,
    bots: HashMap<usize, BotTally>,
    /// The points of a bot in its games with another, which others played too, and how many these are.
    among_others: HashMap<(usize, usize), (f64, u64)>,
    /// The bots' numbers in the results.
    pub(super) roster: Roster,
    pub(super) pairs: u64,
    pub(super) void: u64,
}

#[derive(Clone, Default, Debug)]
struct BotTally {
    pairs: u64,
    void: u64,
    points: f64,
    games: u64,
    draws: u64,
    time: Duration,
    faults: BTreeMap<Termination, u64>,
}

impl LadderTally {
    /// Empty counts for these bots.
    pub fn new(roster: Roster) -> LadderTally {
        LadderTally {
            roster,
            ..LadderTally::default()
        }
    }

    /// Counts a pair. Ignores pairs of bots that are no longer in the file, and counts void pairs separately.
    pub fn add(&mut self, pair: &StoredPair) {
        let entrants = &pair.key.bots;
        let numbers = entrants.iter().map(|bot| self.roster.number_of(bot));
        let Some(bots) = numbers.collect::<Option<Vec<usize>>>() else {
            return;
        };
        let points = |game: &GameSummary| {
            let points = entrants.iter().map(|it| game.points_of(&it.bot));
            points.map(Option::unwrap_or_default).collect()
        };
        let games: Vec<Vec<f64>> = pair.rated().iter().map(points).collect();
        match pair.games {
            Some(_) => {
                self.pairs += 1;
                let games = games.iter().map(Vec::as_slice);
                self.results.add_round(&bots, games);
            }
            None => self.void += 1,
        }
        for (place, (&bot, entrant)) in bots.iter().zip(entrants).enumerate() {
            let tally = self.bots.entry(bot).or_default();
            match pair.games {
                Some(_) => tally.pairs += 1,
                None => tally.void += 1,
            }
            for (game, points) in pair.rated().iter().zip(&games) {
                let seat = game.seat_of(&entrant.bot).unwrap_or_default();
                tally.games += 1;
                tally.points += points[place];
                tally.draws += u64::from(points[place] == 0.5);
                tally.time += game.times[seat];
                if let Some(fault) = game.fault_of(seat) {
                    *tally.faults.entry(fault).or_default() += 1;
                }
                let others = bots.iter().filter(|&&other| bots.len() > 2 && other != bot);
                for &other in others {
                    let (sum, games) = self.among_others.entry((bot, other)).or_default();
                    (*sum, *games) = (*sum + points[place], *games + 1);
                }
            }
        }
    }

    /// The mean place of the first bot in its games with the second, and how many these are, if games have more than two
    /// players; `None` if they have not met.
    pub fn mean_place(&self, first: usize, second: usize, players: usize) -> Option<(f64, u64)> {
        let &(points, games) = self.among_others.get(&(first, second))?;
        Some((place_by_points(points / games as f64, players), games))
    }

    /// How many pairs were counted, including void ones.
    pub(crate) fn all_pairs(&self) -> u64 {
        self.pairs + self.void
    }

    /// How long the bots of a pair have thought, on average; `None` before the first pair.
    pub(crate) fn thinking_per_pair(&self) -> Option<Duration> {
        let pairs = u32::try_from(self.pairs).ok().filter(|&pairs| pairs > 0)?;
        let bots = self.bots.values();
        Some(bots.map(|tally| tally.time).sum::<Duration>() / pairs)
    }

    /// The ratings of all bots of the file and of their earlier versions, by their numbers.
    pub fn ratings(&self, config: &Config) -> Ratings {
        let bots = self.roster.len();
        fit(bots, &self.results, &Prior::WEAK, config.anchor)
    }

    /// The table, without bots that retired before their first game.
    pub fn standings(&self, config: &Config, disabled: &[(String, String)]) -> Standings {
        let (ratings, players) = (self.ratings(config), config.players());
        let shown: Vec<usize> = ratings
            .ranking()
            .into_iter()
            .filter(|&number| {
                let is_retired = config.bots[self.roster.bot(number)].retired;
                !is_retired || self.bots.contains_key(&number)
            })
            .collect();
        let rows = shown.iter().enumerate().map(|(place, &bot)| {
            let tally = self.bots.get(&bot).cloned().unwrap_or_default();
            let own = &config.bots[self.roster.bot(bot)];
            let name = &own.name;
            let current = bot < config.bots.len();
            let share = |count: f64| (tally.games > 0).then(|| count / tally.games as f64);
            let group = ratings.groups[bot];
            let next = shown.get(place + 1);
            let next = next.filter(|&&next| ratings.are_connected(bot, next));
            StandingsRow {
                rank: place + 1,
                bot: name.clone(),
                version: self.roster.version(bot).map(Into::into),
                current,
                rating: group.map(|_| ratings.ratings[bot]),
                margin: group.map(|_| ratings.margins[bot]),
                group: group.map(|group| group + 1),
                superiority: next.map(|&next| ratings.superiority(&self.results, (bot, next))),
                pairs: tally.pairs,
                void: tally.void,
                score: share(tally.points),
                mean_place: share(tally.points)
                    .filter(|_| players > 2)
                    .map(|points| place_by_points(points, players)),
                draws: share(tally.draws as f64).filter(|_| players == 2),
                time: tally.time,
                faults: tally.faults,
                retired: own.retired,
                disabled: disabled
                    .iter()
                    .find(|(disabled, _)| current && disabled == name)
                    .map(|(_, reason)| reason.clone()),
                label: self.roster.label(bot),
                number: bot,
                games: tally.games,
            }
        });
        let rows: Vec<StandingsRow> = rows.collect();
        let groups: Vec<Option<usize>> = shown.iter().map(|&bot| ratings.groups[bot]).collect();
        let labels: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
        Standings {
            players,
            pairs: self.pairs,
            remarks: unconnected(&groups, &labels),
            rows,
        }
    }
}

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
    let mut tally = LadderTally::new(roster.clone());
    pairs.iter().for_each(|pair| tally.add(pair));
    let mut tally = LadderTally::new(tally.roster);
    let mut points = Vec::new();
    for chunk in pairs.chunks(step) {
        for pair in chunk {
            tally.add(pair);
        }
        points.push((tally.pairs, tally.ratings(config).ratings));
    }
    RatingHistory {
        bots: (0..tally.roster.len())
            .map(|number| tally.roster.label(number))
            .collect(),
        points,
    }
}

#[cfg(test)]
mod tests;
