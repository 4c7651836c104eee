//! Which run plays which pair.
//!
//! A run's leases last while its *beat* goes on, a number in the file that it raises as long as it lives. Whoever
//! wants a pair of another run watches that number on a clock of its own: no two clocks are compared, so it does not
//! matter what the calendar says or how it is moved. Each claim has a *fencing number* (M. Kleppmann 2016, "How to
//! do distributed locking"): a run whose pair was given to another meanwhile cannot store it.

use super::SqliteStore;
use crate::store::{Claim, Lease, LeaseStore, PairKey, Quota, StoreError};
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::HashMap;
use std::time::Duration;

/// How often a run renews its leases.
const RENEWAL: Duration = Duration::from_secs(3);
/// How long a beat must have stood still before another run takes the pairs. What a killed run had claimed waits so
/// long.
const LEASE: Duration = Duration::from_secs(15);

/// For how long the beats of other runs were seen to stand still.
#[derive(Clone, Default, Debug)]
pub(super) struct Watch {
    /// When they were looked at last.
    looked: Duration,
    runs: HashMap<i64, Seen>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Seen {
    beat: Option<i64>,
    still: Duration,
}

impl Watch {
    /// Takes in the beats of the runs that hold leases. A time in which nobody looked, because the file was locked,
    /// say, counts as one renewal at most: the other run may have waited as well.
    fn look(&mut self, now: Duration, beats: &[(i64, Option<i64>)]) {
        let passed = now.saturating_sub(self.looked).min(RENEWAL);
        self.looked = now;
        let before = std::mem::take(&mut self.runs);
        for &(run, beat) in beats {
            let seen = match before.get(&run) {
                Some(seen) if seen.beat == beat => Seen {
                    beat,
                    still: seen.still + passed,
                },
                _ => Seen {
                    beat,
                    still: Duration::ZERO,
                },
            };
            self.runs.insert(run, seen);
        }
    }

    fn holds(&self, run: i64) -> bool {
        let seen = self.runs.get(&run);
        seen.is_some_and(|seen| seen.still < LEASE)
    }
}

impl LeaseStore for SqliteStore {
    fn claim(
        &mut self,
        run: u64,
        key: &PairKey,
        quota: Option<Quota>,
    ) -> Result<Claim, StoreError> {
        let now = self.clock.elapsed();
        let mut watch = std::mem::take(&mut self.watch);
        let claimed = self.write_without_fsync(|transaction| {
            let leases = leases_of_runs(transaction)?;
            let beats: Vec<_> = leases.iter().map(|lease| (lease.run, lease.beat)).collect();
            watch.look(now, &beats);
            let is_held = |holder: i64| holder == run as i64 || watch.holds(holder);
            if let Some(quota) = quota {
                let held = leases.iter().filter(|lease| is_held(lease.run));
                let held: u64 = held.map(|lease| lease.pairs).sum();
                if held + count_finished(transaction, quota.after)? >= quota.pairs {
                    return Ok(Claim::Full);
                }
            }
            match find(transaction, key)? {
                Some((_, None)) => Ok(Claim::Finished),
                Some((_, Some(holder))) if is_held(holder) => Ok(Claim::Taken),
                found => lease(transaction, run, key, found.map(|(pair, _)| pair)),
            }
        });
        self.watch = watch;
        claimed
    }

    fn renew(&mut self, run: u64, _pairs: &[u64]) -> Result<(), StoreError> {
        self.write_without_fsync(|transaction| {
            let renew = "UPDATE run SET beat = beat + 1 WHERE id = ?1";
            transaction.execute(renew, [run])?;
            Ok(())
        })
    }

    fn release(&mut self, run: u64) -> Result<(), StoreError> {
        self.write_without_fsync(|transaction| {
            let delete = "DELETE FROM pair WHERE run = ?1 AND finished IS NULL";
            transaction.execute(delete, [run])?;
            Ok(())
        })
    }

    fn renewal(&self) -> Duration {
        RENEWAL
    }

