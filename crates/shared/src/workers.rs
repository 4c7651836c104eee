//! The workers: who is there, what they have played, and what they play again of others.

use super::{natural, whole};
use crate::error::OrStoreError;
use crownhead_ladder::store::Entrant;
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::shared::{Machine, Replay, Worker};
use crownhead_record::Termination;
use postgres::types::ToSql;
use postgres::{Client, GenericClient, Row};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use std::collections::HashMap;
use std::time::Duration;

/// Enters a worker, and takes its name from whoever had it.
pub(crate) fn join(
    client: &mut impl GenericClient,
    run: i64,
    worker: &Machine,
) -> Result<(), StoreError> {
    let Machine {
        name,
        cores,
        concurrency,
        safe_games,
        speed,
    } = worker;
    let [cores, concurrency] = [cores, concurrency].map(|&number| i64::from(number));
    let safe_games = safe_games.map(i64::from);
    let insert = "INSERT INTO worker (name, run, cores, concurrency, safe_games, speed, doing)
         VALUES ($1, $2, $3, $4, $5, $6, 'joins')
         ON CONFLICT (name) DO UPDATE SET run = $2, cores = $3, concurrency = $4, safe_games = $5, speed = $6,
            doing = 'joins', joined = clock_timestamp(), seen = clock_timestamp()";
    let values: [&(dyn ToSql + Sync); 6] = [name, &run, &cores, &concurrency, &safe_games, speed];
    client.execute(insert, &values).or_store_error()?;
    client
        .execute("UPDATE run SET worker = $2 WHERE id = $1", &[&run, name])
        .or_store_error()?;
    let first = "UPDATE crownhead SET reference_speed = $1 WHERE reference_speed IS NULL";
    client.execute(first, &[speed]).or_store_error()?;
    Ok(())
}

/// All workers with what they have done.
pub(crate) fn workers(client: &mut Client) -> Result<Vec<Worker>, StoreError> {
    let mut faults: HashMap<String, u64> = HashMap::new();
    let endings = "SELECT run.worker, game.termination, count(*)
         FROM game JOIN pair ON pair.id = game.pair JOIN run ON run.id = pair.run
         WHERE run.worker IS NOT NULL GROUP BY 1, 2";
    for row in client.query(endings, &[]).or_store_error()? {
        let name: String = row.get(1);
        let ending =
            Termination::deserialize(IntoDeserializer::<NameError>::into_deserializer(name));
        if ending.is_ok_and(|ending| ending.is_fault()) {
            *faults.entry(row.get(0)).or_default() += natural(row.get(2));
        }
    }
    let select = "SELECT name, cores, concurrency, safe_games, speed,
            extract(epoch FROM clock_timestamp() - seen)::float8, doing, excluded,
            played.pairs, played.void, replayed.pairs, replayed.different
         FROM worker
         CROSS JOIN LATERAL (
            SELECT count(*) AS pairs, count(*) FILTER (WHERE void IS NOT NULL) AS void
            FROM pair JOIN run ON run.id = pair.run
            WHERE run.worker = name AND stored IS NOT NULL) played
         CROSS JOIN LATERAL (
            SELECT count(*) AS pairs, count(*) FILTER (WHERE difference IS NOT NULL) AS different
            FROM replay JOIN pair ON pair.id = replay.pair JOIN run ON run.id = pair.run
            WHERE run.worker = name AND done IS NOT NULL) replayed
         ORDER BY name";
    let rows = client.query(select, &[]).or_store_error()?;
    let small = |row: &Row, at: usize| u32::try_from(row.get::<_, i64>(at)).unwrap_or(u32::MAX);
    let worker = |row: &Row| {
        let name: String = row.get(0);
        let void = natural(row.get(9));
        Worker {
            faults: faults.get(&name).copied().unwrap_or(0),
            name,
            cores: small(row, 1),
            at_once: small(row, 2),
            safe_games: row
                .get::<_, Option<i64>>(3)
                .and_then(|number| number.try_into().ok()),
            speed: row.get(4),
            seen: Duration::try_from_secs_f64(row.get(5)).unwrap_or_default(),
            doing: row.get(6),
            excluded: row.get(7),
            games: 2 * (natural(row.get(8)) - void),
            void,
            replayed: natural(row.get(10)),
            different: natural(row.get(11)),
            residual: None,
        }
    };
    Ok(rows.iter().map(worker).collect())
}

/// Claims a pair to be played again. Which pairs are, their numbers say alone: as chance would, and the same for all.
pub(crate) fn claim_replay(
    client: &mut impl GenericClient,
    run: i64,
    bots: &[String],
    percent: i64,
) -> Result<Option<Replay>, StoreError> {
    let claim = "INSERT INTO replay (pair, run)
         SELECT pair.id, $1 FROM pair JOIN run ON run.id = pair.run
         WHERE stored IS NOT NULL AND void IS NULL AND first = ANY ($2) AND second = ANY ($2)
           AND run.worker <> (SELECT worker FROM run WHERE id = $1)
           AND abs(hashint8(pair.id)::bigint) % 100 < $3
           AND NOT EXISTS (
             SELECT 1 FROM replay
             WHERE replay.pair = pair.id
               AND (done IS NOT NULL OR began > clock_timestamp() - make_interval(hours => 1)))
         ORDER BY pair.id LIMIT 1
         ON CONFLICT (pair) DO UPDATE SET run = $1, began = clock_timestamp()
           WHERE replay.done IS NULL AND replay.began < clock_timestamp() - make_interval(hours => 1)
         RETURNING pair";
    let Some(row) = client
        .query_opt(claim, &[&run, &bots, &percent])
        .or_store_error()?
    else {
        return Ok(None);
    };
    let pair = natural(row.get(0));
    let select =
        "SELECT first, first_version, second, second_version, round, one.record, two.record
         FROM pair
         JOIN game one ON one.pair = pair.id AND one.place = 0
         JOIN game two ON two.pair = pair.id AND two.place = 1
         WHERE pair.id = $1";
    let row = client.query_opt(select, &[&whole(pair)]).or_store_error()?;
    let entrant = |row: &Row, at| Entrant {
        bot: row.get(at),
        version: row.get(at + 1),
    };
    Ok(row.map(|row| Replay {
        pair,
        bots: [entrant(&row, 0), entrant(&row, 2)],
        round: natural(row.get(4)),
        records: [row.get(5), row.get(6)],
    }))
}
