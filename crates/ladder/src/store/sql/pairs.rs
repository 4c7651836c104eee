//! Pairs of games as rows: stored whole, and read a page at a time, so that no reply is long.

use super::{Row, Sql, Value};
use crate::store::pairs::first_game;
use crate::store::{Entrant, FinishedPair, Lease, PairKey, StoreError, StoredPair};
use crownhead_record::{GameRecord, GameSummary};
use serde::Serialize;

/// Rows that are read a page at a time. Each page begins after the last row's columns of `key`.
pub(in crate::store) struct Paged {
    pub(in crate::store) select: &'static str,
    /// The most rows of one answer.
    pub(super) size: usize,
    pub(super) key: &'static [usize],
}

/// Reads only the index `game_summary` of the table of games.
pub(in crate::store) const PAIRS: Paged = Paged {
    select: "SELECT pair.id, finished, bots, round, CASE WHEN void IS NOT NULL THEN 1 ELSE 0 END,
            (SELECT '[' || string_agg(summary, ',' ORDER BY place) || ']' FROM game{summary} WHERE game.pair = pair.id)
         FROM pair WHERE finished > ?1 ORDER BY finished LIMIT ?2",
    size: 10_000,
    key: &[1],
};

pub(super) const RECORDS: Paged = Paged {
    select: "SELECT pair, place, record, summary FROM game
         WHERE (pair, place) > (?1, ?2) ORDER BY pair, place LIMIT ?3",
    size: 200,
    key: &[0, 1],
};

/// The record of a row of [`RECORDS`].
pub(super) fn read_record(row: &Row) -> Result<GameRecord, StoreError> {
    let (pair, record) = (row.number(0)?, row.text(2)?);
    serde_json::from_str(&record).map_err(|error| {
        StoreError::Content(format!(
            "a stored record of pair {pair} cannot be read: {error}"
        ))
    })
}

pub(super) fn stored_pair(row: &Row) -> Result<StoredPair, StoreError> {
    let pair = row.number(0)?;
    if pair == 0 {
        return Err(StoreError::Pair {
            pair,
            what: "has a number that no pair has: they are numbered from 1".into(),
        });
    }
    read_pair(row).map_err(|error| StoreError::Pair {
        pair,
        what: format!("cannot be rated: {error}"),
    })
}

fn read_pair(row: &Row) -> Result<StoredPair, StoreError> {
    let (number, bots) = (row.number(0)?, read_bots(row, 2)?);
    let games = if row.is_true(4) {
        None
    } else {
        Some(read_games(row, 5, number, &bots)?)
    };
    Ok(StoredPair {
        number,
        key: PairKey {
            bots,
            round: row.number(3)?,
        },
        finished: row.number(1)?,
        games,
    })
}

/// The bots of a pair.
pub(super) fn read_bots(row: &Row, at: usize) -> Result<Vec<Entrant>, StoreError> {
    const EXPECTED: &str = "a list of two bots or more with their versions, ordered by name,";
    let bots: Vec<(String, String)> = row.json(at, EXPECTED)?;
    if bots.len() < 2 || !bots.is_sorted_by(|(one, _), (next, _)| one < next) {
        return row.unexpected(at, EXPECTED);
    }
    let bots = bots.into_iter();
    Ok(bots
        .map(|(bot, version)| Entrant { bot, version })
        .collect())
}

/// The games of the pair of this number.
fn read_games(
    row: &Row,
    at: usize,
    number: u64,
    bots: &[Entrant],
) -> Result<Vec<GameSummary>, StoreError> {
    const EXPECTED: &str = "the summary of a game for each of its bots";
    let mut games: Vec<GameSummary> = row.json(at, EXPECTED)?;
    let players = bots.len();
    let is_whole = |game: &GameSummary| {
        let is_point = |points: &f64| (0.0..=1.0).contains(points);
        let points = game.points.as_deref().unwrap_or_default();
        let lengths = [game.players.len(), points.len(), game.times.len()];
        lengths == [players; 3]
            && bots
                .iter()
                .all(|entrant| game.seat_of(&entrant.bot).is_some())
            && points.iter().all(is_point)
    };
    if games.len() != players || !games.iter().all(is_whole) {
        return row.unexpected(at, EXPECTED);
    }
    for (game, number) in games.iter_mut().zip(first_game(number, players)..) {
        game.number = number;
    }
    Ok(games)
}

