//! The table of a ladder, from its stored pairs alone.

use super::config::Config;
use super::roster::Roster;
use crate::store::StoredPair;
use crownhead_record::Termination;
use crownhead_record::stats::rating::{Prior, Ratings, Results, fit, superiority};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// A ladder's table, the strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// Finished pairs of games.
    pub pairs: u64,
    /// The chance that a game between equals is drawn, by the fit.
    pub draws_between_equals: f64,
    /// The bots by rank.
    pub rows: Vec<StandingsRow>,
    /// What else must be known of it, a line each.
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
    /// Which version of it: those that were played before are rated apart. `None` where none was ever known.
    pub version: Option<String>,
    /// Whether this is the version that plays.
    pub current: bool,
    /// Its rating.
    pub rating: f64,
    /// How far the rating may be off with 95 % confidence.
    pub margin: f64,
    /// The likelihood that it is stronger than the next one below; `null` for the last.
    pub superiority: Option<f64>,
    /// Pairs of games.
    pub pairs: u64,
    /// Pairs that are void, and not among those.
    pub void: u64,
    /// Points a game; `null` before the first.
    pub score: Option<f64>,
    /// The share of its games that were drawn.
    pub draws: Option<f64>,
    /// How long it thought in all.
    #[serde(rename = "time_us", with = "crownhead_record::judge::microseconds")]
    pub time: Duration,
    /// The games that it lost by a fault of its own, by kind.
    pub faults: BTreeMap<Termination, u64>,
    /// Whether it plays no more.
    pub retired: bool,
    /// Why it is disabled, if it is.
    pub disabled: Option<String>,
    /// What tables call it.
    #[serde(skip)]
    pub label: String,
    /// Its number in the results.
    #[serde(skip)]
    pub number: usize,
}

/// What is needed to know about pairs to rate their bots: counted pair by pair.
#[derive(Clone, Default, Debug)]
pub struct LadderTally {
    results: Results,
    bots: HashMap<usize, BotTally>,
    /// The bots' numbers in the results.
    pub(super) roster: Roster,
    pairs: u64,
    void: u64,
}

#[derive(Clone, Default, Debug)]
struct BotTally {
    pairs: u64,
    void: u64,
    half_points: u64,
    games: u64,
    draws: u64,
    time: Duration,
    faults: BTreeMap<Termination, u64>,
}

impl LadderTally {
    /// Nothing counted yet of these bots.
    pub fn new(roster: Roster) -> LadderTally {
        LadderTally {
            roster,
            ..LadderTally::default()
        }
    }

    /// Counts a pair. Pairs of bots that are no longer in the file are left out; void ones are counted apart.
    pub fn add(&mut self, pair: &StoredPair) {
        let entrants = [&pair.key.first, &pair.key.second];
        let [Some(first), Some(second)] = entrants.map(|bot| self.roster.number_of(bot)) else {
            return;
        };
        let names = entrants.map(|entrant| &entrant.bot);
        match pair.result() {
            Some(result) => {
                self.pairs += 1;
                self.results.add(first, second, result);
            }
            None => self.void += 1,
        }
        for (bot, name) in [(first, names[0]), (second, names[1])] {
            let tally = self.bots.entry(bot).or_default();
            match pair.games {
                Some(_) => tally.pairs += 1,
                None => tally.void += 1,
            }
            for game in pair.games.iter().flatten() {
                let half_points = game.half_points(name);
                tally.games += 1;
                tally.half_points += u64::from(half_points);
                tally.draws += u64::from(half_points == 1);
                tally.time += game.times[game.side_of(name).index()];
                if game.is_fault_of(name) {
                    *tally.faults.entry(game.termination).or_default() += 1;
                }
            }
        }
    }

    /// The pairs' results between bots.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// How many pairs were counted.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// How many pairs were counted, with those that are void.
    pub(crate) fn all_pairs(&self) -> u64 {
        self.pairs + self.void
    }

    /// The ratings of all bots of the file and of their earlier versions, by their numbers.
    pub fn ratings(&self, config: &Config) -> Ratings {
        let bots = self.roster.len();
        fit(bots, &self.results, &Prior::WEAK, config.anchor)
    }

    /// The table. Bots that have retired before their first game are left out.
    pub fn standings(&self, config: &Config, disabled: &[(String, String)]) -> Standings {
        let ratings = self.ratings(config);
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
            let share = |count: u64| (tally.games > 0).then(|| count as f64 / tally.games as f64);
            StandingsRow {
                rank: place + 1,
                bot: name.clone(),
                version: self.roster.version(bot).map(Into::into),
                current,
                rating: ratings.ratings[bot],
                margin: ratings.margins[bot],
                superiority: shown
                    .get(place + 1)
                    .map(|&next| superiority(&self.results, &Prior::WEAK, &ratings, (bot, next))),
                pairs: tally.pairs,
                void: tally.void,
                score: share(tally.half_points).map(|score| score / 2.0),
                draws: share(tally.draws),
                time: tally.time,
                faults: tally.faults,
                retired: own.retired,
                disabled: disabled
                    .iter()
                    .find(|(disabled, _)| current && disabled == name)
                    .map(|(_, reason)| reason.clone()),
                label: self.roster.label(bot),
                number: bot,
            }
        });
        Standings {
            pairs: self.pairs,
            draws_between_equals: ratings.draws_between_equals,
            rows: rows.collect(),
            remarks: Vec::new(),
        }
    }
}
