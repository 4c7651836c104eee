//! The games of one ladder, and the data needed to play them, over any [`Database`].

use super::pairs::{PAIRS, Paged, RECORDS, is_consistent, read_bots, read_record, stored_pair};
use super::{Database, Row, Sql, Value, pairs};
use crate::store::pairs::place_of;
use crate::store::{
    BotStates, BotVersion, Entrant, FinishedPair, Lease, PairKey, Problem, StoreError, StoredPair,
};
use crownhead_record::GameRecord;
use std::cell::Cell;
use std::path::PathBuf;

/// The games of one ladder, and the data needed to play them.
#[derive(Debug)]
pub struct Store(Box<dyn Database>);

impl<D: Database + 'static> From<D> for Store {
    fn from(database: D) -> Store {
        Store(Box::new(database))
    }
}

/// # Errors
/// All methods fail when the database does.
impl Store {
    /// Registers a new run and returns its number. From here on, calls wait only a moment for a store that is locked or
    /// unreachable. The run asks again ([`StoreError::passing`]) and reports it meanwhile.
    pub fn begin_run(&mut self) -> Result<u64, StoreError> {
        let insert = "INSERT INTO run DEFAULT VALUES RETURNING id";
        let run = self.write(|sql| sql.number(insert, &[]))?;
        self.0.play(run)?;
        Ok(run)
    }

    /// Whether many machines share it.
    pub fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    /// Writes the store's content into a new file beside it, even if its file was removed. Returns the path and the
    /// number of finished pairs. `None` if the store is not a file.
    pub fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError> {
        self.0.rescue()
    }

    /// All versions of all bots, each bot's first one first.
    pub fn versions(&self) -> Result<Vec<BotVersion>, StoreError> {
        let select = "SELECT bot, version, description,
                accepted = (SELECT max(accepted) FROM version other WHERE other.bot = version.bot)
             FROM version ORDER BY id";
        let version = |row: &Row| {
            Ok(BotVersion {
                bot: row.text(0)?,
                version: row.text(1)?,
                description: row.text(2)?,
                current: row.is_true(3),
            })
        };
        let rows = self.read(|sql| sql.rows(select, &[]))?;
        rows.iter().map(version).collect()
    }

    /// Makes this the version of its bot that plays. Enables the bot if it was disabled.
    pub fn accept(&mut self, version: &BotVersion) -> Result<(), StoreError> {
        let bot = [Value::from(&version.bot)];
        let entered = [
            Value::from(&version.bot),
            Value::from(&version.version),
            Value::from(&version.description),
        ];
        self.write(|sql| {
            sql.lock()?;
            let known = "SELECT count(*) FROM version WHERE bot = ?1";
            let is_replaced = sql.number(known, &bot)? > 0;
            let insert = "INSERT INTO version (bot, version, description, accepted)
                 VALUES (?1, ?2, ?3, (SELECT coalesce(max(accepted), 0) + 1 FROM version))
                 ON CONFLICT (bot, version) DO UPDATE
                 SET accepted = excluded.accepted";
            sql.change(insert, &entered)?;
            if is_replaced {
                sql.change("DELETE FROM disabled WHERE bot = ?1", &bot)?;
            }
            Ok(())
        })
    }

    /// Which bots are disabled, and which were enabled again.
    pub fn bot_states(&self) -> Result<BotStates, StoreError> {
        self.read(|sql| {
            let disabled = sql.rows("SELECT bot, reason FROM disabled ORDER BY bot", &[])?;
            let disabled = disabled.iter().map(|row| Ok((row.text(0)?, row.text(1)?)));
            let enabled = sql.rows("SELECT bot, after FROM enabled ORDER BY bot", &[])?;
            let enabled = enabled.iter().map(|row| Ok((row.text(0)?, row.number(1)?)));
            Ok(BotStates {
                disabled: disabled.collect::<Result<_, StoreError>>()?,
                enabled: enabled.collect::<Result<_, StoreError>>()?,
            })
        })
    }

    /// Disables a bot for this reason, or enables it. Games before that are no reason to disable it again.
    pub fn set_disabled(&mut self, bot: &str, reason: Option<&str>) -> Result<(), StoreError> {
        self.0.number_stored()?;
        let bot = [Value::from(bot)];
        let disabled = reason.map(|reason| [bot[0].clone(), reason.into()]);
        self.write(|sql| {
            if let Some(disabled) = &disabled {
                let insert = "INSERT INTO disabled (bot, reason) VALUES (?1, ?2)
                     ON CONFLICT (bot) DO UPDATE SET reason = excluded.reason";
                return sql.change(insert, disabled).map(drop);
            }
            sql.change("DELETE FROM disabled WHERE bot = ?1", &bot)?;
            let insert = "INSERT INTO enabled (bot, after)
                 VALUES (?1, (SELECT coalesce(max(finished), 0) FROM pair))
                 ON CONFLICT (bot) DO UPDATE SET after = excluded.after";
            sql.change(insert, &bot).map(drop)
        })
    }

