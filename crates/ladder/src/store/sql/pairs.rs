//! Pairs of games as rows: stored whole, and read a page at a time, so that no reply is long.

use super::{Row, Sql, Value};
use crate::store::{FinishedPair, Lease, PairKey, StoreError, StoredGame, StoredPair};
use crownhead_record::judge::whole_microseconds;
use crownhead_record::{GameRecord, opening_of, turns_of};
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
    select: "SELECT pair.id, finished, first, first_version,
            second, second_version, round, CASE WHEN void IS NOT NULL THEN 1 ELSE 0 END,
            one.black, one.result, one.termination, one.black_us, one.white_us, one.turns, one.opening,
            two.black, two.result, two.termination, two.black_us, two.white_us, two.turns, two.opening
         FROM pair
         LEFT JOIN game one{summary} ON one.pair = pair.id AND one.place = 0
         LEFT JOIN game two{summary} ON two.pair = pair.id AND two.place = 1
         WHERE finished > ?1 ORDER BY finished LIMIT ?2",
    size: 10_000,
    key: &[1],
};

pub(super) const RECORDS: Paged = Paged {
    select:
        "SELECT pair, place, record, black, white, result, termination, black_us, white_us, turns
         FROM game
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
    let game = |at| {
        let (black, opening) = (row.text(at)?, row.text(at + 6)?);
        let asked = usize::try_from(row.number(at + 5)?).unwrap_or(usize::MAX);
        Ok::<_, StoreError>(StoredGame {
            black,
            result: row.named(at + 1, "a game's result")?,
            termination: row.named(at + 2, "how a game ended")?,
            times: [row.time(at + 3)?, row.time(at + 4)?],
            turns: turns_of(asked, &opening),
            opening,
        })
    };
    Ok(StoredPair {
        number: row.number(0)?,
        key: PairKey {
            first: row.entrant(2)?,
            second: row.entrant(4)?,
            round: row.number(6)?,
        },
        finished: row.number(1)?,
        games: if row.is_true(7) {
            None
        } else {
            Some([game(8)?, game(15)?])
        },
    })
}

/// Claims a pair that exists and is free, or creates it. `None` if it is finished, or another run has it.
pub(super) fn claim(
    sql: &mut dyn Sql,
    run: u64,
    key: &PairKey,
) -> Result<Option<Lease>, StoreError> {
    let (first, second) = (&key.first, &key.second);
    let names = [&first.bot, &second.bot, &first.version, &second.version];
    let mut values: Vec<Value> = names.map(Value::from).into();
    values.push(key.round.into());
    // A conflict would use up a number.
    let insert = "INSERT INTO pair (first, second, first_version, second_version, round)
         SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM pair
            WHERE first = ?1 AND second = ?2 AND first_version = ?3 AND second_version = ?4 AND round = ?5)
         ON CONFLICT (first, second, first_version, second_version, round) DO NOTHING";
    sql.change(insert, &values)?;
    values.push(run.into());
    // It returns nothing if another run was faster.
    let claim = "UPDATE pair SET run = ?6, fence = fence + 1{lease}
         WHERE first = ?1 AND second = ?2 AND first_version = ?3 AND second_version = ?4
           AND round = ?5 AND {open} AND ({held}) IS NOT TRUE
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
    let insert = "INSERT INTO game (pair, place, record, black, white, result, termination,
            black_us, white_us, turns, opening)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    for (place, game) in (0_u64..).zip(&pair.games) {
        let values = [&[id.clone(), place.into()][..], &columns(game)].concat();
        sql.change(insert, &values)?;
    }
    Ok(true)
}

fn to_json(game: &GameRecord) -> String {
    serde_json::to_string(game).expect("a record is plain data")
}

/// Whether the columns of a row of [`RECORDS`] say what its record says.
pub(super) fn is_consistent(row: &Row, game: &GameRecord) -> bool {
    row.0[3..] == columns(game)[1..8]
}

/// A game's record, and the columns that repeat parts of it.
fn columns(game: &GameRecord) -> Vec<Value> {
    // Turn by turn, as the record has them.
    let time = |player| -> u64 {
        let turns = game.turns_of(player);
        let times = turns.map(|turn| whole_microseconds(turn.time));
        times.fold(0, u64::saturating_add)
    };
    vec![
        Value::Text(to_json(game)),
        Value::from(&game.players[0].name),
        Value::from(&game.players[1].name),
        name_of(&game.result()),
        name_of(&game.termination),
        time(0).into(),
        time(1).into(),
        (game.turns.len() as u64).into(),
        Value::Text(opening_of(game)),
    ]
}

/// A value's name in records. A value without a name is not stored.
fn name_of(value: &impl Serialize) -> Value {
    let name = serde_json::to_value(value).ok();
    name.as_ref().and_then(|name| name.as_str()).into()
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
