//! A match of two or more bots summed up from its records.

use super::turns::{SaidSummary, Times, nodes_per_second, sum_up, times};
use crate::Termination;
use crate::{GameRecord, TurnRecord};
use crownhead_stats::rating::{Prior, Results, fit};
use crownhead_stats::{Cluster, Elo, Interval, normalised_elo, score_interval};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A match between bots. Where more than two play, a *pair* is a round of as many games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchSummary {
    /// Games that count.
    pub games: u64,
    /// Games that do not: they are of void pairs or were played again, or the referee failed or was stopped.
    pub unrated: u64,
    /// Pairs that are void: a bot lost a game of them on time each time that it was played, for an unknown cause.
    pub void_pairs: u64,
    /// The bots, of three or more the strongest first.
    pub bots: Vec<BotSummary>,
    /// How much stronger the first of two bots is; `null` before the first game, and between more.
    pub elo: Option<Elo>,
    /// The same in normalised Elo; `null` also where all pairs ended alike.
    pub normalised_elo: Option<Elo>,
    /// How the games that count ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// The same, by the reasons of referees that tell some.
    #[serde(skip)]
    pub endings: BTreeMap<String, u64>,
    /// What else must be known of the ratings, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The results between the bots, by their places here.
    #[serde(skip)]
    pub results: Results,
}

/// One bot's part in a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BotSummary {
    /// Its name.
    pub name: String,
    /// Points a game with a 95 % interval; `null` before the first game. Among more than two players points are the share
    /// of the others that it left behind.
    pub score: Option<Interval>,
    /// Among more than two players, its mean place, 1 for the first: those that are level share the mean of theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_place: Option<f64>,
    /// Among three bots or more, its rating about the mean of those that games connect with it, and how far it may be off
    /// with 95 % confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<[f64; 2]>,
    /// Its games by the seat that it had, in the order of the game's sides.
    #[serde(skip)]
    pub by_seat: Vec<Tally>,
    /// The games it lost by a fault of its own, by kind.
    pub faults: BTreeMap<Termination, u64>,
    /// How long its answers took; `null` before the first.
    pub times: Option<Times>,
    /// How long it took from its start until it waited for its first turn, which counts against no limit; `null` where
    /// that was not seen.
    pub start_up: Option<Times>,
    /// What its turns were given back.
    pub given_back: GivenBack,
    /// The numbers that it said about itself on its standard error, by name.
    pub said: BTreeMap<String, SaidSummary>,
    /// Its speed, if it said how many nodes it searched.
    pub nodes_per_second: Option<f64>,
}

/// The time that was given back to a bot, for it waited for a core or the referee was away.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct GivenBack {
    /// In how many turns.
    pub turns: u64,
    /// How much in all.
    #[serde(rename = "us", with = "crate::judge::microseconds")]
    pub time: Duration,
}

