//! Pairs stored whole, and read a page at a time: no answer is long.

use super::order::order;
use super::{PostgresStore, natural, whole};
use crate::store::pairs::{number_of, parse_name, place_of, read_record, times_of, to_json};
use crate::store::{
    Entrant, FinishedPair, Lease, PairKey, PairStore, StoreError, StoredGame, StoredPair,
    StoredSummary,
};
use crownhead_record::{GameRecord, GameSummary, opening_in_words};
use postgres::{Error, Row, Transaction};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::time::Duration;

/// The most rows of one answer, and the most of those with a record.
const PAGE: usize = 10_000;
const PAGE_OF_RECORDS: usize = 200;

/// A finished pair as it is sent.
struct Sent {
    lease: Lease,
    games: Vec<SentGame>,
    void: Option<String>,
}

struct SentGame {
    record: String,
    columns: Columns,
    times: [i64; 2],
    opening: String,
}

impl SentGame {
    fn of(game: &GameRecord) -> SentGame {
        SentGame {
            record: to_json(game),
            columns: Columns::of(game),
            times: times_of(game).map(whole),
            opening: opening_in_words(game.start.as_ref(), &game.opening),
        }
    }
}

/// What a game's columns say again of its record: players, result, ending and number of turns.
#[derive(PartialEq, Eq)]
pub(super) struct Columns([String; 4], i64);

impl Columns {
    pub(super) fn of(game: &GameRecord) -> Columns {
        let text = [
            game.black.name.clone(),
            game.white.name.clone(),
            name_of(&game.result),
            name_of(&game.termination),
        ];
        Columns(text, whole(game.turns.len() as u64))
    }

    /// Those of a row, from this place on.
    fn read(row: &Row, at: usize) -> Columns {
        let text = [0, 1, 2, 3].map(|place| row.get(at + place));
        Columns(text, row.get(at + 4))
    }
}

impl PostgresStore {
    /// Hands all records to `visit` in the order of their pairs, with what their columns say, until it breaks.
    pub(super) fn each_row(
        &self,
        mut visit: impl FnMut(u64, &str, Columns) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut last = (0_i64, 1_i16);
        loop {
            let ((pair, place), most) = (last, PAGE_OF_RECORDS as i64);
            let rows = self.connection.run(move |client| {
                let select = "SELECT pair, place, record, black, white, result, termination, turns
                     FROM game WHERE (pair, place) > ($1, $2) ORDER BY pair, place LIMIT $3";
                client.query(select, &[&pair, &place, &most])
            })?;
            for row in &rows {
                last = (row.get(0), row.get(1));
                if visit(natural(last.0), row.get(2), Columns::read(row, 3)).is_break() {
                    return Ok(());
                }
            }
            if rows.len() < PAGE_OF_RECORDS {
                return Ok(());
            }
        }
    }
}

