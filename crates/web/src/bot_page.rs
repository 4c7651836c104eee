//! The page of one bot: how it does against whom, from which openings, how fast, and what went wrong.

use super::index::{Entry, Score, termination_name};
use super::site::Site;
use crownhead::board::Side;
use crownhead_record::Termination;
use crownhead_record::stats::{Times, histogram, times};
use crownhead_record::{GameRecord, read_games};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// The games from which answer times are taken: the latest ones, for each record has to be read.
const TIMED_GAMES: usize = 200;
/// The faults that are told.
const TOLD_FAULTS: usize = 30;
/// The openings that are told.
const TOLD_OPENINGS: usize = 200;

/// All that the page of a bot shows.
#[derive(Debug, Serialize)]
pub(super) struct BotPage {
    id: u32,
    name: String,
    command: Option<String>,
    retired: bool,
    score: Score,
    opponents: Vec<Against>,
    /// From the opening with the most games on.
    openings: Vec<From>,
    /// How its games ended.
    endings: BTreeMap<String, Score>,
    /// Its latest faults.
    faults: Vec<Told>,
    /// The answer times of its latest games.
    times: Option<Times>,
    histogram: Vec<Step>,
    timed_games: usize,
}

#[derive(Debug, Serialize)]
struct Against {
    id: u32,
    name: String,
    black: Score,
    white: Score,
}

#[derive(Debug, Serialize)]
struct From {
    opening: String,
    #[serde(flatten)]
    score: Score,
}

/// A fault in its sentence, with the bot's last words.
#[derive(Debug, Serialize)]
struct Told {
    id: u64,
    opponent: String,
    termination: Termination,
    reason: String,
    words: serde_json::Value,
}

#[derive(Debug, Serialize)]
struct Step {
    upto_us: u64,
    count: usize,
}

/// The page of the bot of this number, if there is one.
pub(super) fn bot_page(site: &Site, number: u32) -> anyhow::Result<Option<BotPage>> {
    let index = site.index();
    let Some(name) = index.bots.all().get(number as usize) else {
        return Ok(None);
    };
    let own = || {
        index
            .entries()
            .iter()
            .filter(|entry| entry.side_of(number).is_some())
    };
    let (mut openings, mut endings) = (HashMap::<u32, Score>::new(), BTreeMap::new());
    for entry in own() {
        let score = score_of(entry, number);
        let opening = openings.entry(entry.opening).or_default();
        *opening = opening.plus(score);
        let ending: &mut Score = endings
            .entry(termination_name(entry.termination))
            .or_default();
        *ending = ending.plus(score);
    }
    let mut openings: Vec<(u32, Score)> = openings.into_iter().collect();
    openings.sort_by_key(|&(opening, score)| (std::cmp::Reverse(score.games()), opening));
    openings.truncate(TOLD_OPENINGS);
    let opponents = (0..index.bots.all().len() as u32).filter_map(|opponent| {
        let [black, white] = index.between(number, opponent);
        (black.games() + white.games() > 0).then(|| Against {
            id: opponent,
            name: index.bots.text(opponent).into(),
            black,
            white,
        })
    });
    let opponents = opponents.collect();
    let lost_by_fault =
        |entry: &&Entry| entry.termination.is_fault() && score_of(entry, number).lost > 0;
    let latest: Vec<&Entry> = own().collect();
    let faults = latest
        .iter()
        .rev()
        .copied()
        .filter(lost_by_fault)
        .take(TOLD_FAULTS);
    let faults = faults
        .map(|entry| told(site, entry, number))
        .collect::<Result<_, _>>()?;
    let mut measured = Vec::new();
    let timed = latest.iter().rev().take(TIMED_GAMES);
    let timed_games = timed.len();
    for entry in timed {
        let side = entry.side_of(number);
        measured.extend(answer_times(&site.record(entry)?, side));
    }
    let steps = histogram(&measured);
    let bot = site.config().bots.iter().find(|bot| &bot.name == name);
    Ok(Some(BotPage {
        id: number,
        name: name.clone(),
        command: bot
            .filter(|_| site.folder().is_some())
            .map(|bot| bot.command.clone()),
        retired: bot.is_some_and(|bot| bot.retired),
        score: index.of_bot(number),
        opponents,
        openings: openings
            .into_iter()
            .map(|(opening, score)| From {
                opening: index.openings.text(opening).into(),
                score,
            })
            .collect(),
        endings,
        faults,
        times: times(measured),
        histogram: steps
            .iter()
            .map(|step| Step {
                upto_us: crownhead_record::judge::whole_microseconds(step.upto),
                count: step.count,
            })
            .collect(),
        timed_games,
    }))
}

/// One game as the bot saw it; nothing for one that does not count.
fn score_of(entry: &Entry, bot: u32) -> Score {
    let mut score = Score::default();
    if let (Some(result), Some(side), false) = (entry.result, entry.side_of(bot), entry.replayed) {
        score.count(result, side);
    }
    score
}

fn told(site: &Site, entry: &Entry, bot: u32) -> anyhow::Result<Told> {
    let line = site.record(entry)?;
    let record: serde_json::Value = serde_json::from_str(&line)?;
    let turn = record["turns"].as_array().and_then(|turns| turns.last());
    let words = turn.map(|turn| turn["stderr"].clone()).unwrap_or_default();
    let other = entry.players[usize::from(entry.side_of(bot) == Some(Side::Black))];
    Ok(Told {
        id: entry.id,
        opponent: site.index().bots.text(other).into(),
        termination: entry.termination,
        reason: record["reason"].as_str().unwrap_or_default().into(),
        words,
    })
}

fn answer_times(line: &str, side: Option<Side>) -> Vec<Duration> {
    let record: Option<GameRecord> = read_games(line.as_bytes()).next().and_then(Result::ok);
    let turns = record.into_iter().flat_map(|record| record.turns);
    // PDN need not tell times.
    let own = turns.filter(|turn| {
        Some(turn.player) == side.map(Side::index) && turn.reply.is_some() && !turn.time.is_zero()
    });
    own.map(|turn| turn.time).collect()
}