/// Results of one bot. Among more than two players a win is the first place alone, a draw the first place shared, and all
/// else a loss.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    /// Counts a game in which the player in this seat had one of these scores.
    fn add(&mut self, scores: &[f64], seat: usize) {
        let ahead = scores.iter().filter(|&&score| score > scores[seat]).count();
        let level = scores
            .iter()
            .filter(|&&score| score == scores[seat])
            .count()
            - 1;
        match (ahead, level) {
            (0, 0) => self.wins += 1,
            (0, _) => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

impl BotSummary {
    /// Its games on any seat.
    pub fn total(&self) -> Tally {
        let count = |of: fn(&Tally) -> u64| self.by_seat.iter().map(of).sum();
        Tally {
            wins: count(|tally| tally.wins),
            draws: count(|tally| tally.draws),
            losses: count(|tally| tally.losses),
        }
    }
}

/// Sums up the games that the named bots have played.
pub fn summarise(games: &[GameRecord], names: &[&str]) -> MatchSummary {
    let players = games.iter().map(|game| game.players.len());
    let players = players.max().unwrap_or(2);
    let void = void_rounds(games);
    let rated: Vec<(&GameRecord, &[f64])> = rated(games, &void).collect();
    let (mut terminations, mut endings) = (BTreeMap::new(), BTreeMap::new());
    for (game, _) in &rated {
        *terminations.entry(game.termination).or_default() += 1;
        *endings.entry(game.ended_by()).or_default() += 1;
    }
    let mut bots: Vec<BotSummary> = names
        .iter()
        .map(|name| bot_summary(name, players, games, &rated))
        .collect();
    let (mut elo, mut normalised, mut remarks) = (None, None, Vec::new());
    if let (2, &[first, _]) = (players, names) {
        let pairs = clusters(games, first);
        elo = score_interval(&pairs).map(|score| score.elo());
        normalised = normalised_elo(&pairs);
    } else if names.len() > 2 && !rated.is_empty() {
        let ratings = fit(names.len(), &results(&rated, names), &Prior::WEAK, None);
        for (place, bot) in bots.iter_mut().enumerate() {
            let rating = [ratings.ratings[place], ratings.margins[place]];
            bot.rating = ratings.groups[place].map(|_| rating);
        }
        let ranking = ratings.ranking();
        remarks = unconnected(&ratings.groups, names);
        bots = ranking.into_iter().map(|bot| bots[bot].clone()).collect();
    }
    let order: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    MatchSummary {
        games: rated.len() as u64,
        unrated: (games.len() - rated.len()) as u64,
        void_pairs: void.len() as u64,
        results: results(&rated, &order),
        remarks,
        bots,
        elo,
        normalised_elo: normalised,
        terminations,
        endings,
    }
}

/// The most bots that a sentence names.
const NAMED: usize = 5;

/// A sentence on each group of bots but the first that no games connect with the others; bots' numbers are places of `names`.
pub fn unconnected(groups: &[Option<usize>], names: &[&str]) -> Vec<String> {
    let last = groups.iter().flatten().max().copied().unwrap_or_default();
    let told = (1..=last).map(|group| {
        let own = groups.iter().zip(names);
        let own = own.filter(|(own, _)| **own == Some(group));
        let own: Vec<&str> = own.map(|(_, name)| *name).collect();
        let mut list = own[..own.len().min(NAMED)].join(", ");
        if own.len() > NAMED {
            list += &format!(" and {} more", own.len() - NAMED);
        }
        format!("No games connect {list} with the bots above: they are rated among themselves.")
    });
    told.collect()
}

/// The results round by round, the bots numbered by their places.
fn results(rated: &[(&GameRecord, &[f64])], names: &[&str]) -> Results {
    let mut rounds: BTreeMap<u64, (Vec<usize>, Vec<Vec<f64>>)> = BTreeMap::new();
    for (game, scores) in rated {
        let place = |name: &str| names.iter().position(|known| *known == name);
        let players = game.players.iter().zip(*scores);
        let scored = players.map(|(player, &score)| Some((place(&player.name)?, score)));
        let Some(mut scored) = scored.collect::<Option<Vec<_>>>() else {
            continue;
        };
        scored.sort_by_key(|(bot, _)| *bot);
        let (bots, scores) = scored.into_iter().unzip();
        let (_, games) = rounds
            .entry(round_of(game))
            .or_insert_with(|| (bots, Vec::new()));
        games.push(scores);
    }
    let mut results = Results::default();
    for (bots, games) in rounds.into_values() {
        results.add_round(&bots, games.iter().map(Vec::as_slice));
    }
    results
}

/// The mean place of a player with these points a game: they are the share of the others that are behind.
pub fn place_by_points(points: f64, players: usize) -> f64 {
    1.0 + (players as f64 - 1.0) * (1.0 - points)
}

fn bot_summary(
    name: &str,
    players: usize,
    games: &[GameRecord],
    rated: &[(&GameRecord, &[f64])],
) -> BotSummary {
    let mut by_seat = vec![Tally::default(); players];
    let mut faults = BTreeMap::new();
    for &(game, scores) in rated {
        let Some(seat) = game.place_of(name) else {
            continue;
        };
        by_seat[seat].add(scores, seat);
        if let Some(kind) = game.fault_of(seat) {
            *faults.entry(kind).or_default() += 1;
        }
    }
    let score = score_interval(&clusters(games, name));
    let mean_place = score.map(|score| place_by_points(score.score, players));
    let played = || {
        games
            .iter()
            .filter_map(|game| Some((game, game.place_of(name)?)))
    };
    let turns = || played().flat_map(|(game, place)| game.turns_of(place));
    let answer_times: Vec<Duration> = turns()
        .filter(|turn| turn.reply.is_some())
        .map(TurnRecord::counted)
        .collect();
    let given_back: Vec<Duration> = turns()
        .map(|turn| turn.given_back)
        .filter(|time| !time.is_zero())
        .collect();
    let start_ups = played().filter_map(|(game, place)| game.players[place].start_up);
    BotSummary {
        name: name.into(),
        score,
        mean_place: mean_place.filter(|_| players > 2),
        rating: None,
        by_seat,
        faults,
        times: times(answer_times),
        start_up: times(start_ups.collect()),
        given_back: GivenBack {
            turns: given_back.len() as u64,
            time: given_back.iter().sum(),
        },
        said: sum_up(turns()),
        nodes_per_second: nodes_per_second(turns()),
    }
}

/// Which round a game belongs to: of two players games `2n - 1` and `2n` are one, a pair.
fn round_of(game: &GameRecord) -> u64 {
    (game.number - 1) / game.players.len() as u64
}

/// The rounds in which a bot has lost a game on time and the machine may be to blame.
fn void_rounds(games: &[GameRecord]) -> BTreeSet<u64> {
    let starved = games.iter().filter(|game| game.starved());
    starved.map(round_of).collect()
}

/// The games that count, with their scores.
fn rated<'a>(
    games: &'a [GameRecord],
    void: &'a BTreeSet<u64>,
) -> impl Iterator<Item = (&'a GameRecord, &'a [f64])> {
    let counts = games.iter().filter(|game| !void.contains(&round_of(game)));
    counts.filter_map(|game| Some((game, game.rated()?)))
}

/// The points of the named bot in the games that count, round by round: of two players pair by pair.
pub fn clusters(games: &[GameRecord], name: &str) -> Vec<Cluster> {
    let mut rounds: BTreeMap<u64, Cluster> = BTreeMap::new();
    for (game, scores) in rated(games, &void_rounds(games)) {
        let Some(place) = game.place_of(name) else {
            continue;
        };
        let round = rounds.entry(round_of(game)).or_insert(Cluster {
            points: 0.0,
            games: 0.0,
        });
        round.points += scores[place];
        round.games += 1.0;
    }
    rounds.into_values().collect()
}

#[cfg(test)]
mod tests;