impl PairStore for PostgresStore {
    fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let sent = |pair: &FinishedPair| Sent {
            lease: pair.lease,
            games: pair.games.iter().map(SentGame::of).collect(),
            void: pair.void.clone(),
        };
        let (run, pairs) = (whole(run), pairs.iter().map(sent).collect::<Vec<_>>());
        self.connection.run(move |client| {
            let mut transaction = client.transaction()?;
            let finish = |pair| finish(&mut transaction, run, pair);
            let stored = pairs.iter().map(finish).collect::<Result<_, _>>()?;
            transaction.commit()?;
            Ok(stored)
        })
    }

    fn give_back(
        &mut self,
        run: u64,
        lease: Lease,
        games: &[GameRecord],
    ) -> Result<(), StoreError> {
        let games: Vec<String> = games.iter().map(to_json).collect();
        let run = whole(run);
        self.connection.run(move |client| {
            let mut transaction = client.transaction()?;
            let give_back = "UPDATE pair SET run = NULL, leased_until = NULL
                 WHERE id = $1 AND run = $2 AND fence = $3 AND leased_until > clock_timestamp()";
            let (pair, fence) = (whole(lease.pair), whole(lease.fence));
            if transaction.execute(give_back, &[&pair, &run, &fence])? > 0 {
                insert_void(&mut transaction, games.iter())?;
            }
            transaction.commit()
        })
    }

    fn keep_void(
        &mut self,
        run: u64,
        lease: Lease,
        games: &[GameRecord],
    ) -> Result<(), StoreError> {
        if games.is_empty() {
            return Ok(());
        }
        let games: Vec<String> = games.iter().map(to_json).collect();
        let run = whole(run);
        self.connection.run(move |client| {
            let mut transaction = client.transaction()?;
            let held = "SELECT 1 FROM pair
                 WHERE id = $1 AND run = $2 AND fence = $3 AND leased_until > clock_timestamp()";
            let (pair, fence) = (whole(lease.pair), whole(lease.fence));
            if transaction
                .query_opt(held, &[&pair, &run, &fence])?
                .is_some()
            {
                insert_void(&mut transaction, games.iter())?;
            }
            transaction.commit()
        })
    }

    fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError> {
        let mut pairs: Vec<StoredPair> = Vec::new();
        loop {
            let after = pairs.last().map_or(after, |pair| pair.finished);
            let (from, most) = (whole(after), PAGE as i64);
            let rows = self.connection.run(move |client| {
                order(client)?;
                client.query(SELECT_PAIRS, &[&from, &most])
            })?;
            for row in &rows {
                pairs.extend(stored_pair(row)?);
            }
            // A page that is not full is the last; so is one of which nothing could be counted.
            let moved = pairs.last().is_some_and(|pair| pair.finished > after);
            if rows.len() < PAGE || !moved {
                return Ok(pairs);
            }
        }
    }

    fn summaries(
        &self,
        after: u64,
        visit: &mut dyn FnMut(StoredSummary),
    ) -> Result<(), StoreError> {
        let mut last = (whole(after), 1_i16);
        loop {
            let ((after, place), most) = (last, PAGE as i64);
            let rows = self.connection.run(move |client| {
                order(client)?;
                client.query(SELECT_SUMMARIES, &[&after, &place, &most])
            })?;
            for row in &rows {
                last = (row.get(0), row.get(2));
                visit(summary(row)?);
            }
            if rows.len() < PAGE {
                return Ok(());
            }
        }
    }

    fn each_record(
        &self,
        visit: &mut dyn FnMut(u64, Result<GameRecord, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.each_row(|pair, record, _| visit(pair, read_record(pair, record)))
    }

    fn record(&self, number: u64) -> Result<Option<String>, StoreError> {
        let (pair, place) = place_of(number);
        let (pair, place) = (whole(pair), place as i16);
        self.connection.run(move |client| {
            let select = "SELECT record FROM game WHERE pair = $1 AND place = $2";
            let row = client.query_opt(select, &[&pair, &place])?;
            Ok(row.map(|row| row.get(0)))
        })
    }

    fn last_game(&self) -> Result<Option<GameRecord>, StoreError> {
        let row = self.connection.run(|client| {
            let select = "SELECT game.pair, record FROM pair JOIN game ON game.pair = pair.id
                 WHERE stored IS NOT NULL ORDER BY stored DESC LIMIT 1";
            client.query_opt(select, &[])
        })?;
        let read = |row: Row| read_record(natural(row.get(0)), row.get(1));
        row.map(read).transpose()
    }
}

const SELECT_PAIRS: &str = "SELECT first, second, round, finished, first_version, second_version,
        void IS NOT NULL OR worker.excluded IS NOT NULL, pair.id,
        one.black, one.result, one.termination, one.black_us, one.white_us,
        two.black, two.result, two.termination, two.black_us, two.white_us
     FROM pair
     LEFT JOIN run ON run.id = pair.run
     LEFT JOIN worker ON worker.name = run.worker
     LEFT JOIN game one ON one.pair = pair.id AND one.place = 0
     LEFT JOIN game two ON two.pair = pair.id AND two.place = 1
     WHERE finished > $1 ORDER BY finished LIMIT $2";

/// Two conditions say the same of `finished`: the first finds the rows by its index.
const SELECT_SUMMARIES: &str = "SELECT finished, pair.id, place, black, white, result, termination,
        black_us, white_us, turns, opening
     FROM pair JOIN game ON game.pair = pair.id
     WHERE finished >= $1 AND (finished, place) > ($1, $2)
     ORDER BY finished, place LIMIT $3";

