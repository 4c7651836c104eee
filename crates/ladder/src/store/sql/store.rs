//! [`Store`] over every [`Database`].

use super::pairs::{
    PAGE, PAGE_OF_RECORDS, SELECT_PAIRS, SELECT_RECORDS, SELECT_SUMMARIES, Sent, stored_pair,
    stored_summary, to_json,
};
use super::{Database, Durability, Row, Sql, Value, bots, claims, pairs, problems};
use crate::store::pairs::place_of;
use crate::store::shared::SharedStore;
use crate::store::{
    BotStates, BotVersion, Claim, FinishedPair, Lease, PairKey, Problem, Quota, Store, StoreError,
    StoredPair, StoredSummary,
};
use crownhead_record::GameRecord;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

impl<D: Database> Store for D {
    fn begin_run(&mut self) -> Result<u64, StoreError> {
        let insert = "INSERT INTO run DEFAULT VALUES RETURNING id";
        let run = self.write(Durability::Disk, |sql| sql.number(insert, &[]))?;
        self.be_impatient()?;
        Ok(run)
    }

    fn close_and_count(self: Box<Self>, run: u64) -> Result<u64, StoreError> {
        let count = "SELECT count(*) FROM pair WHERE run = ?1 AND {stored}";
        self.reopen()?
            .read(move |sql| sql.number(count, &[run.into()]))
    }

    fn shared(&self) -> Option<&dyn SharedStore> {
        Database::shared(self)
    }

    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError> {
        Database::rescue(self)
    }

    fn versions(&self) -> Result<Vec<BotVersion>, StoreError> {
        self.read(bots::versions)
    }

    fn accept(&mut self, version: &BotVersion) -> Result<(), StoreError> {
        let version = version.clone();
        self.write(Durability::Disk, move |sql| bots::accept(sql, &version))
    }

    fn bot_states(&self) -> Result<BotStates, StoreError> {
        self.read(bots::states)
    }

    fn set_disabled(&mut self, bot: &str, reason: Option<&str>) -> Result<(), StoreError> {
        self.number_stored()?;
        let (bot, reason) = (bot.to_string(), reason.map(str::to_string));
        self.write(Durability::Disk, move |sql| {
            bots::set_disabled(sql, &bot, reason.as_deref())
        })
    }

    fn tell_once(&mut self, what: &str) -> Result<bool, StoreError> {
        let what = what.to_string();
        self.write(Durability::Disk, move |sql| {
            let insert = "INSERT INTO told (what) VALUES (?1) ON CONFLICT DO NOTHING";
            Ok(sql.change(insert, &[Value::from(&what)])? == 1)
        })
    }

    fn claim(
        &mut self,
        run: u64,
        key: &PairKey,
        quota: Option<Quota>,
    ) -> Result<Claim, StoreError> {
        self.end_lapsed_leases()?;
        let key = key.clone();
        self.write(Durability::Process, move |sql| {
            claims::claim(sql, run, &key, quota)
        })
    }

    fn renew(&mut self, run: u64, pairs: &[u64]) -> Result<(), StoreError> {
        if pairs.is_empty() {
            return Ok(());
        }
        let pairs = pairs.to_vec();
        self.write(Durability::Process, move |sql| {
            claims::renew(sql, run, &pairs)
        })
    }

    fn renewal(&self) -> Duration {
        D::RENEWAL
    }

    fn release(&mut self, run: u64) -> Result<(), StoreError> {
        self.write(Durability::Process, move |sql| claims::release(sql, run))
    }

    fn under_way(&self) -> Result<Vec<[String; 2]>, StoreError> {
        self.read(claims::under_way)
    }

    fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let pairs: Vec<Sent> = pairs.iter().map(Sent::of).collect();
        self.write(Durability::Disk, move |sql| {
            pairs.iter().map(|pair| pair.store(sql, run)).collect()
        })
    }

    fn give_back(
        &mut self,
        run: u64,
        lease: Lease,
        games: &[GameRecord],
    ) -> Result<(), StoreError> {
        let games: Vec<String> = games.iter().map(to_json).collect();
        self.write(Durability::Disk, move |sql| {
            if claims::give_back(sql, run, lease)? {
                pairs::keep_void(sql, &games)?;
            }
            Ok(())
        })
    }

    fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError> {
        self.number_stored()?;
        let mut pairs: Vec<StoredPair> = Vec::new();
        each_pair_row(self, after, &mut |row| {
            pairs.push(stored_pair(row)?);
            Ok(())
        })?;
        Ok(pairs)
    }

    fn summaries(
        &self,
        after: u64,
        visit: &mut dyn FnMut(StoredSummary),
    ) -> Result<(), StoreError> {
        self.number_stored()?;
        let mut last = [after.into(), Value::Number(1)];
        loop {
            let [pair, place] = last.clone();
            let rows = page(self, SELECT_SUMMARIES, vec![pair, place, PAGE_SIZE])?;
            for row in &rows {
                last = [row.0[0].clone(), row.0[2].clone()];
                visit(stored_summary(row)?);
            }
            if rows.len() < PAGE {
                return Ok(());
            }
        }
    }

    fn each_record(
        &self,
        visit: &mut dyn FnMut(Result<GameRecord, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        each_game_row(self, &mut |row| Ok(visit(problems::read_record(row))))
    }

    fn record(&self, number: u64) -> Result<Option<String>, StoreError> {
        let (pair, place) = place_of(number);
        self.read(move |sql| {
            let select = "SELECT record FROM game WHERE pair = ?1 AND place = ?2";
            let row = sql.row(select, &[pair.into(), place.into()])?;
            row.map(|row| row.text(0)).transpose()
        })
    }

    fn last_game(&self) -> Result<Option<GameRecord>, StoreError> {
        self.read(|sql| {
            let select = "SELECT pair, place, record FROM game ORDER BY pair DESC LIMIT 1";
            let row = sql.row(select, &[])?;
            row.as_ref().map(problems::read_record).transpose()
        })
    }

    fn problems(
        &self,
        doubt: &mut dyn FnMut(&GameRecord) -> Option<String>,
    ) -> Result<Vec<Problem>, StoreError> {
        let mut problems = self.problems_of_file()?;
        problems.extend(self.read(problems::impossible_pairs)?);
        each_pair_row(self, 0, &mut |row| {
            problems.extend(problems::problem_of_pair(row)?);
            Ok(())
        })?;
        each_game_row(self, &mut |row| {
            problems.extend(problems::problem_of_game(row, doubt)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(problems)
    }

    fn play_again(&mut self, pairs: &[u64]) -> Result<(), StoreError> {
        let pairs = pairs.to_vec();
        self.write(Durability::Disk, move |sql| pairs::play_again(sql, &pairs))
    }
}

const PAGE_SIZE: Value = Value::Number(PAGE as i64);

fn page(
    database: &impl Database,
    select: &'static str,
    values: Vec<Value>,
) -> Result<Vec<Row>, StoreError> {
    database.read(move |sql: &mut dyn Sql| sql.rows(select, &values))
}

/// Hands the rows of the finished pairs that come after one to `visit`, in the order in which they were stored; all for 0,
/// also those whose numbers cannot be right.
fn each_pair_row(
    database: &impl Database,
    after: u64,
    visit: &mut dyn FnMut(&Row) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut last = match after {
        0 => Value::Number(i64::MIN),
        after => after.into(),
    };
    loop {
        let rows = page(database, SELECT_PAIRS, vec![last.clone(), PAGE_SIZE])?;
        for row in &rows {
            last = row.0[1].clone();
            visit(row)?;
        }
        if rows.len() < PAGE {
            return Ok(());
        }
    }
}

/// Hands all rows of games to `visit`, in the order of their numbers, until it breaks.
fn each_game_row(
    database: &impl Database,
    visit: &mut dyn FnMut(&Row) -> Result<ControlFlow<()>, StoreError>,
) -> Result<(), StoreError> {
    let mut last = [Value::Number(0), Value::Number(1)];
    let size = Value::Number(PAGE_OF_RECORDS as i64);
    loop {
        let [pair, place] = last.clone();
        let rows = page(database, SELECT_RECORDS, vec![pair, place, size.clone()])?;
        for row in &rows {
            last = [row.0[0].clone(), row.0[1].clone()];
            if visit(row)?.is_break() {
                return Ok(());
            }
        }
        if rows.len() < PAGE_OF_RECORDS {
            return Ok(());
        }
    }
}
