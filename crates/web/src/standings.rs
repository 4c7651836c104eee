//! The standings for the page: a ladder's table, the crosstable by colour, and the pairs under way.

use super::index::{Index, Score};
use crownhead_ladder::{Standings, StandingsRow};
use serde::Serialize;

/// Sorts the rows by points a game, because no round of games of several players is whole, so no bot is rated.
pub(super) fn order_by_points(standings: &mut Standings, index: &Index) {
    let share = |row: &StandingsRow| {
        let bot = index.bots.get_index_of(&row.label);
        bot.map_or(0.0, |bot| index.total(bot as u32).share())
    };
    let rows = &mut standings.rows;
    rows.sort_by(|one, other| share(other).total_cmp(&share(one)));
    for (row, rank) in rows.iter_mut().zip(1..) {
        row.rank = rank;
    }
    standings.remarks.clear();
    let remark = "Ratings need whole rounds: games of the same players in which each has every seat. There are none, so this \
                  page shows points instead of ratings.";
    standings.remarks.push(remark.into());
}

/// Everything on the page of standings except the rating history.
#[derive(Debug, Serialize)]
pub(super) struct StandingsPage<'a> {
    generation: u64,
    games: usize,
    pairs: u64,
    rows: Vec<LinkedRow>,
    /// For each two bots that have met, in both orders.
    crosstable: Vec<Crossing>,
    /// The pairs that are played now.
    under_way: &'a [Vec<String>],
    /// Remarks about the ratings.
    remarks: Vec<String>,
}

#[derive(Debug, Serialize)]
struct LinkedRow {
    /// The bot's number.
    id: Option<usize>,
    /// Its name in lists of games, where each version is a separate player.
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
    by_seat: [Score; 2],
    /// The bot's mean place in these games, if they have more than two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_place: Option<f64>,
}

/// The page of these standings.
pub(super) fn standings_page<'a>(
    standings: Standings,
    index: &Index,
    under_way: &'a [Vec<String>],
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
    let crosstable = meetings.map(|(&(bot, opponent), meeting)| Crossing {
        bot,
        opponent,
        by_seat: meeting.by_seat,
        mean_place: meeting.mean_place(standings.players),
    });
    StandingsPage {
        generation,
        games: index.entries.len(),
        pairs: standings.pairs,
        rows: rows.collect(),
        crosstable: crosstable.collect(),
        under_way,
        remarks: standings.remarks,
    }
}