/// A pair; `None` if it has not its games.
fn stored_pair(row: &Row) -> Result<Option<StoredPair>, StoreError> {
    let entrant = |name, version| Entrant {
        bot: row.get(name),
        version: row.get(version),
    };
    let games = match row.get(6) {
        true => None,
        false => {
            let [Some(one), Some(two)] = [stored_game(row, 8)?, stored_game(row, 13)?] else {
                return Ok(None);
            };
            Some([one, two])
        }
    };
    Ok(Some(StoredPair {
        key: PairKey {
            first: entrant(0, 4),
            second: entrant(1, 5),
            round: natural(row.get(2)),
        },
        finished: natural(row.get(3)),
        games,
    }))
}

fn stored_game(row: &Row, at: usize) -> Result<Option<StoredGame>, StoreError> {
    let Some(black) = row.get(at) else {
        return Ok(None);
    };
    let pair = natural(row.get(7));
    Ok(Some(StoredGame {
        black,
        result: by_name(pair, row, at + 1)?,
        termination: by_name(pair, row, at + 2)?,
        times: [time(row, at + 3), time(row, at + 4)],
    }))
}

fn summary(row: &Row) -> Result<StoredSummary, StoreError> {
    let (pair, place) = (natural(row.get(1)), row.get::<_, i16>(2));
    Ok(StoredSummary {
        finished: natural(row.get(0)),
        game: GameSummary {
            number: number_of(pair, natural(place.into())),
            players: [row.get(3), row.get(4)],
            result: Some(by_name(pair, row, 5)?),
            termination: by_name(pair, row, 6)?,
            times: [time(row, 7), time(row, 8)],
            turns: row.get::<_, i64>(9) as _,
            opening: row.get(10),
            replayed: false,
        },
    })
}

fn time(row: &Row, at: usize) -> Duration {
    Duration::from_micros(natural(row.get(at)))
}

/// A value that a column has by its name in records.
fn by_name<T: DeserializeOwned>(pair: u64, row: &Row, at: usize) -> Result<T, StoreError> {
    parse_name(row.get(at)).map_err(|error| StoreError::Ending { pair, error })
}

/// How a value that has a name in records is called there; what has none is not stored.
fn name_of(value: &impl Serialize) -> String {
    let name = serde_json::to_value(value).ok();
    name.as_ref()
        .and_then(|name| name.as_str())
        .unwrap_or_default()
        .into()
}

/// Stores a pair while the lease to it is in force; also when that was done before. Once it has ended the pair is played
/// again, though nobody may have claimed it yet: what kept the run from renewing it, as when its machine stood still, may
/// have cost a bot the game.
fn finish(transaction: &mut Transaction<'_>, run: i64, pair: &Sent) -> Result<bool, Error> {
    let Sent { lease, games, void } = pair;
    let (pair, fence) = (whole(lease.pair), whole(lease.fence));
    let update = "UPDATE pair SET stored = clock_timestamp(), leased_until = NULL, void = $4
         WHERE id = $1 AND run = $2 AND fence = $3 AND leased_until > clock_timestamp()";
    if transaction.execute(update, &[&pair, &run, &fence, void])? == 0 {
        let before = "SELECT EXISTS (SELECT 1 FROM pair
             WHERE id = $1 AND run = $2 AND fence = $3 AND stored IS NOT NULL)";
        return Ok(transaction
            .query_one(before, &[&pair, &run, &fence])?
            .get(0));
    }
    if void.is_some() {
        insert_void(transaction, games.iter().map(|game| &game.record))?;
        return Ok(true);
    }
    let insert = "INSERT INTO game (pair, place, record, black, white, result, termination,
            black_us, white_us, turns, opening)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    for (place, game) in (0_i16..).zip(games) {
        let Columns([black, white, result, ending], turns) = &game.columns;
        let [black_us, white_us] = &game.times;
        transaction.execute(
            insert,
            &[
                &pair,
                &place,
                &game.record,
                black,
                white,
                result,
                ending,
                black_us,
                white_us,
                turns,
                &game.opening,
            ],
        )?;
    }
    Ok(true)
}

/// Keeps void games, each once.
fn insert_void<'a>(
    transaction: &mut Transaction<'_>,
    games: impl Iterator<Item = &'a String>,
) -> Result<(), Error> {
    let insert = "INSERT INTO spoiled (record) VALUES ($1) ON CONFLICT DO NOTHING";
    for game in games {
        transaction.execute(insert, &[game])?;
    }
    Ok(())
}