    /// The version of a bot that plays, if one is known.
    pub fn current_version(&self, bot: &str) -> Result<Option<BotVersion>, StoreError> {
        let mut known = self.versions()?.into_iter();
        Ok(known.find(|known| known.bot == bot && known.current))
    }

    /// Whether a bot has finished pairs, in any version or in this one.
    pub fn has_played(&self, bot: &str, version: Option<&str>) -> Result<bool, StoreError> {
        let pairs = self.pairs(0)?;
        let mut played = pairs.iter().flat_map(|pair| &pair.key.bots);
        Ok(played.any(|it| it.bot == bot && version.is_none_or(|version| it.version == version)))
    }

    /// Claims a pair for a run; `None` if it is finished or leased.
    pub fn claim(&mut self, run: u64, key: &PairKey) -> Result<Option<Lease>, StoreError> {
        self.0.end_lapsed_leases()?;
        self.write(|sql| pairs::claim(sql, run, key))
    }

    /// Renews a run's leases of the pairs with these numbers, except ended ones.
    pub fn renew(&mut self, run: u64, pairs: &[u64]) -> Result<(), StoreError> {
        if pairs.is_empty() {
            return Ok(());
        }
        self.0.renew(run, pairs)
    }

    /// Gives back all pairs that a run has claimed and not finished.
    pub fn release(&mut self, run: u64) -> Result<(), StoreError> {
        let release = "UPDATE pair SET run = NULL{free} WHERE run = ?1 AND {open}";
        self.write(|sql| sql.change(release, &[run.into()]).map(drop))
    }

    /// The names of the bots of all claimed pairs.
    pub fn under_way(&self) -> Result<Vec<Vec<String>>, StoreError> {
        let select = "SELECT bots FROM pair WHERE {open} AND {held} ORDER BY id";
        let rows = self.read(|sql| sql.rows(select, &[]))?;
        let name = |entrant: Entrant| entrant.bot;
        let names = |row: &Row| Ok(read_bots(row, 0)?.into_iter().map(name).collect());
        rows.iter().map(names).collect()
    }

