//! A match of two or more bots summed up from its records.

use super::interval::{Cluster, Elo, Interval, normalised_elo, score_interval};
use super::quantile::{Times, times};
use super::rating::{PairResult, Prior, Results, fit};
use super::said::{SaidSummary, nodes_per_second, sum_up};
use crate::Termination;
use crate::{GameRecord, TurnRecord};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A match between bots.
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
    /// The results between the bots, by their places here.
    #[serde(skip)]
    pub results: Results,
}

/// One bot's part in a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BotSummary {
    /// Its name.
    pub name: String,
    /// Points a game with a 95 % interval; `null` before the first game.
    pub score: Option<Interval>,
    /// Among three bots or more, its rating about their mean, and how far it may be off with 95 % confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<[f64; 2]>,
    /// Its games as black.
    pub as_black: Tally,
    /// Its games as white (red).
    pub as_white: Tally,
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

/// Sums up the games that the named bots have played.
pub fn summarise(games: &[GameRecord], names: &[&str]) -> MatchSummary {
    let void = void_pairs(games);
    let rated: Vec<(&GameRecord, &[f64])> = rated(games, &void).collect();
    let mut terminations = BTreeMap::new();
    for (game, _) in &rated {
        *terminations.entry(game.termination).or_default() += 1;
    }
    let mut bots: Vec<BotSummary> = names
        .iter()
        .map(|name| bot_summary(name, games, &rated))
        .collect();
    let (mut elo, mut normalised) = (None, None);
    if let &[first, _] = names {
        let pairs = clusters(games, first);
        elo = score_interval(&pairs).map(|score| score.elo());
        normalised = normalised_elo(&pairs);
    } else if !rated.is_empty() {
        let ratings = fit(names.len(), &results(&rated, names), &Prior::WEAK, None);
        for (place, bot) in bots.iter_mut().enumerate() {
            bot.rating = Some([ratings.ratings[place], ratings.margins[place]]);
        }
        let ranking = ratings.ranking();
        bots = ranking.into_iter().map(|bot| bots[bot].clone()).collect();
    }
    let order: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    MatchSummary {
        games: rated.len() as u64,
        unrated: (games.len() - rated.len()) as u64,
        void_pairs: void.len() as u64,
        results: results(&rated, &order),
        bots,
        elo,
        normalised_elo: normalised,
        terminations,
    }
}

/// The results pair by pair, the bots numbered by their places.
fn results(rated: &[(&GameRecord, &[f64])], names: &[&str]) -> Results {
    let mut pairs: BTreeMap<u64, ([usize; 2], Vec<u8>)> = BTreeMap::new();
    for (game, scores) in rated {
        let place = |name: &str| names.iter().position(|known| *known == name);
        let [Some(black), Some(white)] = [0, 1].map(|at| place(&game.players[at].name)) else {
            continue;
        };
        let bots = [black.min(white), black.max(white)];
        let points = scores[usize::from(bots[0] != black)];
        let (_, pair) = pairs
            .entry((game.number - 1) / 2)
            .or_insert((bots, Vec::new()));
        pair.push((2.0 * points) as u8);
    }
    let mut results = Results::default();
    for ([first, second], games) in pairs.into_values() {
        results.add(first, second, PairResult::from_half_points(games));
    }
    results
}

fn bot_summary(name: &str, games: &[GameRecord], rated: &[(&GameRecord, &[f64])]) -> BotSummary {
    let mut tallies = [Tally::default(); 2];
    let mut faults = BTreeMap::new();
    for &(game, scores) in rated {
        let Some(place) = game.place_of(name) else {
            continue;
        };
        let points = scores[place];
        let tally = &mut tallies[place];
        match points {
            1.0 => tally.wins += 1,
            0.0 => tally.losses += 1,
            _ => tally.draws += 1,
        }
        if !game.termination.is_regular() && points == 0.0 {
            *faults.entry(game.termination).or_default() += 1;
        }
    }
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
    let [as_black, as_white] = tallies;
    BotSummary {
        name: name.into(),
        score: score_interval(&clusters(games, name)),
        rating: None,
        as_black,
        as_white,
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

/// Which pair a game belongs to: games `2n - 1` and `2n` are one.
fn pair_of(game: &GameRecord) -> u64 {
    (game.number - 1) / 2
}

/// The pairs in which a bot has lost a game on time and the machine may be to blame.
fn void_pairs(games: &[GameRecord]) -> BTreeSet<u64> {
    let starved = games.iter().filter(|game| game.starved());
    starved.map(pair_of).collect()
}

/// The games that count, with their scores.
fn rated<'a>(
    games: &'a [GameRecord],
    void: &'a BTreeSet<u64>,
) -> impl Iterator<Item = (&'a GameRecord, &'a [f64])> {
    let counts = games.iter().filter(|game| !void.contains(&pair_of(game)));
    counts.filter_map(|game| Some((game, game.rated()?)))
}

/// The points of the named bot in the games that count, pair by pair.
pub fn clusters(games: &[GameRecord], name: &str) -> Vec<Cluster> {
    let mut pairs: BTreeMap<u64, Cluster> = BTreeMap::new();
    for (game, scores) in rated(games, &void_pairs(games)) {
        let Some(place) = game.place_of(name) else {
            continue;
        };
        let pair = pairs.entry(pair_of(game)).or_insert(Cluster {
            points: 0.0,
            games: 0.0,
        });
        pair.points += scores[place];
        pair.games += 1.0;
    }
    pairs.into_values().collect()
}
