//! The page of one bot: results by opponent, reply times and faults.

use super::index::{Entry, Score};
use super::site::Site;
use crownhead_record::totals::{Times, times};
use crownhead_record::{Stderr, Termination};
use serde::Serialize;

/// How many of the latest games to take reply times from, because each record has to be read.
const TIMED_GAMES: usize = 200;
/// The most faults on the page.
const TOLD_FAULTS: usize = 30;

/// Everything that the page of a bot shows.
#[derive(Debug, Serialize)]
pub(super) struct BotPage<'a> {
    id: u32,
    name: &'a str,
    /// All versions of this bot, oldest first, if there are several. Versions that have not played have no number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    versions: Vec<VersionLink<'a>>,
    /// Its command; unknown for an earlier version.
    command: Option<&'a str>,
    retired: bool,
    score: Score,
    opponents: Vec<Opponent<'a>>,
    /// Its latest faults.
    faults: Vec<Fault<'a>>,
    /// The answer times of its latest games.
    times: Option<Times>,
    timed_games: usize,
}

/// A version of the bot, which has its own page.
#[derive(Debug, Serialize)]
struct VersionLink<'a> {
    id: Option<usize>,
    version: &'a str,
    current: bool,
}

#[derive(Debug, Serialize)]
struct Opponent<'a> {
    id: u32,
    name: &'a str,
    by_seat: [Score; 2],
}

/// A game that the bot lost by its own fault.
#[derive(Debug, Serialize)]
struct Fault<'a> {
    id: u64,
    opponents: Vec<&'a str>,
    termination: Termination,
    reason: String,
    /// What it wrote on standard error in its last turn.
    words: Option<Stderr>,
}

/// The page of the bot of this number, if there is one.
pub(super) fn bot_page(site: &Site, number: u32) -> Option<BotPage<'_>> {
    let index = &site.index;
    let name = index.bots.get_index(number as usize)?;
    let latest = index.entries.iter().rev();
    let own = latest.filter_map(|entry| Some((entry, entry.seat_of(number)?)));
    let own: Vec<(&Entry, usize)> = own.collect();
    let opponents = index.meetings.range((number, 0)..=(number, u32::MAX));
    let opponents = opponents.map(|(&(_, id), meeting)| Opponent {
        id,
        name: &index.bots[id as usize],
        by_seat: meeting.by_seat,
    });
    let timed = &own[..own.len().min(TIMED_GAMES)];
    let mut measured = Vec::new();
    for &(entry, seat) in timed {
        // A record that cannot be read is left out.
        let Ok((record, _)) = site.record(entry) else {
            continue;
        };
        let own = record.turns_of(seat);
        // PDN need not have times.
        let own = own.filter(|turn| turn.reply.is_some() && !turn.time.is_zero());
        measured.extend(own.map(|turn| turn.time));
    }
    let config = &site.config;
    let bot = config.number_of(name).map(|place| &config.bots[place]);
    let command = bot.map(|bot| &*bot.command);
    let versions = site.versions_of(name).into_iter();
    let versions = versions.map(|version| VersionLink {
        id: index.bots.get_index_of(&version.label()),
        version: &version.version,
        current: version.current,
    });
    let mut versions: Vec<VersionLink<'_>> = versions.collect();
    if versions.len() == 1 {
        versions.clear();
    }
    Some(BotPage {
        id: number,
        name,
        versions,
        command: command.filter(|command| !command.is_empty()),
        retired: bot.is_some_and(|bot| bot.retired),
        score: index.total(number),
        opponents: opponents.collect(),
        faults: faults(site, &own),
        times: times(measured),
        timed_games: timed.len(),
    })
}

/// The games that the bot lost by its own fault, among those that it played in these seats.
fn faults<'a>(site: &'a Site, played: &[(&Entry, usize)]) -> Vec<Fault<'a>> {
    let lost = played.iter().filter(|(entry, seat)| {
        entry.termination.is_fault() && entry.points_of(*seat).is_some_and(|points| points < 1.0)
    });
    let faults = lost.filter_map(|&(entry, seat)| {
        let (mut record, _) = site.record(entry).ok()?;
        let termination = record.fault_of(seat)?;
        let players = entry.players.iter().enumerate();
        let others = players.filter(|&(other, _)| other != seat);
        let others = others.map(|(_, &bot)| &*site.index.bots[bot as usize]);
        let last = record.turns.iter().rposition(|turn| turn.player == seat);
        Some(Fault {
            id: entry.id,
            opponents: others.collect(),
            termination,
            words: last.map(|turn| record.turns.swap_remove(turn).stderr),
            reason: record.reason,
        })
    });
    faults.take(TOLD_FAULTS).collect()
}