    fn under_way(&self) -> Result<Vec<[String; 2]>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT first, second FROM pair WHERE finished IS NULL AND fence > 0 ORDER BY id",
        )?;
        let pairs = statement.query_map((), |row| Ok([row.get(0)?, row.get(1)?]))?;
        Ok(pairs.collect::<Result<_, _>>()?)
    }
}

/// The leases of one run.
struct LeasesOfRun {
    run: i64,
    /// `None` where the file knows of no such run.
    beat: Option<i64>,
    pairs: u64,
}

fn leases_of_runs(transaction: &Transaction<'_>) -> Result<Vec<LeasesOfRun>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "SELECT coalesce(pair.run, 0), run.beat, count(*)
         FROM pair LEFT JOIN run ON run.id = pair.run
         WHERE finished IS NULL GROUP BY 1",
    )?;
    let leases = statement.query_map((), |row| {
        Ok(LeasesOfRun {
            run: row.get(0)?,
            beat: row.get(1)?,
            pairs: row.get(2)?,
        })
    })?;
    Ok(leases.collect::<Result<_, _>>()?)
}

/// The pair's number and which run plays it; no run if it is finished.
fn find(
    transaction: &Transaction<'_>,
    key: &PairKey,
) -> Result<Option<(u64, Option<i64>)>, StoreError> {
    let [first, second] = [&key.first, &key.second];
    let found = transaction
        .prepare_cached(
            "SELECT id, CASE WHEN finished IS NULL THEN coalesce(run, 0) END FROM pair
             WHERE first = ?1 AND second = ?2 AND first_version = ?3 AND second_version = ?4
               AND round = ?5",
        )?
        .query_row(
            params![
                first.bot,
                second.bot,
                first.version,
                second.version,
                key.round
            ],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    Ok(found)
}

/// Enters a claim to a pair that nobody holds; `known` is its number if somebody has claimed it before.
fn lease(
    transaction: &Transaction<'_>,
    run: u64,
    key: &PairKey,
    known: Option<u64>,
) -> Result<Claim, StoreError> {
    let fence = transaction
        .prepare_cached("UPDATE fence SET last = last + 1 RETURNING last")?
        .query_row((), |row| row.get(0))?;
    let [first, second] = [&key.first, &key.second];
    let pair = match known {
        Some(pair) => {
            transaction
                .prepare_cached("UPDATE pair SET run = ?2, fence = ?3 WHERE id = ?1")?
                .execute(params![pair, run, fence])?;
            pair
        }
        None => {
            transaction
                .prepare_cached(
                    "INSERT INTO pair
                     (first, second, first_version, second_version, round, run, fence)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    first.bot,
                    second.bot,
                    first.version,
                    second.version,
                    key.round,
                    run,
                    fence
                ])?;
            transaction.last_insert_rowid() as u64
        }
    };
    Ok(Claim::Claimed(Lease { pair, fence }))
}

fn count_finished(transaction: &Transaction<'_>, after: u64) -> Result<u64, StoreError> {
    let count = "SELECT count(*) FROM pair WHERE finished > ?1";
    let mut statement = transaction.prepare_cached(count)?;
    Ok(statement.query_row([after], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_run_holds_its_leases_while_its_beat_goes_on_and_loses_them_when_it_has_stood_still() {
        let mut watch = Watch::default();
        for second in 0..60 {
            watch.look(
                second * SECOND,
                &[(1, Some(i64::from(second) / 3)), (2, Some(7))],
            );
            assert!(watch.holds(1));
            assert_eq!(watch.holds(2), second < 15, "after {second} s");
        }
        assert!(!watch.holds(3), "a run without leases");
    }

    #[test]
    fn a_time_in_which_nobody_looked_is_no_sign_that_a_run_has_ended() {
        let mut watch = Watch::default();
        watch.look(SECOND, &[(1, Some(1))]);
        watch.look(7200 * SECOND, &[(1, Some(1))]);
        assert!(watch.holds(1));
    }
}
