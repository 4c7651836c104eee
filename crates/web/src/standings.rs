//! The standings as the page shows them: a ladder's table, who beat whom with which colour, and what is played now.

use super::index::{Index, Score};
use crownhead_ladder::{Row, Standings};
use serde::Serialize;

/// All that the page of standings shows but the rating history.
#[derive(Debug, Serialize)]
pub(super) struct StandingsPage {
    generation: u64,
    games: usize,
    pairs: u64,
    draws_between_equals: f64,
    rows: Vec<StandingsRow>,
    /// For each two bots that have met, in both orders.
    crosstable: Vec<Meeting>,
    /// The pairs that are played now.
    under_way: Vec<[String; 2]>,
    /// What else must be known of the ratings.
    remarks: Vec<String>,
}

#[derive(Debug, Serialize)]
struct StandingsRow {
    /// The bot's number.
    id: Option<u32>,
    #[serde(flatten)]
    row: Row,
    #[serde(flatten)]
    score: Score,
}

/// How one bot did against another.
#[derive(Debug, Serialize)]
struct Meeting {
    bot: u32,
    opponent: u32,
    black: Score,
    white: Score,
}

/// The page of these standings.
pub(super) fn standings_page(
    standings: Standings,
    index: &Index,
    under_way: &[[String; 2]],
    generation: u64,
) -> StandingsPage {
    let rows = standings.rows.into_iter().map(|row| {
        let id = index.bots.find(&row.bot);
        let score = id.map(|bot| index.of_bot(bot)).unwrap_or_default();
        StandingsRow { id, row, score }
    });
    let bots = 0..index.bots.all().len() as u32;
    let meetings = bots
        .clone()
        .flat_map(|bot| bots.clone().map(move |other| (bot, other)));
    let meetings = meetings.filter_map(|(bot, opponent)| {
        let [black, white] = index.between(bot, opponent);
        (black.games() + white.games() > 0).then_some(Meeting {
            bot,
            opponent,
            black,
            white,
        })
    });
    StandingsPage {
        generation,
        games: index.entries().len(),
        pairs: standings.pairs,
        draws_between_equals: standings.draws_between_equals,
        rows: rows.collect(),
        crosstable: meetings.collect(),
        under_way: under_way.to_vec(),
        remarks: standings.remarks,
    }
}
