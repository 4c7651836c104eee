//! The standings as the page shows them: a ladder's table, who beat whom with which colour, and what is played now.

use super::index::{Index, Meeting, Score};
use crownhead_ladder::{Standings, StandingsRow};
use serde::Serialize;

/// Puts the rows of games of several players in the order of points a game: pairs, by which bots are rated, are of two.
pub(super) fn order_by_points(standings: &mut Standings, index: &Index) {
    let share = |row: &StandingsRow| {
        let bot = index.bots.get_index_of(&row.label);
        bot.map_or(0.0, |bot| index.total(bot as u32).share())
    };
    standings
        .rows
        .sort_by(|one, other| share(other).total_cmp(&share(one)));
    for (row, rank) in standings.rows.iter_mut().zip(1..) {
        row.rank = rank;
    }
    standings.remarks.clear();
    let remark = "For games with three or more players, this page shows points instead of ratings.";
    standings.remarks.push(remark.into());
}

/// All that the page of standings shows but the rating history.
#[derive(Debug, Serialize)]
pub(super) struct StandingsPage<'a> {
    generation: u64,
    games: usize,
    pairs: u64,
    draws_between_equals: f64,
    rows: Vec<LinkedRow>,
    /// For each two bots that have met, in both orders.
    crosstable: Vec<Crossing>,
    /// The pairs that are played now.
    under_way: &'a [[String; 2]],
    /// What else must be known of the ratings.
    remarks: Vec<String>,
}

#[derive(Debug, Serialize)]
struct LinkedRow {
    /// The bot's number.
    id: Option<usize>,
    /// What lists of games call it: each version is a player of its own.
    name: String,
    #[serde(flatten)]
    row: StandingsRow,
    #[serde(flatten)]
    score: Score,
}

#[derive(Debug, Serialize)]
struct Crossing {
    bot: u32,
    opponent: u32,
    #[serde(flatten)]
    meeting: Meeting,
}

/// The page of these standings.
pub(super) fn standings_page<'a>(
    standings: Standings,
    index: &Index,
    under_way: &'a [[String; 2]],
    generation: u64,
) -> StandingsPage<'a> {
    let rows = standings.rows.into_iter().map(|row| {
        let name = row.label.clone();
        let id = index.bots.get_index_of(&name);
        let score = id.map(|bot| index.total(bot as u32)).unwrap_or_default();
        LinkedRow {
            id,
            name,
            row,
            score,
        }
    });
    let meetings = index.meetings.iter();
    let crosstable = meetings.map(|(&(bot, opponent), &meeting)| Crossing {
        bot,
        opponent,
        meeting,
    });
    StandingsPage {
        generation,
        games: index.entries.len(),
        pairs: standings.pairs,
        draws_between_equals: standings.draws_between_equals,
        rows: rows.collect(),
        crosstable: crosstable.collect(),
        under_way,
        remarks: standings.remarks,
    }
}