    /// Stores finished pairs durably, all in one transaction.
    ///
    /// Returns for each whether it was stored, which fails if its lease has ended.
    pub fn finish(&mut self, run: u64, pairs: &[FinishedPair]) -> Result<Vec<bool>, StoreError> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        self.write(|sql| {
            let store = |pair| pairs::store(sql, run, pair);
            pairs.iter().map(store).collect()
        })
    }

    /// Gives a pair back to be played again, and keeps these games of it as void. Does nothing if its lease has ended.
    pub fn give_back(
        &mut self,
        run: u64,
        lease: Lease,
        games: &[GameRecord],
    ) -> Result<(), StoreError> {
        self.write(|sql| {
            let give_back = "UPDATE pair SET run = NULL{free}
                 WHERE id = ?1 AND run = ?2 AND fence = ?3 AND {open} AND {held}";
            let values = [lease.pair, run, lease.fence].map(Value::from);
            if sql.change(give_back, &values)? > 0 {
                pairs::keep_void(sql, games)?;
            }
            Ok(())
        })
    }

    /// The finished pairs and their games in the order of storing, without records: those after [`StoredPair::finished`] of
    /// `after`, all for 0. A new pair never comes before one that was read.
    ///
    /// # Errors
    /// Also when a pair cannot be right, because uncertain pairs must not be rated.
    pub fn pairs(&self, after: u64) -> Result<Vec<StoredPair>, StoreError> {
        self.each_pair(after)?.collect()
    }

    /// The same, read a page at a time.
    pub fn each_pair(
        &self,
        after: u64,
    ) -> Result<impl Iterator<Item = Result<StoredPair, StoreError>>, StoreError> {
        self.0.number_stored()?;
        let rows = self.rows_after(&PAIRS, vec![first_after(after)]);
        Ok(rows.map(|row| stored_pair(&row?)))
    }

    /// The records of all rated games in the order of their numbers, including unreadable ones. They are read a page at
    /// a time.
    pub fn records(&self) -> impl Iterator<Item = Result<GameRecord, StoreError>> {
        let rows = self.rows_after(&RECORDS, BEFORE_RECORDS.into());
        rows.map(|row| read_record(&row?))
    }

    /// The record of a game, as a line of a record file; `None` if no game has this number.
    pub fn record(&self, number: u64) -> Result<Option<String>, StoreError> {
        self.read(|sql| {
            // All pairs of a ladder have as many bots.
            let Some(row) = sql.row("SELECT bots FROM pair ORDER BY id LIMIT 1", &[])? else {
                return Ok(None);
            };
            let Some((pair, place)) = place_of(number, read_bots(&row, 0)?.len()) else {
                return Ok(None);
            };
            let select = "SELECT record FROM game WHERE pair = ?1 AND place = ?2";
            let row = sql.row(select, &[pair.into(), place.into()])?;
            row.map(|row| row.text(0)).transpose()
        })
    }

    /// The problems of the store and its content. `doubt` says of each readable record what speaks against it.
    pub fn problems(
        &self,
        doubt: &mut dyn FnMut(&GameRecord) -> Option<String>,
    ) -> Result<Vec<Problem>, StoreError> {
        let mut problems = self.0.problems_of_file()?;
        let is_damaged = !problems.is_empty();
        match self.problems_of_pairs(&mut problems, doubt) {
            // The damage is reported already.
            Err(_) if is_damaged => Ok(problems),
            looked => looked.map(|()| problems),
        }
    }

    /// Keeps the games of these pairs as void, and has the pairs played again.
    pub fn play_again(&mut self, pairs: &[u64]) -> Result<(), StoreError> {
        self.write(|sql| pairs::play_again(sql, pairs))
    }

    /// Adds the problems of pairs and games to those of the whole.
    fn problems_of_pairs(
        &self,
        problems: &mut Vec<Problem>,
        doubt: &mut dyn FnMut(&GameRecord) -> Option<String>,
    ) -> Result<(), StoreError> {
        let impossible = "SELECT DISTINCT pair.id FROM pair JOIN game ON game.pair = pair.id
             WHERE {open} OR void IS NOT NULL";
        for row in self.read(|sql| sql.rows(impossible, &[]))? {
            let pair = row.number(0)?;
            problems.push(Problem {
                told: format!("pair {pair} is not finished, or void, and has games"),
                pair: Some(pair),
            });
        }
        for row in self.rows_after(&PAIRS, vec![first_after(0)]) {
            match stored_pair(&row?) {
                Err(StoreError::Pair { pair, what }) => problems.push(Problem {
                    told: format!("pair {pair} {what}"),
                    pair: Some(pair),
                }),
                read => drop(read?),
            }
        }
        for row in self.rows_after(&RECORDS, BEFORE_RECORDS.into()) {
            let row = row?;
            let number = row.number(0)?;
            let pair = Some(number);
            let told = match read_record(&row) {
                Err(error) => Some(error.to_string()),
                Ok(game) if is_consistent(&row, &game) => doubt(&game),
                Ok(_) if problems.iter().any(|told| told.pair == pair) => None,
                Ok(_) => Some(format!(
                    "pair {number} has a record that says otherwise than its summary"
                )),
            };
            problems.extend(told.map(|told| Problem { told, pair }));
        }
        Ok(())
    }

    /// All rows after this one. They are read a page at a time; some callers look only at the first row.
    fn rows_after(
        &self,
        paged: &'static Paged,
        after: Vec<Value>,
    ) -> impl Iterator<Item = Result<Row, StoreError>> {
        let mut next = Some((after, 1));
        let page = move || {
            let (last, size) = next.take()?;
            let values = [&last[..], &[(size as u64).into()]].concat();
            let rows = match self.read(|sql| sql.rows(paged.select, &values)) {
                Err(error) => return Some(vec![Err(error)]),
                Ok(rows) => rows,
            };
            if let Some(row) = rows.last().filter(|_| rows.len() == size) {
                let last = paged.key.iter().map(|&at| row.0[at].clone());
                next = Some((last.collect(), paged.size));
            }
            Some(rows.into_iter().map(Ok).collect())
        };
        std::iter::from_fn(page).flatten()
    }

    /// Reads. The work may run twice if a connection is lost meanwhile.
    pub(in crate::store) fn read<T>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = Cell::new(None);
        self.0.read(&|sql| {
            done.set(Some(work(sql)?));
            Ok(())
        })?;
        Ok(done.take().expect("the work was done"))
    }

    /// Writes all or nothing. The work may run twice, as with [`Store::read`].
    pub(in crate::store) fn write<T>(
        &mut self,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = Cell::new(None);
        self.0.write(&|sql| {
            done.set(Some(work(sql)?));
            Ok(())
        })?;
        Ok(done.take().expect("the work was done"))
    }
}

/// A row before the first game of pair 1.
const BEFORE_RECORDS: [Value; 2] = [Value::Number(0), Value::Number(i64::MAX)];

/// A row before the first pair after this one. All pairs come after 0, even those with impossible numbers.
fn first_after(after: u64) -> Value {
    match after {
        0 => Value::Number(i64::MIN),
        after => after.into(),
    }
}