/// The column with the bots of a pair.
fn bots_column(bots: &[Entrant]) -> Value {
    let bots: Vec<_> = bots.iter().map(|it| (&it.bot, &it.version)).collect();
    Value::Text(to_json(&bots))
}

/// Claims a pair that exists and is free, or creates it. `None` if it is finished, or another run has it.
pub(super) fn claim(
    sql: &mut dyn Sql,
    run: u64,
    key: &PairKey,
) -> Result<Option<Lease>, StoreError> {
    let values = [bots_column(&key.bots), key.round.into(), run.into()];
    // A conflict would use up a number.
    let insert = "INSERT INTO pair (bots, round)
         SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM pair WHERE bots = ?1 AND round = ?2)
         ON CONFLICT (bots, round) DO NOTHING";
    sql.change(insert, &values[..2])?;
    // It returns nothing if another run was faster.
    let claim = "UPDATE pair SET run = ?3, fence = fence + 1{lease}
         WHERE bots = ?1 AND round = ?2 AND {open} AND ({held}) IS NOT TRUE
         RETURNING id, fence";
    let lease = |row: Row| {
        Ok(Lease {
            pair: row.number(0)?,
            fence: row.number(1)?,
        })
    };
    sql.row(claim, &values)?.map(lease).transpose()
}

/// Stores a pair while its lease lasts, also if that was done before. After the lease, the pair is played again, even
/// if nobody has claimed it yet, because the cause of the missed renewal, such as a stopped machine, may have cost a
/// bot the game.
pub(super) fn store(sql: &mut dyn Sql, run: u64, pair: &FinishedPair) -> Result<bool, StoreError> {
    let id = Value::from(pair.lease.pair);
    let claim = [id.clone(), run.into(), pair.lease.fence.into()];
    let update = "UPDATE pair SET {store}, void = ?4
         WHERE id = ?1 AND run = ?2 AND fence = ?3 AND {open} AND {held}";
    let values = [&claim[..], &[pair.void.as_ref().into()]].concat();
    if sql.change(update, &values)? == 0 {
        let before =
            "SELECT count(*) FROM pair WHERE id = ?1 AND run = ?2 AND fence = ?3 AND {stored}";
        return Ok(sql.number(before, &claim)? > 0);
    }
    keep_void(sql, &pair.replaced)?;
    if pair.void.is_some() {
        keep_void(sql, &pair.games)?;
        return Ok(true);
    }
    let insert = "INSERT INTO game (pair, place, record, summary) VALUES (?1, ?2, ?3, ?4)";
    for (place, game) in (0_u64..).zip(&pair.games) {
        let record = Value::Text(to_json(game));
        sql.change(insert, &[id.clone(), place.into(), record, summary(game)])?;
    }
    Ok(true)
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

/// Whether the summary in a row of [`RECORDS`] is that of its record.
pub(super) fn is_consistent(row: &Row, game: &GameRecord) -> bool {
    row.0[3] == summary(game)
}

/// The column with the summary of a game.
fn summary(game: &GameRecord) -> Value {
    Value::Text(to_json(&GameSummary::of(game)))
}

/// Stores void games, each once.
pub(super) fn keep_void(sql: &mut dyn Sql, games: &[GameRecord]) -> Result<(), StoreError> {
    let insert = "INSERT INTO void_game (record) VALUES (?1) ON CONFLICT DO NOTHING";
    for game in games {
        sql.change(insert, &[Value::Text(to_json(game))])?;
    }
    Ok(())
}

pub(super) fn play_again(sql: &mut dyn Sql, pairs: &[u64]) -> Result<(), StoreError> {
    for &pair in pairs {
        for step in [
            "INSERT INTO void_game (record) SELECT record FROM game WHERE pair = ?1 ON CONFLICT DO NOTHING",
            "DELETE FROM game WHERE pair = ?1",
            "UPDATE pair SET run = NULL, void = NULL, {reopen} WHERE id = ?1",
            // It is stored again under another number.
            "DELETE FROM pair WHERE id = 0 AND id = ?1",
        ] {
            sql.change(step, &[pair.into()])?;
        }
    }
    Ok(())
}
